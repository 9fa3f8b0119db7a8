package dev.zcp.exchange;

import dev.zcp.delta.Chunking;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Offered;
import dev.zcp.wire.ProtocolException;
import java.util.ArrayList;
import java.util.List;

/// What a receiver knows of an entry that was offered.
final class ReceivedEntry {

  /// How far an entry has got. [#after] is the table of all moves, which a test walks.
  ///
  /// ```
  ///    ASKED <------>|
  ///      v           v
  /// OFFERED <--> CONSIDERED --> WANTED --> IN_BLOCKS --> ENDING --> OVER
  ///                    |          ^ +---------------------->|         ^
  ///                    |          +-----+                             |
  ///                    +----> PRESENT <--> COMPARED ------------------+
  /// ```
  enum EntryStage {
    /// Nobody looks for the answer: the connection of whoever did is lost. From the start, or
    /// CONSIDERED, or ASKED.
    OFFERED,
    /// Somebody looks for the answer. From OFFERED or ASKED.
    CONSIDERED,
    /// Another version of it is there, and the sender is to tell of its chunks. From CONSIDERED.
    ASKED,
    /// Its bytes may come; of a directory, what is in it. From CONSIDERED.
    WANTED,
    /// A whole file of its name is there, and the sender is to show what it should be. From
    /// CONSIDERED or COMPARED.
    PRESENT,
    /// It comes in blocks, if it has bytes at all. From WANTED or ENDING.
    IN_BLOCKS,
    /// It is being published; a directory waits for what is in it. From WANTED or IN_BLOCKS.
    ENDING,
    /// What is there is compared with what was shown. From PRESENT.
    COMPARED,
    /// From anywhere. To nowhere.
    OVER;

    /// The stage after `event`.
    ///
    /// @throws IllegalStateException if that cannot happen now
    EntryStage after(EntryEvent event) {
      EntryStage next =
          switch (event) {
            case CONSIDER -> this == OFFERED || this == ASKED ? CONSIDERED : null;
            case WANT -> this == CONSIDERED ? WANTED : null;
            case FIND -> this == CONSIDERED ? PRESENT : null;
            case ASK -> this == CONSIDERED ? ASKED : null;
            case BLOCK -> this == WANTED || this == IN_BLOCKS ? IN_BLOCKS : null;
            case SHOW -> this == PRESENT ? COMPARED : null;
            case DIFFER -> this == COMPARED ? WANTED : null;
            case END -> this == WANTED || this == IN_BLOCKS ? ENDING : null;
            case LOSE -> afterLoss();
            case FINISH -> this == CONSIDERED || isPublishing() ? OVER : null;
            case FAIL -> this == OVER ? null : OVER;
          };
      if (next == null) {
        throw new IllegalStateException(event + " of an entry that is " + this);
      }
      return next;
    }

    private EntryStage afterLoss() {
      return switch (this) {
        case CONSIDERED, ASKED -> OFFERED;
        case ENDING -> IN_BLOCKS;
        case COMPARED -> PRESENT;
        case OFFERED, WANTED, PRESENT, IN_BLOCKS, OVER -> null;
      };
    }

    boolean isAnswered() {
      return this != OFFERED && this != CONSIDERED && this != ASKED;
    }

    /// Whether it is being published, and no more can come of it.
    boolean isPublishing() {
      return this == ENDING || this == COMPARED;
    }
  }

  /// What happens to an entry.
  enum EntryEvent {
    /// Somebody begins to look for the answer.
    CONSIDER,
    /// The answer is ALL or REST.
    WANT,
    /// The answer is WHOLE.
    FIND,
    /// The answer is BASE, and another one follows.
    ASK,
    /// A block or a hole comes that is wanted.
    BLOCK,
    /// The sender shows what it should be.
    SHOW,
    /// What is there is not that, and may be replaced.
    DIFFER,
    /// The sender ends it.
    END,
    /// The connection that [works][ReceivedEntry#worker] for it is lost.
    LOSE,
    /// It is made or published.
    FINISH,
    /// It is not taken, failed, or was given up.
    FAIL
  }

  final Offered offered;
  private EntryStage stage = EntryStage.OFFERED;

  /// The connection that looks for the answer, or publishes it; null if none does.
  private ReceivingConnection worker;

  /// What the sender is told, once that is known.
  Answer answer;

  /// The directory that it is in; null at the top, unless that is under way.
  ReceivedEntries.Directory above;

  /// The connections to answer on: mostly one.
  private final List<ReceivingConnection> askers = new ArrayList<>(1);

  /// Whether it counts for [dev.zcp.wire.Accept#filesMax].
  boolean isCounted;

  /// Whether something else was there than was shown.
  boolean hasDiffered;

  final Coverage coverage = new Coverage();
  int piecesCounted;

  /// How many spans the sender was told are here from before.
  int claimed;

  /// Of the chunks that the sender has told of: where the last ends, and how many there are.
  private long chunksEnd;

  private long chunkCount;
  private int chunkRuns;
  private Bytes chunkSeed;

  /// Blocks and holes that are being written.
  int inHand;

  /// Where bytes must come in order: the first that was not announced yet.
  long nextOffset;

  long size;
  int crc32c;

  ReceivedEntry(Offered offered) {
    this.offered = offered;
  }

  long id() {
    return offered.fileId();
  }

  boolean isFile() {
    return offered.kind() == EntryKind.FILE;
  }

  boolean isDirectory() {
    return offered.kind().isDirectory();
  }

  EntryStage stage() {
    return stage;
  }

  void go(EntryEvent event) {
    go(event, null);
  }

  /// @param worker the connection that does what there is to do now; null if nothing is
  void go(EntryEvent event, ReceivingConnection worker) {
    stage = stage.after(event);
    this.worker = worker;
  }

  ReceivingConnection worker() {
    return worker;
  }

  /// Whoever asks is answered on this connection, too.
  void askedOn(ReceivingConnection asker) {
    if (!askers.contains(asker)) {
      askers.add(asker);
    }
  }

  /// Says the answer wherever it is due.
  ///
  /// @return whether it was due anywhere
  boolean tellAskers(Answer said) {
    boolean isAny = !askers.isEmpty();
    for (ReceivingConnection asker : askers) {
      asker.say(said);
    }
    askers.clear();
    return isAny;
  }

  /// Whether `again` is this entry, repeated.
  boolean isSame(Offered again) {
    return again.kind() == offered.kind()
        && again.size() == offered.size()
        && again.path().equals(offered.path());
  }

  /// The sender is to tell of its chunks, from the first on.
  void ask() {
    chunksEnd = 0;
    chunkCount = 0;
    chunkRuns = 0;
    chunkSeed = null;
    go(EntryEvent.ASK, worker);
  }

  /// @throws ProtocolException if these chunks cannot be the next
  void tellChunks(ReceivingConnection from, Chunks chunks) throws ProtocolException {
    boolean isFirst = chunkSeed == null;
    boolean fits =
        stage == EntryStage.ASKED
            && worker == from
            && chunks.offset() >= chunksEnd
            && chunks.end() <= offered.size()
            && (isFirst || chunkSeed.equals(chunks.seed()));
    chunkRuns += isFirst || chunks.offset() > chunksEnd ? 1 : 0;
    chunkCount += chunks.count();
    if (!fits || chunkCount > Chunking.of(offered.size()).countMax(offered.size(), chunkRuns)) {
      throw new ProtocolException("chunks of " + id() + " that do not belong there");
    }
    chunksEnd = chunks.end();
    chunkSeed = chunks.seed();
  }

  boolean wantsBytes() {
    return isFile() && stage.isAnswered() && stage != EntryStage.PRESENT;
  }
}
