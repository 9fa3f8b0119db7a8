package dev.zcp.session;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.engine.Engine;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.wire.Data;
import dev.zcp.wire.Done;
import dev.zcp.wire.Frame;
import dev.zcp.wire.Meta;
import dev.zcp.wire.Nack;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Trailer;
import java.io.EOFException;
import java.io.IOException;

/// The receiver's side of one session: takes every file or refuses it, answers for each, says
/// goodbye.
final class ReceivingSession {

  private final Connection connection;
  private final String peer;
  private final Engine engine;
  private final LandingPlace place;
  private final Insight insight;

  /// The file that is coming in, or null between files and where it was refused unseen.
  private IncomingFile file;

  private ExitCode firstFailure = ExitCode.OK;

  ReceivingSession(
      Connection connection, String peer, Engine engine, LandingPlace place, Insight insight) {
    this.connection = connection;
    this.peer = peer;
    this.engine = engine;
    this.place = place;
    this.insight = insight;
  }

  /// Runs to the end, good or bad; tells the insight of it.
  void run() {
    try (BlockDigest digest = new BlockDigest()) {
      while (!connection.conversation().peerIsDone()) {
        connection.pulse().waitForPeer();
        Frame frame = connection.receive();
        take(frame, digest);
      }
      connection.send(connection.conversation().done(firstFailure, ""));
    } catch (ProtocolException e) {
      giveUp(Failure.of(e.exitCode(), peer, e.getMessage()).because(e));
    } catch (IOException e) {
      fail(network(e));
    } catch (Failure failure) {
      giveUp(failure);
    } catch (RuntimeException | Error e) {
      giveUp(Reasons.defect(peer, e));
    }
  }

  private void take(Frame frame, BlockDigest digest) throws IOException, Failure {
    switch (frame.type()) {
      case META -> begin((Meta) frame, digest);
      case DATA -> {
        long length = ((Data) frame).block().length();
        if (file == null) {
          IncomingFile.skip(connection, length);
        } else {
          file.takeBlock((Data) frame);
        }
      }
      case TRAILER -> {
        connection.pulse().stopWaiting();
        Trailer trailer = (Trailer) frame;
        if (file != null) {
          file.takeTrailer(trailer);
          note(file.refusal());
          file = trailer.last() ? null : file;
        }
      }
      case DONE -> end((Done) frame);
      case BEAT -> {}
      case ACK, NACK ->
          throw new IllegalStateException("the conversation let a " + frame.type() + " through");
    }
  }

  private void begin(Meta meta, BlockDigest digest) throws IOException {
    connection.pulse().stopWaiting();
    FileLog log = insight.begin(meta.name().toString(), meta.size(), Stage.RECEIVE);
    try {
      file = new IncomingFile(connection, meta, log, place.prepare(meta, digest, log));
      file.begin(engine);
      note(file.refusal());
    } catch (Failure failure) {
      file = null;
      log.failed(failure);
      note(failure.exitCode());
      connection.send(new Nack(meta.fileId(), failure.exitCode(), failure.reason()));
    }
  }

  /// Takes the sender's last word. What it says of files that failed here is known already.
  private void end(Done done) {
    if (firstFailure == ExitCode.OK && done.exitCode() != ExitCode.OK) {
      String why = done.text().isEmpty() ? "" : ": " + Printable.of(done.text());
      insight.failed(
          Failure.of(done.exitCode(), peer, "the sender could not send everything" + why));
      note(done.exitCode());
    }
  }

  private void note(ExitCode outcome) {
    if (firstFailure == ExitCode.OK) {
      firstFailure = outcome;
    }
  }

  /// Ends the session for a reason of this end, and tells the sender of it.
  private void giveUp(Failure failure) {
    fail(failure);
    connection.giveUp(failure.exitCode(), failure.getMessage());
  }

  private void fail(Failure failure) {
    if (file != null) {
      file.abandon();
      file = null;
    }
    insight.failed(failure);
  }

  private Failure network(IOException e) {
    String what =
        connection.pulse().ranOut()
            ? "stalled: the sender said nothing for too long"
            : e instanceof EOFException
                ? "the sender closed the connection before the end"
                : Reasons.of(e);
    return Failure.of(ExitCode.NETWORK, peer, what)
        .with("files that were not complete were not published; send them again")
        .because(e);
  }
}
