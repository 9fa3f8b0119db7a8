package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Span;
import dev.zcp.exchange.SimulatedTree.Node;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Ack;
import dev.zcp.wire.Again;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Batch;
import dev.zcp.wire.Credit;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Done;
import dev.zcp.wire.End;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Frame;
import dev.zcp.wire.Held;
import dev.zcp.wire.Hole;
import dev.zcp.wire.Level;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Nack;
import dev.zcp.wire.Octets;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Piece;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Reply;
import dev.zcp.wire.Status;
import dev.zcp.wire.Trailer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A peer that says anything at all breaks the protocol, or nothing: it never breaks this end.
class StrangeFramesTest {

  private static final int PEERS = 3000;
  private static final int FRAMES_MAX = 60;

  private final long seed = Long.getLong("zcp.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void aReceiverGetsOverAnySender() {
    for (int peer = 0; peer < PEERS; peer++) {
      ReceivingEnd end = new ReceivingEnd();
      end.up(0);
      end.up(1);
      try {
        end.heard(0, new Manifest(-1, -1, Level.WIRE, 0));
        end.accept(new Accept(Level.WIRE, 0, random.nextInt(5) == 0, 4, 100, 2));
        for (int i = 0; i < FRAMES_MAX; i++) {
          int connection = random.nextInt(2);
          for (Task task : end.heard(connection, fromSender())) {
            perform(end, connection, task);
          }
          while (end.next(connection) != null) {
            // What it says does not matter here.
          }
        }
      } catch (ProtocolException e) {
        // That is what the session ends with.
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  @Test
  void aSenderGetsOverAnyReceiver() {
    for (int peer = 0; peer < PEERS; peer++) {
      SendingEnd end = new SendingEnd(new Manifest(-1, -1, Level.WIRE, 0), 15, 40);
      end.up(0);
      for (int i = 0; i < 4; i++) {
        Node node = new Node(EntryKind.FILE, "f" + i, null, false, null);
        node.set(Cells.random(random, 1, random.nextInt(30)));
        end.offer(node.offered(i, 0));
      }
      end.allOffered();
      try {
        for (int i = 0; i < FRAMES_MAX; i++) {
          speak(end);
          for (Heard heard : end.heard(0, fromReceiver())) {
            understand(end, heard);
          }
        }
      } catch (ProtocolException e) {
        // That is what the session ends with.
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private long id() {
    return random.nextInt(5);
  }

  private Span span() {
    return new Span(random.nextInt(4) * 5L, 5L * (1 + random.nextInt(4)));
  }

  private Frame fromSender() {
    return switch (random.nextInt(10)) {
      case 0, 1 -> {
        Node node = new Node(EntryKind.FILE, "f" + id(), null, random.nextInt(9) == 0, null);
        node.set(Cells.ofZeros(1, 20));
        yield new Offer(List.of(node.offered(id(), 0)));
      }
      case 2 -> new Data(id(), span());
      case 3, 4 -> Trailer.ok(id(), span(), Digest.crc32c(0));
      case 5 -> new Hole(id(), span());
      case 6 -> new Batch(List.of(new Piece(id(), 20, 0, Status.OK)));
      case 7 -> {
        Status status = Status.values()[random.nextInt(Status.values().length)];
        yield new End(List.of(new Ending(id(), status, 20, 0)));
      }
      case 8 -> random.nextInt(9) == 0 ? done() : new Manifest(-1, -1, Level.WIRE, 0);
      default -> random.nextInt(20) == 0 ? new Ack(1) : new Hole(id(), span());
    };
  }

  private Done done() {
    Octets digest = Octets.of(new byte[Limits.TREE_DIGEST_BYTES]);
    ExitCode exitCode = ExitCode.values()[random.nextInt(ExitCode.values().length)];
    return new Done(exitCode, random.nextInt(2), 0, digest, "");
  }

  private void perform(ReceivingEnd end, int connection, Task task) {
    switch (task) {
      case Task.Consider consider ->
          consider.entries().forEach(each -> end.answer(answer(each.fileId())));
      case Task.Reconsider again -> end.answer(answer(again.entry().fileId()));
      case Task.CheckBlock check -> {
        if (check.wanted()) {
          Trailer trailer = check.trailer();
          end.blockDone(trailer.fileId(), trailer.block(), random.nextBoolean(), 0);
        }
        end.unitDone(connection, check.unit());
      }
      case Task.TakeBatch batch -> {
        for (Piece piece : batch.batch().pieces()) {
          if (random.nextBoolean()) {
            end.damaged(piece.fileId());
          } else {
            end.failed(piece.fileId(), ExitCode.DESTINATION, "");
          }
        }
        end.unitDone(connection, batch.unit());
      }
      case Task.MakeHole hole -> {
        end.blockDone(hole.fileId(), hole.span(), true, 0);
        end.unitDone(connection, hole.unit());
      }
      case Task.Publish publish -> {
        publish.endings().forEach(each -> end.published(each.fileId()));
        end.unitDone(connection, publish.unit());
      }
      case Task.Abandon abandon -> {
        end.down(abandon.connection());
        end.up(abandon.connection());
      }
      case Task.Over over -> end.sayGoodbye(ExitCode.OK, "");
      case Task.GaveUp gaveUp -> end.sayGoodbye(ExitCode.NETWORK, "");
      case Task.Admit admit -> {}
      case Task.TakeBlock block -> {}
      case Task.Drop drop -> {}
    }
  }

  private Answer answer(long fileId) {
    return switch (random.nextInt(8)) {
      case 0 -> Answer.rest(fileId, List.of(new Held(new Span(0, 5), 0)));
      case 1 -> Answer.whole(fileId, List.of(new Held(new Span(0, 20), 0)));
      case 2 -> Answer.declined(fileId, "");
      case 3 -> Answer.failed(fileId, ExitCode.EXISTS, "");
      default -> Answer.of(fileId, Answer.Kind.ALL);
    };
  }

  private void speak(SendingEnd end) {
    Turn turn = end.next(0, 10);
    if (turn instanceof Turn.SendBatch batch) {
      end.saying(
          0,
          new Batch(
              batch.fileIds().stream().map(each -> new Piece(each, 0, 0, Status.OK)).toList()));
    } else if (turn instanceof Turn.SendBlock block) {
      end.saying(0, Trailer.ok(block.fileId(), block.span(), Digest.crc32c(0)));
    }
  }

  private void understand(SendingEnd end, Heard heard) {
    if (heard instanceof Heard.Claimed claimed) {
      end.claimed(claimed.fileId(), List.of(claimed.held().getFirst().span()));
    } else if (heard instanceof Heard.ClaimedWhole whole) {
      Status status = random.nextBoolean() ? Status.OK : Status.DIFFERS;
      end.end(new Ending(whole.fileId(), status, 0, 0));
    } else if (heard instanceof Heard.AllArrived all) {
      end.end(new Ending(all.fileId(), Status.OK, 0, 0));
    }
  }

  private Frame fromReceiver() {
    return switch (random.nextInt(9)) {
      case 0, 1 -> new Accept(Level.WIRE, 0, random.nextInt(5) == 0, 4, 100, 2);
      case 2, 3, 4 -> new Reply(List.of(answer(id())));
      case 5 -> new Ack(random.nextInt(4));
      case 6 -> random.nextInt(3) == 0 ? new Nack(id(), ExitCode.DESTINATION, "") : again();
      case 7 -> random.nextInt(9) == 0 ? done() : new Credit(1 + random.nextInt(100));
      default -> random.nextInt(20) == 0 ? new Hole(id(), span()) : new Ack(0);
    };
  }

  private Frame again() {
    return new Again(id(), span());
  }
}
