package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.exchange.SimulatedTree.Node;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.EntryEnds;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.Held;
import dev.zcp.wire.KeepExisting;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.PartBuilder;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Rejection;
import dev.zcp.wire.Rejection.Again;
import dev.zcp.wire.Show;
import dev.zcp.wire.Status;
import dev.zcp.wire.Trailer;
import dev.zcp.wire.Verdicts;
import dev.zcp.wire.Wants.Want;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/// Drives a [SendingEnd] as a sender does: a walk, connections that take turns and listen, a thread
/// that compares what was claimed.
final class SimulatedSender {

  /// A connection's threads.
  private static final class Thread {
    final SimulatedLink link;

    /// What follows the raw bytes that went out last.
    Trailer trailer;

    /// Of its block.
    int crc32c;

    long streaming = -1;
    long streamed;

    /// Whether it is to be closed as soon as nothing is under way on it.
    boolean isSpent;

    /// What went out and is not acknowledged, as the wire has it.
    final Deque<Sent> sent = new ArrayDeque<>();

    Thread(SimulatedLink link) {
      this.link = link;
    }
  }

  /// A unit: a block or a hole of a file, or another one.
  private static final class Sent {
    final long fileId;
    final Span span;
    boolean isDamaged;

    Sent(long fileId, Span span) {
      this.fileId = fileId;
      this.span = span;
    }
  }

  /// How the source looked when it was offered.
  private record Known(Node node, long version, long size, Cells content) {}

  final SendingEnd end;
  private final Random random;
  private final SimulatedFaults faults;
  private final Level level;
  private final Simulation.TreeCounter counter;
  private final int blockCellsMax;
  private final int cellBytes;
  private final Map<Integer, Thread> threads = new TreeMap<>();
  private final Deque<Node> walk;
  private final Map<Long, Known> known = new HashMap<>();
  private final Map<Long, SentEntry> entries = new HashMap<>();
  private final Map<Node, Long> ids = new HashMap<>();
  private final Map<Node, Integer> openChildren = new HashMap<>();

  /// What keeps its directory from being ended no more.
  private final Set<Node> left = new HashSet<>();

  /// Whether a directory is ended as soon as all in it was sent, and not when that is over.
  private final boolean endsEarly;

  private final Map<Node, List<Node>> linksTo = new LinkedHashMap<>();
  private final Deque<Node> linksToOffer = new ArrayDeque<>();
  private final Set<Node> over = new HashSet<>();
  private final List<Runnable> jobs = new ArrayList<>();
  private final Map<Long, List<Span>> arrived = new HashMap<>();
  private boolean isWalked;
  private final Set<Long> givenUp = new HashSet<>();

  /// Whether what changed is offered once more.
  private final boolean offersAnew;

  /// What changed, and was not let go of by the receiver.
  private final Set<Long> changed = new HashSet<>();

  private final Deque<Node> toOfferAnew = new ArrayDeque<>();
  private final Set<Node> offeredAnew = new HashSet<>();
  private long progress;

  /// Small files that wait to be queued together; null if there are none.
  private SimulatedPart draft;

  private final boolean hasParts;
  private final Set<Long> inParts = new HashSet<>();
  private final Set<Node> cameBack = new HashSet<>();
  private int parts;

  final Set<Node> arrivedWell = new HashSet<>();

  /// What is there, and stays as it is.
  final Set<Node> kept = new HashSet<>();

  int failures;

  /// Why the receiver has not got the first that it has not got.
  String why;

  long bytesResumed;

  /// Entries of which something is taken on trust.
  private final Set<Long> believed = new HashSet<>();

  /// Whether such a one has arrived.
  boolean isSomeBelieved;

  /// How the session ended here, or null.
  ExitCode exitCode;

  /// Whether the receiver's last word has come.
  boolean saidTheLast;

  SimulatedSender(
      Random random,
      SimulatedFaults faults,
      SimulatedTree tree,
      Level level,
      boolean hasParts,
      int cellBytes,
      Simulation.TreeCounter counter) {
    this.counter = counter;
    this.cellBytes = cellBytes;
    this.random = random;
    this.faults = faults;
    this.level = level;
    this.blockCellsMax = 1 + random.nextInt(40);
    end =
        new SendingEnd()
            .begin(
                new Manifest(
                    tree.all.size(),
                    -1,
                    -1,
                    level,
                    Digest.Algorithm.of(level, true),
                    KeepExisting.values()[random.nextInt(KeepExisting.values().length)],
                    false,
                    random.nextInt(4) > 0,
                    0));
    this.hasParts = hasParts;
    offersAnew = random.nextBoolean();
    endsEarly = random.nextBoolean();
    walk = new ArrayDeque<>(tree.all);
    for (Node node : tree.all) {
      openChildren.put(node, node.children.size());
    }
  }

  void up(SimulatedLink link) {
    threads.put(link.number, new Thread(link));
    end.up(link.number, false);
  }

  int connections() {
    return threads.size();
  }

  /// Whether every connection was told to go.
  boolean wantsNoMoreConnections() {
    return saidTheLast || exitCode != null;
  }

  boolean step() throws ProtocolException {
    switch (random.nextInt(5)) {
      case 0 -> {
        return offerOne();
      }
      case 1 -> {
        return !jobs.isEmpty() && runOne();
      }
      default -> {
        if (threads.isEmpty()) {
          return false;
        }
        List<Thread> all = new ArrayList<>(threads.values());
        Thread thread = all.get(random.nextInt(all.size()));
        return random.nextBoolean() ? listen(thread) : speak(thread);
      }
    }
  }

  boolean stepAny() throws ProtocolException {
    boolean didSomething = offerOne();
    didSomething |= !jobs.isEmpty() && runOne();
    for (Thread thread : List.copyOf(threads.values())) {
      didSomething |= listen(thread);
      didSomething |= threads.containsKey(thread.link.number) && speak(thread);
    }
    return didSomething;
  }

  private boolean runOne() {
    jobs.remove(random.nextInt(jobs.size())).run();
    return true;
  }

  private boolean offerOne() {
    if (isWalked || !end.hasRoom(EntryKind.DIRECTORY) || !end.hasRoom(EntryKind.FILE)) {
      return false;
    }
    if (draft != null && end.hasRoomForPart() && (walk.isEmpty() || random.nextInt(4) == 0)) {
      parts++;
      end.queue(draft);
      draft = null;
      return true;
    }
    Deque<Node> from = !toOfferAnew.isEmpty() ? toOfferAnew : linksToOffer;
    from = from.isEmpty() ? walk : from;
    Node next = from.pollFirst();
    if (next == null && (draft != null || parts > 0)) {
      if (draft == null && linksTo.isEmpty()) {
        end.walked();
      }
      return false;
    }
    if (next == null) {
      if (linksTo.isEmpty()) {
        end.walked();
      }
      boolean mayComeAnew = offersAnew && !isAllOver();
      if (!linksTo.isEmpty() || mayComeAnew) {
        return false;
      }
      isWalked = true;
      end.allOffered();
      return true;
    }
    if (next.kind == EntryKind.HARD_LINK && !offerLink(next)) {
      return true;
    }
    if (goesInPart(next)) {
      draft = draft == null ? new SimulatedPart(ids) : draft;
      draft.nodes.add(next);
      return true;
    }
    long size = next.content == null ? 0 : next.content.bytes();
    long firstId = next.kind == EntryKind.HARD_LINK ? ids.get(next.first) : 0;
    SentEntry above = next.parent == null ? null : entries.get(ids.get(next.parent));
    SentEntry entry = new TestEntry(next.offered(firstId + 1, firstId), above);
    end.offer(entry, next.holes);
    long id = entry.fileId();
    entries.put(id, entry);
    known.put(id, new Known(next, next.version, size, next.content));
    ids.put(next, id);
    endIfNothingComesInIt(next);
    return true;
  }

  private boolean goesInPart(Node node) {
    return hasParts
        && !cameBack.contains(node)
        && node.kind == EntryKind.FILE
        && !node.isStream
        && node.content.cellBytes == 1
        && (node.parent == null || ids.containsKey(node.parent) && !over.contains(node.parent));
  }

  private boolean isInVain(Node node) {
    return over.contains(node.parent) && !arrivedWell.contains(node.parent);
  }

  /// The files whose directory was not taken leave the part.
  private void leaveInVain(SimulatedPart part) {
    List<Node> inVain = part.nodes.stream().filter(this::isInVain).toList();
    part.keepBut(inVain::contains);
    inVain.forEach(each -> isOver(each, false));
  }

  /// The files that the receiver has kept at the look leave the part.
  private void leaveKept(SimulatedPart part) {
    Set<Node> keptThere = new HashSet<>();
    for (int i = 0; i < part.nodes.size(); i++) {
      if (part.want(i) == Want.KEPT) {
        keptThere.add(part.nodes.get(i));
      }
    }
    part.keepBut(keptThere::contains);
    counter.kept += keptThere.size();
    keptThere.forEach(this::isKept);
  }

  private void look(Thread thread, SimulatedPart part) {
    leaveInVain(part);
    if (part.nodes.isEmpty()) {
      parts--;
      return;
    }
    PartBuilder builder = new PartBuilder();
    builder.clear();
    for (Node node : part.nodes) {
      builder.times(node.version, 0, 0, 0);
      builder.names(!SimulatedPart.mayBeKept(node));
      byte[] name = SimulatedPart.pathOf(node).name().bytes();
      builder.addToLook(part.directoryId(node), name, (int) node.content.bytes());
    }
    long number = end.looking(thread.link.number, part, part.nodes.size());
    thread.link.send(builder.buildLook(number));
    counter.looks++;
  }

  private void sendPart(Thread thread, SimulatedPart part) {
    boolean isRepeated = part.wasSaid();
    if (!isRepeated) {
      leaveKept(part);
      leaveInVain(part);
    }
    int count = part.nodes.size();
    long[] hashes = new long[count];
    int[] sizes = new int[count];
    PartBuilder builder = new PartBuilder();
    builder.clear();
    builder.owner(0644, 0, 0);
    FileHash hash = new FileHash();
    List<Cells> raws = new ArrayList<>();
    int bytes = 0;
    for (int i = 0; i < count; i++) {
      Node node = part.nodes.get(i);
      if (!isRepeated) {
        part.versions.add(node.version);
        part.contents.add(node.content);
      }
      Cells content = part.contents.get(i);
      boolean isAbsent = part.versions.get(i) != node.version;
      int crc32c = level == Level.NONE ? 0 : content.crc32c();
      EntryPath path = SimulatedPart.pathOf(node);
      byte[] name = path.name().bytes();
      hash.in(path.parent() == null ? EntryPath.TOP : path.parent());
      sizes[i] = (int) content.bytes();
      hashes[i] = hash.of(name, sizes[i], crc32c);
      builder.times(part.versions.get(i), 0, 0, 0);
      long directoryId = part.directoryId(node);
      if (isAbsent || part.want(i) == Want.NOTHING) {
        builder.addBare(directoryId, name, sizes[i], isRepeated ? crc32c : 0, List.of());
      } else if (part.want(i) == Want.DIGEST) {
        builder.addShown(directoryId, name, sizes[i], content.crc32c(), null, List.of());
      } else {
        builder.add(directoryId, name, sizes[i], crc32c, List.of());
        raws.add(content);
        bytes += sizes[i];
      }
      faults.hasExcuse |= isAbsent;
    }
    if (count == 0) {
      parts--;
      return;
    }
    long firstId = end.saying(thread.link.number, part, bytes, hashes, sizes);
    for (int i = 0; i < count; i++) {
      Node node = part.nodes.get(i);
      long version = part.versions.get(i);
      known.put(firstId + i, new Known(node, version, sizes[i], part.contents.get(i)));
      ids.put(node, firstId + i);
      inParts.add(firstId + i);
    }
    thread.link.send(builder.build(firstId, isRepeated, false, Digest.NONE));
    thread.sent.addLast(new Sent(-1, null));
    Cells raw = Cells.ofZeros(1, bytes);
    long offset = 0;
    for (Cells each : raws) {
      raw.put(offset, each, each.count());
      offset += each.bytes();
    }
    sendRaw(thread, raw);
    counter.parts++;
    if (endsEarly && !part.isAnyShown()) {
      part.nodes.forEach(this::leave);
    }
  }

  private void over(SimulatedPart part) {
    parts--;
    SimulatedPart wanted = null;
    for (int i = 0; i < part.nodes.size(); i++) {
      Node node = part.nodes.get(i);
      switch (part.rejection(i)) {
        case null -> {
          if (part.want(i) == Want.NOTHING) {
            counter.kept++;
            isKept(node);
          } else {
            isOver(node, true);
          }
        }
        case Rejection.Wanted _ -> {
          wanted = wanted == null ? new SimulatedPart(ids) : wanted;
          wanted.nodes.add(node);
        }
        case Rejection.Refused refused -> fail(part.fileId(i), refused.exitCode(), refused.text());
        case Rejection.Kept _ -> {
          counter.kept++;
          isKept(node);
        }
        case Again again -> throw new AssertionError(again);
      }
    }
    if (wanted != null) {
      counter.wanted++;
      wanted.wantAll();
      parts++;
      end.queueNext(wanted);
    }
  }

  private boolean isAllOver() {
    for (long id : known.keySet()) {
      if (!over.contains(known.get(id).node())) {
        return false;
      }
    }
    return true;
  }

  /// The source of an entry changed, and the entry is given up.
  private void hasChanged(long id) {
    Node node = known.get(id).node();
    if (offersAnew && offeredAnew.add(node)) {
      changed.add(id);
    } else if (!changed.contains(id)) {
      failures++;
      end.note(ExitCode.SOURCE, "changed");
      isOver(node, false);
    }
  }

  /// Whether a hard link may be offered now; else it waits for its first name, or fails with it.
  private boolean offerLink(Node link) {
    if (arrivedWell.contains(link.first)) {
      return true;
    }
    if (kept.contains(link.first)) {
      isKept(link);
      return false;
    }
    if (over.contains(link.first)) {
      failures++;
      isOver(link, false);
    } else {
      linksTo.computeIfAbsent(link.first, first -> new ArrayList<>()).add(link);
    }
    return false;
  }

  private void endIfNothingComesInIt(Node node) {
    if (node.kind == EntryKind.DIRECTORY && openChildren.get(node) == 0) {
      end.end(entries.get(ids.get(node)), Status.OK);
    }
  }

  private void isOver(Node node, boolean isWell) {
    if (!over.add(node)) {
      return;
    }
    if (isWell) {
      arrivedWell.add(node);
    }
    List<Node> waiting = linksTo.remove(node);
    if (waiting != null) {
      linksToOffer.addAll(waiting);
    }
    leave(node);
  }

  /// Its other names are not offered either: what is there may have other bytes.
  private void isKept(Node node) {
    List<Node> waiting = linksTo.remove(node);
    kept.add(node);
    isOver(node, false);
    if (waiting != null) {
      waiting.forEach(this::isKept);
    }
  }

  private void sent(long id) {
    if (endsEarly) {
      leave(known.get(id).node());
    }
  }

  private void leave(Node node) {
    if (node.parent != null && left.add(node)) {
      openChildren.merge(node.parent, -1, Integer::sum);
      if (ids.containsKey(node.parent)) {
        endIfNothingComesInIt(node.parent);
      }
    }
  }

  private boolean speak(Thread thread) throws ProtocolException {
    int number = thread.link.number;
    if (thread.trailer != null) {
      end.saying(number, thread.trailer, thread.crc32c);
      thread.link.send(thread.trailer);
      thread.sent.addLast(new Sent(thread.trailer.fileId(), thread.trailer.block()));
      thread.trailer = null;
      return true;
    }
    if (thread.streaming >= 0) {
      return stream(thread);
    }
    thread.isSpent |= faults.happens(faults.spent);
    long bytesMax = thread.isSpent ? 0 : (1L + random.nextInt(blockCellsMax)) * cellBytes;
    SenderAction turn = end.next(number, bytesMax);
    switch (turn) {
      case SenderAction.Say say -> say(thread, say.frame());
      case SenderAction.Look(SentPart part) -> look(thread, (SimulatedPart) part);
      case SenderAction.SendPart(SentPart part) -> sendPart(thread, (SimulatedPart) part);
      case SenderAction.GiveBack(SentPart part) -> {
        parts--;
        ((SimulatedPart) part).nodes.forEach(each -> cameBack.add(each));
        ((SimulatedPart) part).nodes.forEach(walk::addFirst);
      }
      case SenderAction.SendBlock block -> sendBlock(thread, block.entry().fileId(), block.span());
      case SenderAction.SendStream stream -> {
        thread.streaming = stream.entry().fileId();
        thread.streamed = 0;
      }
      case SenderAction.Wait wait -> {
        if (!thread.isSpent || !end.isIdle(number)) {
          return false;
        }
        counter.retiredConnections++;
        down(thread);
      }
      case SenderAction.Leave leave -> {
        down(thread);
        return true;
      }
    }
    return true;
  }

  private void say(Thread thread, Frame frame) {
    thread.link.send(frame);
    if (frame instanceof Data hole) {
      requireNotArrived(hole.fileId(), hole.block());
      thread.sent.addLast(new Sent(hole.fileId(), hole.block()));
    } else if (frame instanceof EntryEnds || frame instanceof Show) {
      thread.sent.addLast(new Sent(-1, null));
    }
  }

  /// Keeps a book of its own of what was acknowledged.
  private void count(Thread thread, Frame frame) {
    if (frame instanceof Verdicts verdicts) {
      for (Rejection rejection : verdicts.rejections()) {
        if (rejection instanceof Again again) {
          damaged(thread, again);
        }
      }
      for (int i = 0; i < verdicts.units(); i++) {
        Sent unit = thread.sent.pollFirst();
        if (unit.span != null && !unit.isDamaged) {
          arrived.computeIfAbsent(unit.fileId, id -> new ArrayList<>()).add(unit.span);
        }
      }
    }
  }

  private static void damaged(Thread thread, Again again) {
    for (Sent each : thread.sent) {
      if (each.fileId == again.fileId() && again.span().equals(each.span) && !each.isDamaged) {
        each.isDamaged = true;
        return;
      }
    }
  }

  private void sendRaw(Thread thread, Cells raw) {
    Cells sent = raw;
    if (raw.count() > 0 && faults.happens(faults.damage)) {
      sent = raw.copy();
      sent.damage(random);
    }
    thread.link.sendRaw(sent);
  }

  private Status statusOf(Known source) {
    return source.node().version == source.version() ? Status.OK : Status.CHANGED;
  }

  private void sendBlock(Thread thread, long id, Span span) {
    requireNotArrived(id, span);
    Known source = known.get(id);
    thread.link.send(random.nextBoolean() ? Data.zstd(id, span) : new Data(id, span));
    boolean isShort = source.node().content.bytes() < span.end();
    Cells content = source.node().content.at(span);
    sendInPieces(thread, content);
    boolean tells = statusOf(source) != Status.OK && random.nextBoolean();
    Digest digest = digest(content);
    Status status = isShort ? Status.SHORT : tells ? Status.CHANGED : Status.OK;
    thread.trailer = new Trailer(id, span, status, digest);
    thread.crc32c = content.crc32c();
    if (status != Status.OK) {
      hasChanged(id);
    }
  }

  private Digest digest(Cells content) {
    return level == Level.NONE ? Digest.NONE : Digest.crc32c(content.crc32c());
  }

  private void sendInPieces(Thread thread, Cells content) {
    int first = content.count() > 1 ? random.nextInt(content.count()) : 0;
    long cut = (long) first * content.cellBytes;
    if (first > 0) {
      sendRaw(thread, content.at(new Span(0, cut)));
    }
    sendRaw(thread, content.at(new Span(cut, content.bytes() - cut)));
  }

  private boolean stream(Thread thread) {
    long id = thread.streaming;
    Known source = known.get(id);
    if (!end.mayStream(entries.get(id))) {
      faults.hasExcuse = true;
      end.end(entries.get(id), Status.FAILED);
      thread.streaming = -1;
      return true;
    }
    Cells content = source.node().content;
    long rest = content.bytes() - thread.streamed;
    if (rest <= 0) {
      end.end(entries.get(id), Status.OK);
      sent(id);
      thread.streaming = -1;
      return true;
    }
    long length = Math.min(rest, (long) (1 + random.nextInt(8)) * content.cellBytes);
    if (!end.hasRoomFor(length)) {
      return false;
    }
    Span span = new Span(thread.streamed, length);
    thread.link.send(random.nextBoolean() ? Data.zstd(id, span) : new Data(id, span));
    Cells raw = content.at(span);
    sendInPieces(thread, raw);
    thread.trailer = Trailer.ok(id, span, digest(raw));
    thread.crc32c = raw.crc32c();
    thread.streamed += length;
    return true;
  }

  private boolean listen(Thread thread) throws ProtocolException {
    SimulatedLink.Item item = thread.link.toSender.pollFirst();
    if (item != null) {
      boolean wasOver = saidTheLast;
      List<SenderEvent> events = end.onFrame(thread.link.number, item.frame());
      events.forEach(this::understand);
      count(thread, item.frame());
      if (saidTheLast && !wasOver && item.frame().type() != FrameType.DONE) {
        throw new AssertionError("over by " + item.frame());
      }
      return true;
    }
    if (thread.link.isCut()) {
      down(thread);
      return true;
    }
    return false;
  }

  /// The sender finds that a connection is lost, whether or not something is still on the way.
  void notice(SimulatedLink link) {
    Thread thread = threads.get(link.number);
    if (thread != null) {
      down(thread);
    }
  }

  private void down(Thread thread) {
    threads.remove(thread.link.number);
    thread.link.isSenderUp = false;
    thread.link.cut(random);
    thread.link.toSender.clear();
    end.down(thread.link.number).forEach(this::understand);
  }

  void kill() {
    for (Thread thread : threads.values()) {
      thread.link.isSenderUp = false;
      thread.link.cut(random);
    }
    threads.clear();
  }

  private void understand(SenderEvent events) {
    switch (events) {
      case SenderEvent.Accepted accepted -> {}
      case SenderEvent.Claimed claimed -> {
        counter.claims++;
        jobs.add(() -> compare(claimed));
      }
      case SenderEvent.Whole(SentEntry entry) -> jobs.add(() -> show(entry.fileId()));
      case SenderEvent.Based based -> jobs.add(() -> cut(based));
      case SenderEvent.AllArrived all -> jobs.add(() -> lookAgain(all.entry().fileId()));
      case SenderEvent.Damaged damaged -> counter.damaged++;
      case SenderEvent.Done done -> {
        isSomeBelieved |= believed.contains(done.entry().fileId());
        bytesResumed += done.bytesResumed();
        arrived
            .computeIfAbsent(done.entry().fileId(), id -> new ArrayList<>())
            .add(new Span(0, 1L << 40));
        Node node = known.get(done.entry().fileId()).node();
        if (changed.remove(done.entry().fileId())) {
          failures++;
          end.note(ExitCode.SOURCE, "changed");
          isOver(node, false);
        } else {
          isOver(node, true);
        }
      }
      case SenderEvent.Declined declined ->
          isOver(known.get(declined.entry().fileId()).node(), false);
      case SenderEvent.Kept kept -> {
        counter.kept++;
        isKept(known.get(kept.entry().fileId()).node());
      }
      case SenderEvent.Planned planned -> throw new AssertionError(planned);
      case SenderEvent.Surplus surplus -> throw new AssertionError(surplus);
      case SenderEvent.Failed failed ->
          fail(failed.entry().fileId(), failed.exitCode(), failed.text());
      case SenderEvent.Spoilt spoilt -> {
        Known source = known.get(spoilt.entry().fileId());
        if (offersAnew && statusOf(source) != Status.OK && !source.node().isStream) {
          hasChanged(spoilt.entry().fileId());
        } else {
          fail(spoilt.entry().fileId(), spoilt.exitCode(), spoilt.text());
        }
      }
      case SenderEvent.GivenUp gone -> {
        if (!givenUp.add(gone.entry().fileId())) {
          throw new AssertionError("given up twice: " + gone.entry().fileId());
        }
        if (changed.remove(gone.entry().fileId())) {
          counter.offeredAnew++;
          toOfferAnew.addLast(known.get(gone.entry().fileId()).node());
        }
      }
      case SenderEvent.PartOver(SentPart part) -> over((SimulatedPart) part);
      case SenderEvent.Progress more -> {
        if (more.bytes() <= progress) {
          throw new AssertionError("progress from " + progress + " to " + more.bytes());
        }
        progress = more.bytes();
      }
      case SenderEvent.GaveUp gaveUp -> exitCode = exitCode == null ? gaveUp.exitCode() : exitCode;
      case SenderEvent.Over over -> {
        saidTheLast = true;
        exitCode = failures == 0 ? ExitCode.OK : ExitCode.SOME_FAILED;
      }
    }
  }

  private void fail(long id, ExitCode exitCode, String text) {
    Node node = known.get(id).node();
    // What goes in order cannot be sent again, and four times damaged is too often.
    faults.hasExcuse |= node.isStream || text.startsWith("arrived damaged");
    failures++;
    end.note(exitCode, text);
    why = why == null ? node.path + ": " + text : why;
    isOver(node, false);
  }

  private void compare(SenderEvent.Claimed claimed) {
    Known source = known.get(claimed.entry().fileId());
    if (statusOf(source) != Status.OK) {
      giveUp(claimed.entry().fileId());
      return;
    }
    List<Span> good = new ArrayList<>();
    for (Held each : claimed.held()) {
      if (source.node().content.at(each.span()).crc32c() == each.crc32c()) {
        good.add(each.span());
      }
    }
    arrived.computeIfAbsent(claimed.entry().fileId(), id -> new ArrayList<>()).addAll(good);
    if (random.nextInt(3) == 0) {
      believed.add(claimed.entry().fileId());
      end.believed(claimed.entry());
    }
    end.claimed(claimed.entry(), good).forEach(this::understand);
  }

  private void cut(SenderEvent.Based based) {
    Known source = known.get(based.entry().fileId());
    byte[] seed = new byte[Chunks.SEED_BYTES];
    random.nextBytes(seed);
    if (statusOf(source) != Status.OK) {
      giveUp(based.entry().fileId());
    } else if (random.nextInt(8) > 0) {
      long at = 0;
      for (Span hole : based.entry().holes()) {
        tell(based, seed, source.node().content, new Span(at, hole.offset() - at));
        at = hole.end();
      }
      tell(based, seed, source.node().content, new Span(at, source.node().content.bytes() - at));
    }
    end.chunks(
        based.connection(),
        based.entry(),
        new Chunks(
            based.entry().fileId(), source.size(), Bytes.of(seed), Bytes.of(new byte[0]), true));
  }

  private void tell(SenderEvent.Based based, byte[] seed, Cells content, Span run) {
    for (Span rest = run; !rest.isEmpty(); ) {
      Span chunk = rest.first(Limits.CHUNK_BYTES_MAX);
      ByteBuffer record = ByteBuffer.allocate(Chunks.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      Chunks.putRecord(record, (int) chunk.length(), content.at(chunk).crc32c());
      end.chunks(
          based.connection(),
          based.entry(),
          new Chunks(
              based.entry().fileId(),
              chunk.offset(),
              Bytes.of(seed),
              Bytes.of(record.array()),
              false));
      rest = rest.skip(chunk.length());
    }
  }

  private void show(long id) {
    Known source = known.get(id);
    if (statusOf(source) == Status.OK) {
      end.shown(entries.get(id), new Show(id, source.node().content.crc32c(), Digest.NONE));
    } else {
      giveUp(id);
    }
  }

  private void lookAgain(long id) {
    Known source = known.get(id);
    if (statusOf(source) == Status.OK) {
      end.end(entries.get(id), Status.OK);
      sent(id);
    } else {
      giveUp(id);
    }
  }

  private void giveUp(long id) {
    end.end(entries.get(id), Status.CHANGED);
    hasChanged(id);
  }

  /// One of the entries is given up, however far it has got.
  void giveUpOne() {
    long id = known.isEmpty() ? 0 : random.nextInt(known.size());
    if (known.containsKey(id) && !inParts.contains(id)) {
      Node node = known.get(id).node();
      if (node.kind == EntryKind.FILE && !over.contains(node) && ids.get(node) == id) {
        giveUp(id);
      }
    }
  }

  /// The whole session is given up.
  void giveUp() {
    end.giveUp(ExitCode.NETWORK, "enough");
    exitCode = ExitCode.NETWORK;
  }

  /// What the source of an entry was when it was offered.
  Cells offeredContent(Node node) {
    return known.get(ids.get(node)).content();
  }

  /// What was acknowledged is not sent again, whatever connection was lost since.
  private void requireNotArrived(long id, Span span) {
    for (Span each : arrived.getOrDefault(id, List.of())) {
      if (each.offset() < Math.max(span.end(), span.offset() + 1) && span.offset() < each.end()) {
        throw new AssertionError("sent again: " + known.get(id).node().path + " " + span);
      }
    }
  }
}
