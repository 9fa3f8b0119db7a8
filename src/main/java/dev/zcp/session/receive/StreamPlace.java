package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.place.Durability;
import dev.zcp.spi.Sink;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.wire.Answer;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Level;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import java.util.List;

/// Standard output: it takes the bytes of one file, in order.
final class StreamPlace implements Place {

  private final Sink stream;

  /// Guarded by this.
  private Offered taken;

  /// @param stream is left open
  StreamPlace(Sink stream) {
    this.stream = stream;
  }

  @Override
  public int admit(Manifest manifest) throws Failure {
    if (manifest.entries() > 1) {
      throw Failure.of(
          ExitCode.DESTINATION,
          "standard output takes one file, and the sender has " + manifest.entries());
    }
    return 0;
  }

  /// Nothing is read back from a stream.
  @Override
  public Level provable(Level wanted) {
    return wanted.compareTo(Level.WIRE) > 0 ? Level.WIRE : wanted;
  }

  @Override
  public int filesMax() {
    return 1;
  }

  @Override
  public List<Loss> losses() {
    return List.of();
  }

  @Override
  public List<Loss> notKept() {
    return List.of();
  }

  @Override
  public boolean losesOwners() {
    return false;
  }

  @Override
  public synchronized Answer consider(IncomingEntry incoming) {
    Offered entry = incoming.offered();
    if (entry.kind() != EntryKind.FILE) {
      return Answer.failed(
          entry.fileId(), ExitCode.DESTINATION, "standard output takes a regular file or a stream");
    }
    if (taken != null && taken.fileId() != entry.fileId()) {
      return Answer.failed(
          entry.fileId(),
          ExitCode.DESTINATION,
          "the receiver writes to standard output, which takes one file");
    }
    Answer answer = Answer.of(entry.fileId(), Answer.AnswerKind.ALL);
    if (taken == null) {
      incoming.land(answer, new StreamLanding(stream, incoming));
    }
    taken = entry;
    return answer;
  }

  @Override
  public Durability durability() {
    return Durability.none();
  }

  @Override
  public void complete(Offered directory) {
    throw new IllegalStateException("standard output takes no directories");
  }

  @Override
  public void close() {
    // The stream is not this one's.
  }
}
