package dev.zcp.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.exchange.SimulatedTree.Node;
import dev.zcp.testing.TestFrames;
import dev.zcp.testing.TestVerdicts;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Beat;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Done;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryEnds;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Frame;
import dev.zcp.wire.Held;
import dev.zcp.wire.KeepExisting;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Lost;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Part;
import dev.zcp.wire.PartBuilder;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Rejection.Again;
import dev.zcp.wire.Rejection.Kept;
import dev.zcp.wire.Rejection.Refused;
import dev.zcp.wire.Rejection.Wanted;
import dev.zcp.wire.Reply;
import dev.zcp.wire.Show;
import dev.zcp.wire.Status;
import dev.zcp.wire.Trailer;
import dev.zcp.wire.Verdicts;
import dev.zcp.wire.Wants;
import dev.zcp.wire.Wants.Want;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A peer that says anything at all breaks the protocol, or nothing: it never breaks this end.
class StrangeFramesTest {

  private static final int PEERS = 3000;
  private static final int FRAMES_MAX = 60;

  /// Half of all peers go at least so far before they break the protocol, if they do.
  private static final int FRAMES_TYPICAL = 10;

  /// One frame in so many is any at all; the others are due.
  private static final int STRANGE = 30;

  private static final int BYTES = 20;
  private static final int BLOCK_BYTES = 5;

  private final long seed = Long.getLong("zcp.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void aReceiverGetsOverAnySender() {
    int typical = 0;
    for (int peer = 0; peer < PEERS; peer++) {
      ReceivingEnd end = new ReceivingEnd();
      DueOfSender due = new DueOfSender();
      end.up(0);
      end.up(1);
      int frames = 0;
      try {
        end.onFrame(0, TestFrames.manifest(-1, -1, -1, Level.WIRE, 0));
        end.accept(TestFrames.accept(Level.WIRE, 0, random.nextInt(5) == 0, 4, 100, FRAMES_MAX));
        for (; frames < FRAMES_MAX; frames++) {
          int connection = random.nextInt(2);
          Frame frame = random.nextInt(STRANGE) == 0 ? fromSender() : due.next(connection);
          for (ReceiverAction action : end.onFrame(connection, frame)) {
            due.hear(connection, action);
            perform(end, connection, action);
          }
          end.due().forEach(action -> perform(end, connection, action));
          for (int each = 0; each < 2; each++) {
            due.hearAll(end, each);
          }
        }
      } catch (ProtocolException e) {
        // That is what the session ends with.
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
      typical += frames >= FRAMES_TYPICAL ? 1 : 0;
    }
    assertThat(typical).as("seed " + seed).isGreaterThan(PEERS / 2);
  }

  @Test
  void aSenderGetsOverAnyReceiver() {
    int typical = 0;
    for (int peer = 0; peer < PEERS; peer++) {
      SendingEnd end =
          new SendingEnd()
              .begin(
                  new Manifest(
                      -1,
                      -1,
                      -1,
                      Level.WIRE,
                      Digest.Algorithm.CRC32C,
                      KeepExisting.NONE,
                      false,
                      true,
                      0));
      DueOfReceiver due = new DueOfReceiver();
      end.up(0, false);
      for (int i = 0; i < 4; i++) {
        Node node = new Node(EntryKind.FILE, "f" + i, null, false, null);
        node.set(Cells.random(random, 1, random.nextBoolean() ? BYTES : random.nextInt(30)));
        end.offer(new TestEntry(node.offered(i, 0)), List.of());
      }
      for (int i = 0; i < 3; i++) {
        end.queue(new OwnPart());
      }
      end.allOffered();
      int frames = 0;
      try {
        for (; frames < FRAMES_MAX; frames++) {
          speak(end, due);
          Frame frame = random.nextInt(STRANGE) == 0 ? fromReceiver() : due.next();
          for (SenderEvent events : end.onFrame(0, frame)) {
            understand(end, events);
          }
        }
      } catch (ProtocolException e) {
        // That is what the session ends with.
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
      typical += frames >= FRAMES_TYPICAL ? 1 : 0;
    }
    assertThat(typical).as("seed " + seed).isGreaterThan(PEERS / 2);
  }

  /// What a sender may say next: it knows what it has offered, and what it was answered.
  private final class DueOfSender {

    private final Map<Long, Answer> answers = new TreeMap<>();
    private final Set<Long> begun = new HashSet<>();

    /// By the number of the connection.
    private final Data[] blocks = new Data[2];

    private long offered;

    void hear(int connection, ReceiverAction action) {
      switch (action) {
        case ReceiverAction.TakeBlock block -> blocks[connection] = block.head();
        case ReceiverAction.Abandon abandon -> blocks[abandon.connection()] = null;
        default -> {}
      }
    }

    void hearAll(ReceivingEnd end, int connection) {
      for (Frame frame : end.next(connection)) {
        if (frame instanceof Reply reply) {
          // The end of a file that is over is answered once more.
          reply.answers().forEach(this::hear);
        }
      }
    }

    private void hear(Answer answer) {
      Answer before = answers.putIfAbsent(answer.fileId(), answer);
      if (before != null && before.kind() == Answer.AnswerKind.BASE) {
        answers.put(answer.fileId(), answer);
      }
    }

    Frame next(int connection) {
      Data block = blocks[connection];
      if (block != null) {
        blocks[connection] = null;
        return Trailer.ok(block.fileId(), block.block(), Digest.crc32c(0));
      }
      // Two connections must not bring the same bytes at a time.
      List<Long> ids = new ArrayList<>(answers.keySet());
      ids.removeIf(id -> id % 2 != connection);
      if (ids.isEmpty() || random.nextInt(5) == 0) {
        Node node = new Node(EntryKind.FILE, "f" + offered, null, false, null);
        node.set(Cells.ofZeros(1, BYTES));
        return new Offer(List.of(node.offered(offered++, 0)));
      }
      long id = ids.get(random.nextInt(ids.size()));
      return switch (answers.get(id).kind()) {
        case ALL, REST -> bytes(id);
        case WHOLE -> new Show(id, 0, Digest.NONE);
        case BASE -> chunks(id, random.nextBoolean());
        case MADE, DECLINED, FAILED, KEPT, NEW, CREATE, REPLACE, CORRECT ->
            TestFrames.manifest(-1, -1, -1, Level.WIRE, 0);
      };
    }

    private Frame bytes(long id) {
      begun.add(id);
      long offset = (long) random.nextInt(BYTES / BLOCK_BYTES) * BLOCK_BYTES;
      Span span = new Span(offset, BLOCK_BYTES);
      return switch (random.nextInt(8)) {
        case 0 -> end(id, random.nextInt(3) == 0 ? Status.CHANGED : Status.OK);
        case 1, 2 -> Data.hole(id, span);
        case 3 -> Data.zstd(id, span);
        default -> new Data(id, span);
      };
    }

    private static EntryEnds end(long id, Status status) {
      return new EntryEnds(List.of(new Ending(id, status, status == Status.OK ? BYTES : 0, 0)));
    }
  }

  /// What a receiver may say next: it knows what it was told.
  private final class DueOfReceiver {

    private final Map<Long, Long> asked = new TreeMap<>();
    private final List<SpanOf> blocks = new ArrayList<>();
    private final List<Long> looks = new ArrayList<>();
    private boolean hasAccepted;
    private int units;
    private int acknowledged;

    private record SpanOf(long fileId, Span span) {}

    void hear(Frame frame) {
      if (frame instanceof Offer offer) {
        offer.entries().forEach(each -> asked.put(each.fileId(), each.size()));
      } else if (frame instanceof Data || frame instanceof EntryEnds || frame instanceof Show) {
        unit(null);
      } else if (frame instanceof Chunks chunks && chunks.isLast()) {
        asked.put(chunks.fileId(), 0L);
      } else if (frame instanceof Trailer trailer) {
        unit(new SpanOf(trailer.fileId(), trailer.block()));
      }
    }

    void hearLook(long number) {
      looks.add(number);
    }

    void hearPart() {
      unit(null);
    }

    private void unit(SpanOf block) {
      units++;
      blocks.add(block);
    }

    Frame next() {
      if (!hasAccepted) {
        hasAccepted = true;
        return TestFrames.accept(Level.WIRE, 0, random.nextInt(5) == 0, 4, 100, 2);
      }
      if (!looks.isEmpty() && random.nextBoolean()) {
        // Nobody asked it to keep anything.
        return Wants.of(looks.removeFirst(), wants(Want.NOTHING.ordinal()));
      }
      if (!asked.isEmpty() && random.nextBoolean()) {
        long id = asked.keySet().iterator().next();
        return new Reply(List.of(answer(id, asked.remove(id))));
      }
      if (acknowledged == units || random.nextInt(4) == 0) {
        return new Beat(0);
      }
      SpanOf block = blocks.get(acknowledged);
      if (block != null && random.nextInt(4) == 0) {
        blocks.set(acknowledged, null);
        return TestVerdicts.rejected(new Again(block.fileId(), block.span()));
      }
      acknowledged++;
      return TestVerdicts.done(1);
    }

    private Answer answer(long id, long size) {
      Answer any = StrangeFramesTest.this.answer(id);
      boolean fits =
          switch (any.kind()) {
            case REST -> size >= BLOCK_BYTES;
            case WHOLE, ALL, MADE, DECLINED, FAILED, KEPT, NEW -> true;
            case BASE -> size > 0;
            case CREATE, REPLACE, CORRECT -> false;
          };
      return fits ? any : Answer.of(id, Answer.AnswerKind.ALL);
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
        boolean isFile = random.nextInt(4) > 0;
        EntryKind kind = isFile ? EntryKind.FILE : EntryKind.DIRECTORY;
        String path = (random.nextInt(4) == 0 ? "f" + id() + "/" : "") + "f" + id();
        Node node = new Node(kind, path, null, isFile && random.nextInt(9) == 0, null);
        node.set(Cells.ofZeros(1, 20));
        yield new Offer(List.of(node.offered(id(), 0)));
      }
      case 2 ->
          switch (random.nextInt(6)) {
            case 0 -> new Show(id(), 0, Digest.NONE);
            case 1 -> chunks(id(), random.nextBoolean());
            default -> new Data(id(), span());
          };
      case 3, 4 -> Trailer.ok(id(), span(), Digest.crc32c(0));
      case 5 -> Data.hole(id(), span());
      case 6 -> part();
      case 7 -> {
        Status status = Status.values()[random.nextInt(Status.values().length)];
        yield new EntryEnds(List.of(new Ending(id(), status, status == Status.OK ? 20 : 0, 0)));
      }
      case 8 -> random.nextInt(9) == 0 ? done() : TestFrames.manifest(-1, -1, -1, Level.WIRE, 0);
      default ->
          switch (random.nextInt(20)) {
            case 0 -> TestVerdicts.done(1);
            case 1 -> new Lost(List.of(random.nextInt(3)));
            default -> Data.hole(id(), span());
          };
    };
  }

  private Chunks chunks(long fileId, boolean isLast) {
    ByteBuffer record = ByteBuffer.allocate(Chunks.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    Chunks.putRecord(record, 5, 0);
    Bytes seed = Bytes.of(new byte[Chunks.SEED_BYTES]);
    return new Chunks(fileId, 5 * random.nextInt(3), seed, Bytes.of(record.array()), isLast);
  }

  private Part part() {
    PartBuilder builder = new PartBuilder();
    builder.clear();
    builder.owner(0644, 0, 0);
    for (int i = random.nextInt(3); i >= 0; i--) {
      long directoryId = random.nextBoolean() ? id() : Part.OWN_DIRECTORY;
      byte[] name = {'f'};
      switch (random.nextInt(4)) {
        case 0 -> builder.addBare(directoryId, name, random.nextInt(9), 0, List.of());
        case 1 -> builder.addShown(directoryId, name, random.nextInt(9), 0, null, List.of());
        default -> builder.add(directoryId, name, random.nextInt(9), 0, List.of());
      }
    }
    return random.nextInt(3) == 0
        ? look()
        : builder.build(id(), random.nextBoolean(), false, Digest.NONE);
  }

  private Part look() {
    PartBuilder builder = new PartBuilder();
    builder.clear();
    builder.addToLook(random.nextBoolean() ? id() : Part.OWN_DIRECTORY, new byte[] {'f'}, 5);
    return builder.buildLook(id());
  }

  /// What is wanted of two files: of these many kinds.
  private Want[] wants(int kinds) {
    Want[] all = Want.values();
    return new Want[] {all[random.nextInt(kinds)], all[random.nextInt(kinds)]};
  }

  /// Two small files in the receiver's own directory.
  private static final class OwnPart extends SentPart {

    @Override
    protected long[] directoryIds() {
      return new long[] {Part.OWN_DIRECTORY};
    }

    @Override
    protected boolean mayBeKept(int index) {
      return true;
    }

    @Override
    protected long bytes() {
      return 10;
    }
  }

  private Done done() {
    Bytes digest = Bytes.of(new byte[Limits.TREE_DIGEST_BYTES]);
    ExitCode exitCode = ExitCode.values()[random.nextInt(ExitCode.values().length)];
    Level level = Level.values()[random.nextInt(Level.values().length)];
    boolean isEarly = random.nextBoolean();
    return new Done(exitCode, random.nextInt(2), 0, level, digest, "", isEarly);
  }

  private void perform(ReceivingEnd end, int connection, ReceiverAction action) {
    switch (action) {
      case ReceiverAction.Consider consider ->
          consider
              .entries()
              .forEach(
                  each ->
                      end.answer(
                          each.kind() == EntryKind.FILE
                              ? answer(each.fileId())
                              : Answer.of(each.fileId(), Answer.AnswerKind.ALL)));
      case ReceiverAction.CheckBlock check -> {
        if (check.wanted()) {
          end.blockDone(connection, check.unit(), random.nextBoolean(), 0);
        }
        end.unitDone(connection, check.unit());
      }
      case ReceiverAction.Look look -> {
        if (random.nextInt(4) > 0) {
          end.wants(connection, Wants.of(look.look().firstId(), new Want[] {Want.BYTES}));
        }
      }
      case ReceiverAction.TakePart part -> {
        PartResult result = new PartResult();
        for (int i = 0; i < part.part().count(); i++) {
          long fileId = part.part().firstId() + i;
          switch (random.nextInt(4)) {
            case 0 -> result.published(random.nextLong(), 5, Level.WIRE);
            case 1 -> result.failed(fileId, ExitCode.DESTINATION, "");
            case 2 -> result.wanted(fileId);
            default -> result.kept(fileId);
          }
        }
        if (random.nextInt(4) > 0) {
          end.partDone(connection, part.unit(), result);
        }
      }
      case ReceiverAction.TakeChunks(Chunks chunks) -> {
        if (chunks.isLast()) {
          end.answer(
              random.nextBoolean()
                  ? Answer.rest(chunks.fileId(), List.of(new Held(new Span(0, 5), 0)))
                  : Answer.of(chunks.fileId(), Answer.AnswerKind.ALL));
        }
      }
      case ReceiverAction.MakeHole hole -> {
        end.blockDone(connection, hole.unit(), true, 0);
        end.unitDone(connection, hole.unit());
      }
      case ReceiverAction.Compare compare -> {
        if (random.nextBoolean()) {
          end.differs(compare.shown().fileId());
        } else {
          end.published(compare.shown().fileId(), Level.WIRE);
        }
        end.unitDone(connection, compare.unit());
      }
      case ReceiverAction.Publish publish -> {
        publish.endings().forEach(each -> end.published(each.fileId(), Level.WIRE));
        end.unitDone(connection, publish.unit());
      }
      case ReceiverAction.Abandon abandon -> {
        end.down(abandon.connection());
        end.up(abandon.connection());
      }
      case ReceiverAction.Over over -> end.sayGoodbye(ExitCode.OK, Done.Tally.NONE, "", List.of());
      case ReceiverAction.GaveUp gaveUp ->
          end.sayGoodbye(ExitCode.NETWORK, Done.Tally.NONE, "", List.of());
      case ReceiverAction.Complete complete -> end.completed(complete.fileId());
      case ReceiverAction.Admit admit -> {}
      case ReceiverAction.TakeBlock block -> {}
      case ReceiverAction.Drop drop -> {}
    }
  }

  private Answer answer(long fileId) {
    return switch (random.nextInt(9)) {
      case 8 -> Answer.of(fileId, Answer.AnswerKind.BASE);
      case 0 -> Answer.rest(fileId, List.of(new Held(new Span(0, 5), 0)));
      case 1 -> Answer.of(fileId, Answer.AnswerKind.WHOLE);
      case 2 -> Answer.declined(fileId, "");
      case 3 -> Answer.failed(fileId, ExitCode.EXISTS, "");
      case 4 -> Answer.of(fileId, Answer.AnswerKind.REPLACE);
      default -> Answer.of(fileId, Answer.AnswerKind.ALL);
    };
  }

  private void speak(SendingEnd end, DueOfReceiver due) {
    SenderAction turn = end.next(0, 10);
    if (turn instanceof SenderAction.Say(Frame frame)) {
      due.hear(frame);
    } else if (turn instanceof SenderAction.Look(SentPart part)) {
      due.hearLook(end.looking(0, part, 2));
    } else if (turn instanceof SenderAction.SendPart(SentPart part)) {
      end.saying(0, part, 10, new long[2], new int[] {5, 5});
      due.hearPart();
    } else if (turn instanceof SenderAction.SendBlock block) {
      Trailer said = Trailer.ok(block.entry().fileId(), block.span(), Digest.crc32c(0));
      end.saying(0, said, 0);
      due.hear(said);
    }
  }

  private void understand(SendingEnd end, SenderEvent events) {
    if (events instanceof SenderEvent.Claimed claimed) {
      Span first = claimed.held().getFirst().span();
      end.claimed(claimed.entry(), List.of(first)).forEach(each -> understand(end, each));
    } else if (events instanceof SenderEvent.Whole(SentEntry entry)) {
      end.shown(entry, new Show(entry.fileId(), 0, Digest.NONE));
    } else if (events instanceof SenderEvent.Based(SentEntry entry, int connection)) {
      end.chunks(connection, entry, chunks(entry.fileId(), true));
    } else if (events instanceof SenderEvent.AllArrived(SentEntry entry)) {
      end.end(entry, Status.OK);
    }
  }

  private Frame fromReceiver() {
    return switch (random.nextInt(10)) {
      case 9 -> Wants.of(id(), wants(Want.values().length));
      case 0, 1 -> TestFrames.accept(Level.WIRE, 0, random.nextInt(5) == 0, 4, 100, 2);
      case 2, 3, 4 -> new Reply(List.of(answer(id())));
      case 5 -> TestVerdicts.done(1 + random.nextInt(3));
      case 6 ->
          new Verdicts(
              random.nextInt(2),
              List.of(
                  switch (random.nextInt(6)) {
                    case 0, 1 -> new Refused(id(), ExitCode.DESTINATION, "");
                    case 2 -> new Kept(id());
                    case 3 -> new Wanted(id());
                    default -> new Again(id(), span());
                  }));
      case 7 -> random.nextInt(9) == 0 ? done() : new Beat(0);
      default -> random.nextInt(20) == 0 ? Data.hole(id(), span()) : new Beat(0);
    };
  }
}
