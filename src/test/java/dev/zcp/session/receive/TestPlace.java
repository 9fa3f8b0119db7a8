package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.place.Durability;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Show;
import dev.zcp.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A place with the entries of a session of one thread, by what was offered.
record TestPlace(Place place, Map<Long, IncomingEntry> entries) implements AutoCloseable {

  TestPlace(Place place) {
    this(place, new LinkedHashMap<>());
  }

  int admit(Manifest manifest) throws Failure {
    return place.admit(manifest);
  }

  List<Loss> losses() {
    return place.losses();
  }

  Answer consider(Offered offered) {
    return place.consider(
        entries.computeIfAbsent(offered.fileId(), _ -> new IncomingEntry(offered)));
  }

  /// Of a file that was considered.
  Landing landing(Offered offered) {
    return entries.get(offered.fileId()).landing();
  }

  /// Writes a whole file in one block, and publishes it.
  Level put(Offered offered, ByteBuffer bytes, int crc32c, Level level) throws Failure {
    Ending ending = new Ending(offered.fileId(), Status.OK, bytes.remaining(), crc32c);
    Span all = new Span(0, bytes.remaining());
    Landing landing = landing(offered);
    if (!all.isEmpty()) {
      landing.begin(all);
      try {
        landing.sink().writeAll(bytes, 0);
        landing.verified(all, crc32c);
      } catch (IOException e) {
        landing.drop();
        throw Reasons.destination(offered.path(), e);
      }
    }
    return publish(landing, ending, level);
  }

  /// Publishes at once.
  static Level publish(Landing landing, Ending ending, Level level) throws Failure {
    ToldOutcome outcome = new ToldOutcome();
    landing.publish(ending, level, Durability.none().new PublicationQueue(), outcome);
    return outcome.reached();
  }

  /// Shows what a file that was considered is.
  ///
  /// @return null if what is there is something else, and may be replaced
  Level show(Offered offered, byte[] content, Level level) throws Failure {
    ToldOutcome outcome = new ToldOutcome();
    Show shown = new Show(offered.fileId(), Offers.crc32c(content), Digest.NONE);
    return landing(offered).isThere(shown, level, outcome) ? outcome.reached() : null;
  }

  private static final class ToldOutcome implements Landing.PublishOutcome {

    private Level reached;
    private Failure failure;

    @Override
    public void arrived(Level proved) {
      reached = proved;
    }

    @Override
    public void failed(Failure why) {
      failure = why;
    }

    Level reached() throws Failure {
      if (failure != null) {
        throw failure;
      }
      return reached;
    }
  }

  void complete(Offered directory) throws Failure {
    place.complete(directory);
  }

  /// The entry is over, whatever was answered.
  void forget(Offered offered) {
    IncomingEntry entry = entries.remove(offered.fileId());
    if (entry != null && entry.landing() != null) {
      entry.landing().close();
    }
  }

  @Override
  public void close() {
    for (IncomingEntry entry : List.copyOf(entries.values())) {
      forget(entry.offered());
    }
    place.close();
  }
}
