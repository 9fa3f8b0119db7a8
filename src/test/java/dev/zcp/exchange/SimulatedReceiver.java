package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.exchange.SimulatedDisk.Final;
import dev.zcp.exchange.SimulatedDisk.Partial;
import dev.zcp.testing.TestFrames;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Done;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Held;
import dev.zcp.wire.KeepExisting;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Trailer;
import dev.zcp.wire.Wants;
import dev.zcp.wire.Wants.Want;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/// Drives a [ReceivingEnd] as a receiver does: one thread for each connection, a pool that writes
/// parts, a disk.
final class SimulatedReceiver {

  /// A connection's thread: what it still has to do, and the raw bytes that it is taking.
  private static final class Thread {
    final SimulatedLink link;
    final Deque<ReceiverAction> actions = new ArrayDeque<>();
    final List<Runnable> pool = new ArrayList<>();
    final List<Runnable> laterAnswers = new ArrayList<>();

    /// The directories of parts that are being written.
    final List<EntryPath> inParts = new ArrayList<>();

    long rawTaken;
    Partial writing;

    Thread(SimulatedLink link) {
      this.link = link;
    }
  }

  final ReceivingEnd end = new ReceivingEnd();
  private final Random random;
  private final SimulatedFaults faults;
  private final SimulatedDisk disk;
  private final Accept terms;
  private final Map<Integer, Thread> threads = new TreeMap<>();
  private final Map<Long, Offered> offered = new HashMap<>();
  private final Map<Long, Partial> open = new HashMap<>();
  private final Set<String> refused = new HashSet<>();
  private final Deque<ReceiverAction> due = new ArrayDeque<>();

  /// The paths of those that came in parts.
  private final Map<Long, String> inPart = new HashMap<>();

  private final Map<Long, Integer> damaged = new HashMap<>();

  /// By their paths, the files that were offered last.
  private final Map<String, Long> taken = new HashMap<>();

  private final Simulation.TreeCounter counter;
  private Level level;
  private KeepExisting keepExisting;
  private boolean cuts;
  private final Map<Long, List<Chunks>> recipes = new HashMap<>();

  /// How far the files that are published are proved, all of them; null before the terms.
  Level leastReached;

  /// How often something could not be kept.
  int losses;

  /// How the session ended here, or null.
  ExitCode exitCode;

  SimulatedReceiver(
      Random random,
      SimulatedFaults faults,
      SimulatedDisk disk,
      Accept terms,
      Simulation.TreeCounter counter) {
    this.counter = counter;
    this.random = random;
    this.faults = faults;
    this.disk = disk;
    this.terms = terms;
  }

  void up(SimulatedLink link) {
    threads.put(link.number, new Thread(link));
    end.up(link.number);
  }

  /// Does one thing, or returns false where there is nothing to do.
  boolean step() throws ProtocolException {
    boolean didSomething = false;
    if (!threads.isEmpty()) {
      List<Thread> all = new ArrayList<>(threads.values());
      didSomething = step(all.get(random.nextInt(all.size())));
    }
    if (random.nextInt(3) == 0) {
      didSomething |= settleOne();
    }
    say();
    return didSomething;
  }

  /// Tries everything that there could be to do.
  boolean stepAny() throws ProtocolException {
    boolean didSomething = false;
    for (Thread thread : List.copyOf(threads.values())) {
      didSomething |= step(thread);
    }
    didSomething |= settleOne();
    say();
    return didSomething;
  }

  private boolean settleOne() {
    due.addAll(end.due());
    return !due.isEmpty() && perform(due.pollFirst());
  }

  private boolean perform(ReceiverAction action) {
    return switch (action) {
      case ReceiverAction.Complete complete -> complete(complete.fileId());
      case ReceiverAction.Over over -> goodbye(ExitCode.OK);
      case ReceiverAction.GaveUp gaveUp -> goodbye(gaveUp.exitCode());
      default -> throw new AssertionError("not of a connection: " + action);
    };
  }

  /// A directory's times are set last.
  private boolean complete(long fileId) {
    EntryPath path = offered.get(fileId).path();
    for (Thread each : threads.values()) {
      if (each.inParts.contains(path)) {
        throw new AssertionError(path + " complete before a part");
      }
    }
    for (Offered each : offered.values()) {
      if (path.equals(each.path().parent()) && !end.isOver(each.fileId())) {
        throw new AssertionError(path + " complete before " + each.path());
      }
    }
    if (faults.happensToHarm(faults.disk)) {
      end.failed(fileId, ExitCode.DESTINATION, "no such times");
    } else {
      end.completed(fileId);
    }
    return true;
  }

  private boolean runOne(List<Runnable> work) {
    work.remove(random.nextInt(work.size())).run();
    return true;
  }

  private void say() {
    for (Thread thread : threads.values()) {
      end.next(thread.link.number).forEach(thread.link::answer);
    }
  }

  private boolean step(Thread thread) throws ProtocolException {
    if (thread.link.sleeps()) {
      return true;
    }
    if (thread.link.isCut() && random.nextInt(40) == 0) {
      // It cannot say something, and stops at whatever it was.
      down(thread);
      return true;
    }
    if (!thread.laterAnswers.isEmpty() && random.nextInt(4) == 0) {
      return runOne(thread.laterAnswers);
    }
    if (!thread.pool.isEmpty() && random.nextBoolean()) {
      return runOne(thread.pool);
    }
    if (!thread.actions.isEmpty()) {
      return work(thread);
    }
    SimulatedLink.Item item = thread.link.toReceiver.pollFirst();
    if (item == null) {
      return endOfStream(thread);
    }
    thread.actions.addAll(end.onFrame(thread.link.number, item.frame()));
    return true;
  }

  private boolean endOfStream(Thread thread) {
    if (!thread.pool.isEmpty()) {
      return runOne(thread.pool);
    }
    if (!thread.laterAnswers.isEmpty()) {
      return runOne(thread.laterAnswers);
    }
    if (!thread.link.isCut()) {
      return false;
    }
    down(thread);
    return true;
  }

  private boolean abandon(Thread thread) throws ProtocolException {
    if (thread == null) {
      return true;
    }
    if (thread.link.isSenderUp) {
      throw new AssertionError("lost, it is said, and is not: " + thread.link.number);
    }
    counter.abandoned++;
    thread.link.sleep(0);
    boolean goesOn = true;
    while (goesOn && !thread.actions.isEmpty() && random.nextInt(4) > 0) {
      goesOn = work(thread);
    }
    if (threads.containsKey(thread.link.number)) {
      down(thread);
    }
    return true;
  }

  private void down(Thread thread) {
    // Only when nothing that it brought is worked at: see ReceivingEnd.down.
    while (!thread.pool.isEmpty() && random.nextInt(8) > 0) {
      runOne(thread.pool);
    }
    while (!thread.laterAnswers.isEmpty() && random.nextBoolean()) {
      runOne(thread.laterAnswers);
    }
    threads.remove(thread.link.number);
    thread.link.isReceiverUp = false;
    thread.link.cut(random);
    end.down(thread.link.number);
  }

  /// The receiver ends this session: all its connections go.
  void stop() {
    for (Thread thread : List.copyOf(threads.values())) {
      down(thread);
    }
  }

  /// The receiver is gone, at whatever it was.
  void kill() {
    for (Thread thread : threads.values()) {
      thread.link.isReceiverUp = false;
      thread.link.cut(random);
    }
    threads.clear();
  }

  boolean hasConnections() {
    return !threads.isEmpty();
  }

  private boolean work(Thread thread) throws ProtocolException {
    ReceiverAction action = thread.actions.peekFirst();
    boolean isDone =
        switch (action) {
          case ReceiverAction.Admit admit -> admit(admit.manifest());
          case ReceiverAction.Consider consider -> consider(thread, consider.entries());
          case ReceiverAction.Look look -> look(thread, look);
          case ReceiverAction.TakePart part -> takePart(thread, part);
          case ReceiverAction.TakeChunks(Chunks chunks) -> takeChunks(thread, chunks);
          case ReceiverAction.TakeBlock block -> takeBlock(thread, block);
          case ReceiverAction.CheckBlock check -> check(thread, check);
          case ReceiverAction.MakeHole hole -> makeHole(thread, hole);
          case ReceiverAction.Publish publish -> publish(thread, publish);
          case ReceiverAction.Compare compare -> compare(thread, compare);
          case ReceiverAction.Abandon abandon -> abandon(threads.get(abandon.connection()));
          case ReceiverAction.Drop drop -> drop(drop);
          case ReceiverAction.GaveUp gaveUp -> goodbye(gaveUp.exitCode());
          case ReceiverAction.Over over -> goodbye(ExitCode.OK);
          case ReceiverAction.Complete complete ->
              throw new AssertionError("of a connection: " + complete);
        };
    if (!isDone) {
      return endOfStream(thread);
    }
    if (thread.rawTaken == 0) {
      thread.actions.pollFirst();
    }
    return true;
  }

  private boolean admit(Manifest manifest) {
    if (faults.happensToHarm(faults.refusal)) {
      giveUp(ExitCode.DESTINATION, "no room");
      return true;
    }
    keepExisting = manifest.keepExisting();
    cuts = manifest.cuts();
    level = manifest.level().compareTo(terms.level()) > 0 ? manifest.level() : terms.level();
    leastReached = level;
    end.accept(
        TestFrames.accept(
            level,
            0,
            terms.inOrder(),
            terms.connectionsMax(),
            terms.windowBytes(),
            terms.filesMax()));
    return true;
  }

  void giveUp(ExitCode code, String text) {
    if (exitCode == null) {
      end.giveUp(code, text);
      exitCode = code;
    }
  }

  private boolean goodbye(ExitCode code) {
    int count = random.nextInt(3);
    end.sayGoodbye(code, new Done.Tally(count, false, false, 0, 0), "", List.of());
    if (exitCode == null) {
      losses = count;
      exitCode = code;
    }
    return true;
  }

  private boolean consider(Thread thread, List<Offered> entries) {
    for (Offered each : entries) {
      offered.put(each.fileId(), each);
      requireFree(each);
      if (each.kind() == EntryKind.DIRECTORY || random.nextInt(3) > 0) {
        end.answer(answer(each));
      } else {
        thread.laterAnswers.add(() -> end.answer(answer(each)));
      }
    }
    return true;
  }

  /// What is offered anew does not meet what it was before.
  private void requireFree(Offered entry) {
    Long before = taken.put(entry.path().toString(), entry.fileId());
    if (before != null && before != entry.fileId() && !end.isOver(before)) {
      throw new AssertionError("offered anew while it is under way: " + entry.path());
    }
  }

  private Answer answer(Offered entry) {
    String path = entry.path().toString();
    String parent = path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : null;
    if (parent != null && refused.contains(parent)) {
      refused.add(path);
      return Answer.failed(entry.fileId(), ExitCode.DESTINATION, "its directory was refused");
    }
    if (parent != null && !disk.directories.contains(parent)) {
      throw new AssertionError("offered before its directory: " + path);
    }
    if (faults.happensToHarm(faults.refusal)) {
      refused.add(path);
      return Answer.failed(entry.fileId(), ExitCode.DESTINATION, "refused");
    }
    return switch (entry.kind()) {
      case FILE -> answerFile(entry, path);
      case DIRECTORY, WAY -> {
        boolean isNew = disk.directories.add(path) && random.nextInt(8) > 0;
        yield Answer.of(entry.fileId(), isNew ? Answer.AnswerKind.NEW : Answer.AnswerKind.ALL);
      }
      case LINK -> {
        if (!faults.takesLinks) {
          yield Answer.declined(entry.fileId(), "no links");
        }
        disk.links.add(path);
        yield Answer.of(entry.fileId(), Answer.AnswerKind.MADE);
      }
      case SOCKET -> Answer.declined(entry.fileId(), "no sockets");
      case HARD_LINK -> {
        Offered offer = offered.get(entry.firstId());
        String firstPath = offer == null ? inPart.get(entry.firstId()) : offer.path().toString();
        Final first = disk.finals.get(firstPath);
        if (first == null) {
          throw new AssertionError("a link to what is not there: " + path);
        }
        disk.finals.put(path, first);
        yield Answer.of(entry.fileId(), Answer.AnswerKind.MADE);
      }
      case FIFO, CHARACTER_DEVICE, BLOCK_DEVICE -> throw new AssertionError(path);
    };
  }

  private Answer answerFile(Offered entry, String path) {
    Final there = disk.finals.get(path);
    boolean looksSame =
        there != null
            && entry.hasSize()
            && there.content().bytes() == entry.size()
            && there.modifiedSeconds() == entry.metadata().modified().seconds();
    if (looksSame && keepExisting != KeepExisting.NONE) {
      return Answer.of(entry.fileId(), Answer.AnswerKind.KEPT);
    }
    if (looksSame && !terms.inOrder()) {
      return Answer.of(entry.fileId(), Answer.AnswerKind.WHOLE);
    }
    if (there != null && entry.hasSize() && cuts && !terms.inOrder() && random.nextInt(4) > 0) {
      return Answer.of(entry.fileId(), Answer.AnswerKind.BASE);
    }
    return answerPartial(entry, path);
  }

  private Answer answerPartial(Offered entry, String path) {
    Partial partial = disk.partials.get(path);
    boolean fits =
        partial != null
            && partial.identity.equals(entry.identity())
            && partial.size == entry.size()
            && entry.hasSize();
    List<Held> held = fits && !terms.inOrder() ? partial.verified() : List.of();
    if (held.isEmpty()) {
      disk.partials.remove(path);
      return Answer.of(entry.fileId(), Answer.AnswerKind.ALL);
    }
    open.put(entry.fileId(), partial);
    return Answer.rest(entry.fileId(), held);
  }

  private boolean takeChunks(Thread thread, Chunks chunks) {
    List<Chunks> all = recipes.computeIfAbsent(chunks.fileId(), id -> new ArrayList<>());
    all.removeIf(each -> !each.seed().equals(chunks.seed()));
    all.add(chunks);
    if (chunks.isLast()) {
      List<Chunks> complete = recipes.remove(chunks.fileId());
      thread.laterAnswers.add(() -> end.answer(rebuilt(offered.get(chunks.fileId()), complete)));
    }
    return true;
  }

  /// Takes from what is there what has the digest of a chunk, at the same place.
  private Answer rebuilt(Offered entry, List<Chunks> recipe) {
    String path = entry.path().toString();
    if (faults.happensToHarm(faults.refusal)) {
      refused.add(path);
      return Answer.failed(entry.fileId(), ExitCode.DESTINATION, "no room");
    }
    Cells base = disk.finals.get(path).content();
    for (Chunks each : recipe) {
      long offset = each.offset();
      for (ByteBuffer records = each.each(); records.hasRemaining(); ) {
        Span span = new Span(offset, Chunks.takeLength(records));
        offset = span.end();
        long digest = records.getLong();
        boolean isThere = span.end() <= base.bytes() && span.end() % base.cellBytes == 0;
        if (isThere && base.at(span).crc32c() == digest) {
          counter.bytesReused += span.length();
          Partial partial = open(entry.fileId(), base.cellBytes);
          disk.partials.put(path, partial);
          partial.forget(span);
          partial.content.put(span.offset(), base.at(span), base.at(span).count());
          partial.note(span, (int) digest);
        }
      }
    }
    return answerPartial(entry, path);
  }

  private boolean look(Thread thread, ReceiverAction.Look action) {
    thread.laterAnswers.add(
        () -> {
          Part look = action.look();
          Want[] wants = new Want[look.count()];
          int run = -1;
          for (Part.Cursor file = look.cursor(); file.next(); ) {
            run += file.isNewDirectory() ? 1 : 0;
            wants[file.index()] = want(file, action.directories().get(run));
          }
          end.wants(thread.link.number, Wants.of(look.firstId(), wants));
        });
    return true;
  }

  private Want want(Part.Cursor file, EntryPath directory) {
    if (directory == null) {
      return Want.NOTHING;
    }
    boolean looksSame = looksSame(file, disk.finals.get(directory.child(file.name()).toString()));
    if (looksSame && keepExisting != KeepExisting.NONE) {
      return file.mayGetNames() ? Want.NOTHING : Want.KEPT;
    }
    return looksSame ? Want.DIGEST : Want.BYTES;
  }

  private static boolean looksSame(Part.Cursor file, Final there) {
    return there != null
        && there.content().bytes() == file.size()
        && there.modifiedSeconds() == file.modifiedSeconds();
  }

  private boolean takePart(Thread thread, ReceiverAction.TakePart action) {
    SimulatedLink.Item item = thread.link.toReceiver.peekFirst();
    if (item == null) {
      return false;
    }
    thread.link.toReceiver.pollFirst();
    if (!action.wanted()) {
      end.partDone(thread.link.number, action.unit(), new PartResult());
      return true;
    }
    thread.inParts.addAll(action.directories());
    thread.pool.add(
        () -> {
          action.directories().forEach(thread.inParts::remove);
          writePart(thread, action, item.raw());
        });
    return true;
  }

  private void writePart(Thread thread, ReceiverAction.TakePart action, Cells raw) {
    Part part = action.part();
    PartResult result = new PartResult();
    boolean isIntact = true;
    long offset = 0;
    for (Part.Cursor file = part.cursor(); file.next(); ) {
      Cells content = raw.at(new Span(offset, file.rawBytes()));
      offset += file.rawBytes();
      isIntact &= level == Level.NONE || !file.isWhole() || content.crc32c() == file.crc32c();
    }
    boolean isTooOften =
        !isIntact && damaged.merge(part.firstId(), 1, Integer::sum) >= SendingEnd.TRIES_MAX;
    if (!isIntact && !isTooOften) {
      counter.damaged++;
      thread.link.cut(random);
      return;
    }
    FileHash hash = new FileHash();
    int run = -1;
    offset = 0;
    for (Part.Cursor file = part.cursor(); file.next(); ) {
      run += file.isNewDirectory() ? 1 : 0;
      EntryPath directory = action.directories().get(run);
      Cells content = raw.at(new Span(offset, file.rawBytes()));
      offset += file.rawBytes();
      long id = part.firstId() + file.index();
      String path = directory == null ? null : directory.child(file.name()).toString();
      Final there = disk.finals.get(path);
      boolean looksSame = looksSame(file, there);
      if (isTooOften) {
        result.failed(id, ExitCode.INTEGRITY, "arrived damaged too often");
      } else if (directory == null || refused.contains(directory.toString())) {
        result.failed(id, ExitCode.DESTINATION, "its directory was refused");
      } else if (looksSame && keepExisting != KeepExisting.NONE) {
        if (!file.isBare() || part.isRepeated()) {
          result.kept(id);
        }
      } else if (file.isShown() && looksSame && there.content().crc32c() == file.crc32c()) {
        hash.in(directory);
        inPart.put(id, path);
        int crc32c = level == Level.NONE ? 0 : file.crc32c();
        result.present(hash.of(file.name(), file.size(), crc32c), file.size(), level);
      } else if (file.isShown()) {
        result.wanted(id);
      } else if (file.isBare()) {
        result.failed(id, ExitCode.SOURCE, "it changed");
      } else if (faults.happensToHarm(faults.disk)) {
        result.failed(id, ExitCode.DESTINATION, "no space");
      } else {
        hash.in(directory);
        disk.finals.put(path, new Final(content, file.modifiedSeconds()));
        inPart.put(id, path);
        Level reached = random.nextInt(20) == 0 ? Level.values()[random.nextInt(4)] : level;
        reached = reached.lesser(level);
        leastReached = leastReached.lesser(reached);
        result.published(hash.of(file.name(), file.size(), file.crc32c()), file.size(), reached);
      }
    }
    end.partDone(thread.link.number, action.unit(), result);
  }

  /// Not every file can be proved as far as was promised.
  private void published(long fileId) {
    Level reached = random.nextInt(20) == 0 ? Level.values()[random.nextInt(4)] : level;
    reached = reached.lesser(level);
    if (!end.isOver(fileId)) {
      leastReached = leastReached.lesser(reached);
    }
    end.published(fileId, reached);
  }

  private void reveal(Offered entry, Cells content) {
    String path = entry.path().toString();
    disk.finals.put(path, new Final(content, entry.metadata().modified().seconds()));
    disk.partials.remove(path);
  }

  private Partial open(long fileId, int cellBytes) {
    return open.computeIfAbsent(
        fileId,
        id -> {
          Partial partial = new Partial(offered.get(id), cellBytes);
          disk.partials.put(offered.get(id).path().toString(), partial);
          return partial;
        });
  }

  private boolean takeBlock(Thread thread, ReceiverAction.TakeBlock action) {
    SimulatedLink.Item item = thread.link.toReceiver.peekFirst();
    if (item == null) {
      return false;
    }
    thread.link.toReceiver.pollFirst();
    if (action.wanted()) {
      if (thread.rawTaken == 0) {
        // An open file is written to whatever becomes of its name.
        thread.writing = open(action.head().fileId(), item.raw().cellBytes);
        thread.writing.forget(action.head().block());
      }
      Partial partial = thread.writing;
      long at = action.head().block().offset() + thread.rawTaken;
      partial.content = partial.content.grownTo(at + item.raw().bytes());
      partial.content.put(at, item.raw(), item.raw().count());
    }
    thread.rawTaken += item.raw().bytes();
    if (thread.rawTaken == action.head().block().length()) {
      thread.rawTaken = 0;
    }
    return true;
  }

  private boolean check(Thread thread, ReceiverAction.CheckBlock action) {
    Trailer trailer = action.trailer();
    if (action.wanted() && faults.happensToHarm(faults.disk)) {
      open.remove(trailer.fileId());
      end.failed(trailer.fileId(), ExitCode.DESTINATION, "no space");
    } else if (action.wanted() && open.containsKey(trailer.fileId())) {
      Partial partial = open.get(trailer.fileId());
      int crc32c = partial.content.at(trailer.block()).crc32c();
      boolean fits = level == Level.NONE || trailer.digest().equals(Digest.crc32c(crc32c));
      if (fits) {
        partial.note(trailer.block(), crc32c);
      }
      end.blockDone(thread.link.number, action.unit(), fits, crc32c);
    }
    end.unitDone(thread.link.number, action.unit());
    return true;
  }

  private boolean makeHole(Thread thread, ReceiverAction.MakeHole action) {
    Partial partial = open(action.fileId(), faults.cellBytes(offered.get(action.fileId())));
    partial.forget(action.span());
    partial.content.clear(action.span());
    partial.note(action.span(), partial.content.at(action.span()).crc32c());
    end.blockDone(thread.link.number, action.unit(), true, 0);
    end.unitDone(thread.link.number, action.unit());
    return true;
  }

  private boolean compare(Thread thread, ReceiverAction.Compare action) {
    long id = action.shown().fileId();
    Final there = disk.finals.get(offered.get(id).path().toString());
    if (there.content().crc32c() == action.shown().crc32c()) {
      published(id);
    } else if (faults.happensToHarm(faults.refusal)) {
      end.failed(id, ExitCode.EXISTS, "is there");
    } else {
      counter.differences++;
      end.differs(id);
    }
    end.unitDone(thread.link.number, action.unit());
    return true;
  }

  private boolean publish(Thread thread, ReceiverAction.Publish action) {
    for (Ending ending : action.endings()) {
      Offered entry = offered.get(ending.fileId());
      Partial partial = open.get(ending.fileId());
      String path = entry.path().toString();
      if (faults.happensToHarm(faults.disk)) {
        end.failed(ending.fileId(), ExitCode.DESTINATION, "no space for its name");
      } else if (partial == null && ending.size() == 0) {
        reveal(entry, Cells.ofZeros(1, 0));
        published(ending.fileId());
      } else {
        requireSame(path, partial.content, ending);
        reveal(entry, partial.content);
        published(ending.fileId());
      }
      open.remove(ending.fileId());
    }
    end.unitDone(thread.link.number, action.unit());
    return true;
  }

  /// What is revealed is what the sender says, byte for byte: the end has to see to that.
  private void requireSame(String path, Cells content, Ending ending) {
    boolean fits = level == Level.NONE || content.crc32c() == ending.crc32c();
    if (content.bytes() != ending.size() || !fits) {
      throw new AssertionError("to be published, and not what was sent: " + path);
    }
  }

  private boolean drop(ReceiverAction.Drop drop) {
    open.remove(drop.fileId());
    if (drop.exitCode() == ExitCode.INTEGRITY) {
      disk.partials.remove(offered.get(drop.fileId()).path().toString());
    }
    return true;
  }
}
