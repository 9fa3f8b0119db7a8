package dev.zcp.session.send;

import dev.zcp.core.Crc32c;
import dev.zcp.core.Daemon;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.insight.Stage;
import dev.zcp.session.Checksum;
import dev.zcp.session.ResumeVerify;
import dev.zcp.spi.Source;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Held;
import dev.zcp.wire.Show;
import dev.zcp.wire.Status;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Compares what a receiver holds from before with the sources, and finds what it is to be compared
/// with, on a thread of its own, since whoever hears the receiver must not wait for a disk. There
/// is one such thread at a time, and none while there is nothing to compare.
///
/// There are at most as many claims as entries under way, so the queue has that limit.
final class HeldComparison {

  private static final String PROOF = "CRC32C of what was there before, read here again";

  private static final int PIECE_BYTES = 256 << 10;

  private final SendingSession session;
  private final ResumeVerify policy;
  private final FileCutting cutting;

  // Used by the worker alone.
  private final Crc32c crc = new Crc32c();

  /// Null until there is a claim.
  private ByteBuffer piece;

  // All below is guarded by this.
  private final ArrayDeque<Runnable> urgent = new ArrayDeque<>();
  private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
  private boolean working;

  HeldComparison(SendingSession session, ResumeVerify policy) {
    this.session = session;
    this.policy = policy;
    this.cutting = new FileCutting(session);
  }

  /// Answers by [SendingSession#claimed], or gives the file up.
  void check(Outgoing outgoing, List<Held> held) {
    run(() -> compare(outgoing, held), true);
  }

  /// Answers by [SendingSession#shown], or gives the file up.
  void show(Outgoing outgoing) {
    run(() -> showNow(outgoing), true);
  }

  /// Has the receiver told of the chunks of a file, or that it is told of none.
  void cut(Outgoing outgoing, int connection) {
    outgoing.cut(new ChunkSums());
    // What is claimed can be sent after that, and what is cut not yet.
    run(() -> cutting.tell(outgoing, connection), false);
  }

  /// Any thread that hears the receiver may call it.
  private synchronized void run(Runnable task, boolean isUrgent) {
    if (isUrgent) {
      urgent.add(task);
    } else {
      queue.add(task);
    }
    if (!working) {
      working = true;
      Daemon.start(this::work, "zcp-claims");
    }
  }

  private void work() {
    try {
      for (Runnable task = next(); task != null; task = next()) {
        if (session.isRunning()) {
          task.run();
        }
      }
    } catch (RuntimeException | Error e) {
      // Nothing is compared any more, since the worker counts as there.
      session.fail(Reasons.defect("the comparison with what is there", e));
    }
  }

  /// @return null if there is none, and the worker ends
  private synchronized Runnable next() {
    Runnable task = urgent.isEmpty() ? queue.poll() : urgent.poll();
    working = task != null;
    return task;
  }

  private void compare(Outgoing outgoing, List<Held> held) {
    try {
      List<Span> own = ownOf(outgoing, held);
      // Of a session that is over not all was compared, which says nothing of the rest.
      if (session.isRunning()) {
        session.claimed(outgoing, own);
      }
    } catch (IOException e) {
      session.giveUp(outgoing, Reasons.source(outgoing.label(), e));
    } catch (Failure failure) {
      session.giveUp(outgoing, failure);
    }
  }

  /// Those of the spans whose bytes are the source's, too.
  private List<Span> ownOf(Outgoing outgoing, List<Held> held) throws IOException, Failure {
    List<Span> own = new ArrayList<>();
    ChunkSums sums = outgoing.sums();
    long bytesBelieved = 0;
    try (Source source = outgoing.open()) {
      for (int i = 0; i < held.size() && session.isRunning(); i++) {
        Span span = held.get(i).span();
        if (sums == null && !isLookedAt(i, held.size())) {
          bytesBelieved += span.length();
          own.add(span);
        } else if (crc32c(span, sums, source, outgoing) == held.get(i).crc32c()) {
          own.add(span);
        } else if (policy == ResumeVerify.SAMPLE && sums == null) {
          // One that is wrong makes the others doubtful.
          return List.of();
        }
      }
    } catch (EOFException e) {
      // The source is shorter than it was: what was compared holds.
    }
    outgoing.believe(bytesBelieved);
    if (bytesBelieved > 0) {
      session.end().believed(outgoing);
    }
    return own;
  }

  private boolean isLookedAt(int index, int count) {
    return switch (policy) {
      case ALL -> true;
      case SAMPLE -> index % ResumeVerify.SAMPLE_OF == 0 || index == count - 1;
      case NONE -> false;
    };
  }

  private void change(Outgoing outgoing, Failure cause) {
    outgoing.change(cause);
    session.end(outgoing, Status.CHANGED);
  }

  /// @param sums of what was read when the file was cut; null if it was not
  private int crc32c(Span span, ChunkSums sums, Source source, Outgoing outgoing)
      throws IOException {
    session.agreement().proved(PROOF);
    if (sums != null && sums.has(span)) {
      return sums.crc32c(span);
    }
    crc.reset();
    read(source, span, outgoing, crc::update);
    return crc.value();
  }

  private void read(Source source, Span span, Outgoing outgoing, Consumer<ByteBuffer> to)
      throws IOException {
    if (piece == null) {
      piece = ByteBuffer.allocateDirect(PIECE_BYTES);
    }
    long at = span.offset();
    while (at < span.end() && session.isRunning()) {
      long startedNs = System.nanoTime();
      piece.clear().limit((int) Math.min(PIECE_BYTES, span.end() - at));
      int count = source.read(piece, at);
      if (count < 1) {
        throw new EOFException("the file ended at " + at);
      }
      to.accept(piece.flip());
      at += count;
      outgoing.log().sample(Stage.DIGEST, System.nanoTime() - startedNs);
    }
  }

  private void showNow(Outgoing outgoing) {
    try (Source source = outgoing.open()) {
      Digest.Algorithm algorithm = session.agreement().digest();
      boolean isBySha256 = algorithm == Digest.Algorithm.SHA256;
      Checksum sum = new Checksum(isBySha256 ? algorithm : Digest.Algorithm.CRC32C);
      read(source, new Span(0, outgoing.size()), outgoing, sum::update);
      boolean isSame = outgoing.isUnchanged() || session.outcomes().accepts(outgoing.label());
      if (!isSame) {
        change(outgoing, outgoing.changed());
      } else if (session.isRunning()) {
        Checksum.Sum whole = sum.sum();
        session.agreement().provedThere();
        Digest shown = isBySha256 ? whole.compared() : Digest.NONE;
        session.shown(outgoing, new Show(outgoing.fileId(), whole.crc32c(), shown));
      }
    } catch (EOFException e) {
      change(outgoing, outgoing.changed());
    } catch (IOException e) {
      session.giveUp(outgoing, Reasons.source(outgoing.label(), e));
    } catch (Failure failure) {
      session.giveUp(outgoing, failure);
    }
  }
}
