package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.exchange.SimulatedDisk.Final;
import dev.zcp.exchange.SimulatedTree.Node;
import dev.zcp.testing.TestFrames;
import dev.zcp.wire.Accept;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// A tree, a sender, a receiver with its disk, and connections between them: the same command again
/// and again until it ends well, all of it decided by one number.
///
/// Only the order of events is simulated, not time: whatever can happen next may.
final class Simulation {

  private static final int ATTEMPTS = 5;
  private static final int STEPS_MAX = 100_000;
  private static final int IDLE_STEPS_MAX = 40;

  private final Random random;
  private final SimulatedFaults faults;
  private final SimulatedTree tree;
  private final SimulatedDisk disk = new SimulatedDisk();
  private final Level level;
  private final Accept terms;
  private final int connections;
  private final boolean hasParts;
  private final int cellBytes;
  private final List<SimulatedLink> links = new ArrayList<>();
  private SimulatedSender sender;
  private SimulatedReceiver receiver;
  private int nextLink;

  /// What all attempts together had, to see that a simulation is worth its time.
  final TreeCounter counter;

  /// How often what happened, over many simulations.
  static final class TreeCounter {
    long steps;
    int sessions;
    long bytesReused;
    int wellSessions;
    int lostConnections;
    int retiredConnections;
    long bytesResumed;
    int killed;
    int damaged;
    int abandoned;
    int claims;
    int kept;
    int differences;
    int offeredAnew;
    int unexcused;
    int levelsBelow;
    int parts;
    int looks;
    int wanted;
  }

  Simulation(long seed, TreeCounter counter) {
    this.counter = counter;
    random = new Random(seed);
    // Seeds that follow each other have first numbers that do.
    random.nextLong();
    faults = new SimulatedFaults(random);
    boolean isLarge = random.nextInt(4) == 0;
    boolean inOrder = random.nextInt(10) == 0;
    cellBytes = isLarge ? Cells.LARGE_CELL_BYTES : 1;
    tree = SimulatedTree.random(random, isLarge);
    level = Level.values()[random.nextInt(Level.values().length)];
    connections = 1 + random.nextInt(4);
    hasParts = random.nextInt(4) > 0;
    // Of large cells, a share for each connection must be a whole number.
    long window = isLarge ? (24L << 20) * (1 + random.nextInt(3)) : 1 + random.nextInt(300);
    terms = TestFrames.accept(Level.NONE, 0, inOrder, 4, window, 1 + random.nextInt(4));
    faults.takesLinks = random.nextInt(4) > 0;
    for (Node node : tree.all) {
      if (node.kind == EntryKind.FILE) {
        faults.cellBytes.put(node.path, node.content.cellBytes);
        if (node.parent == null && random.nextInt(6) == 0) {
          Cells old = Cells.random(random, node.content.cellBytes, random.nextInt(5));
          disk.old.put(node.path, old);
          disk.finals.put(node.path, new Final(old, random.nextInt(2)));
        }
      }
    }
  }

  void run() throws ProtocolException {
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      decideFaults();
      attempt();
      if (sender.exitCode == ExitCode.OK && random.nextInt(3) > 0) {
        return;
      }
    }
    calm();
    attempt();
    if (sender.exitCode != ExitCode.OK) {
      throw new AssertionError("nothing went wrong, and it ended with " + sender.exitCode);
    }
  }

  private void decideFaults() {
    calm();
    faults.cut = oneIn(60);
    faults.spent = terms.inOrder() ? 0 : oneIn(60);
    faults.damage = level == Level.NONE ? 0 : random.nextInt(8) == 0 ? 2 : oneIn(20);
    faults.disk = oneIn(60);
    faults.refusal = oneIn(40);
    faults.change = oneIn(150);
    faults.senderDies = oneIn(400);
    faults.receiverDies = oneIn(400);
    faults.givesUp = oneIn(800);
  }

  /// In half of the attempts it does not happen at all.
  private int oneIn(int about) {
    return random.nextBoolean() ? 0 : 1 + about / 2 + random.nextInt(about);
  }

  private void calm() {
    faults.cut = 0;
    faults.spent = 0;
    faults.damage = 0;
    faults.disk = 0;
    faults.refusal = 0;
    faults.change = 0;
    faults.senderDies = 0;
    faults.receiverDies = 0;
    faults.givesUp = 0;
  }

  /// One run of the command.
  private void attempt() throws ProtocolException {
    if (receiver != null) {
      receiver.stop();
    }
    links.clear();
    nextLink = 0;
    faults.hasExcuse = false;
    sender = new SimulatedSender(random, faults, tree, level, hasParts, cellBytes, counter);
    receiver = new SimulatedReceiver(random, faults, disk, terms, counter);
    counter.sessions++;
    int idle = 0;
    int steps = 0;
    boolean goesOn = true;
    while (goesOn && sender.exitCode == null) {
      steps++;
      counter.steps++;
      if (steps > STEPS_MAX) {
        throw new AssertionError("no end after " + steps + " steps");
      }
      goesOn = fault();
      boolean didSomething = goesOn && step();
      idle = didSomething ? 0 : idle + 1;
      if (idle > IDLE_STEPS_MAX) {
        boolean any = receiver.stepAny();
        any |= sender.stepAny();
        any |= sender.exitCode != null || connect();
        if (!any) {
          throw new AssertionError("nothing goes on any more");
        }
        idle = 0;
      }
      checkFinals();
    }
    checkEnd();
    if (goesOn && !faults.hasExcuse) {
      counter.unexcused++;
      if (sender.exitCode != ExitCode.OK) {
        throw new AssertionError(
            "without a reason it ended with " + sender.exitCode + ", " + sender.why);
      }
    }
  }

  private boolean step() throws ProtocolException {
    return switch (random.nextInt(9)) {
      case 0 -> connect();
      case 1, 2, 3, 4 -> receiver.step();
      default -> sender.step();
    };
  }

  private boolean connect() {
    if (sender.connections() >= connections || sender.saidTheLast) {
      return false;
    }
    SimulatedLink link = new SimulatedLink(nextLink);
    nextLink++;
    links.add(link);
    receiver.up(link);
    sender.up(link);
    return true;
  }

  /// Lets something go wrong; false where it ends the attempt.
  private boolean fault() {
    if (faults.happens(faults.cut) && !links.isEmpty()) {
      SimulatedLink link = links.get(random.nextInt(links.size()));
      if (!link.isCut()) {
        counter.lostConnections++;
        loseAt(link);
      }
    }
    if (faults.happensToHarm(faults.change)) {
      Node node = tree.all.get(random.nextInt(tree.all.size()));
      if (node.kind == EntryKind.FILE && !node.isStream) {
        node.change(random);
      }
      if (random.nextInt(3) == 0) {
        sender.giveUpOne();
      }
    }
    if (faults.happens(faults.senderDies)) {
      counter.killed++;
      sender.kill();
      return false;
    }
    if (faults.happens(faults.receiverDies)) {
      counter.killed++;
      receiver.kill();
      if (random.nextBoolean()) {
        disk.crash(random);
      }
      // The sender finds no session any more, and begins a new one.
      sender.kill();
      return false;
    }
    if (faults.happensToHarm(faults.givesUp)) {
      if (random.nextBoolean()) {
        sender.giveUp();
      } else {
        receiver.giveUp(ExitCode.NETWORK, "enough");
      }
    }
    return true;
  }

  /// A connection is lost: each end finds out in its own time.
  private void loseAt(SimulatedLink link) {
    link.cut(random);
    faults.hasExcuse |= terms.inOrder();
    if (random.nextBoolean()) {
      return;
    }
    // What the receiver finds there later may come in the way of what is sent again.
    link.sleep(random.nextInt(3) * random.nextInt(300));
    sender.notice(link);
  }

  /// A final name is absent, old, or complete.
  private void checkFinals() {
    for (Map.Entry<String, Final> each : disk.finals.entrySet()) {
      Cells content = each.getValue().content();
      if (!content.equals(disk.old.get(each.getKey())) && !isVersion(each.getKey(), content)) {
        throw new AssertionError("neither old nor complete: " + each.getKey() + " " + content);
      }
    }
  }

  private boolean isVersion(String path, Cells content) {
    for (Node node : tree.all) {
      Node source = node.first == null ? node : node.first;
      if (node.path.equals(path)) {
        return source.versions.contains(content);
      }
    }
    return false;
  }

  /// What the sender says arrived is there.
  private void checkEnd() {
    counter.bytesResumed += sender.bytesResumed;
    for (Node node : sender.arrivedWell) {
      checkArrived(node);
    }
    if (sender.exitCode == ExitCode.INTEGRITY) {
      throw new AssertionError("the two ends have not counted the same");
    }
    if (sender.exitCode == ExitCode.OK || sender.exitCode == ExitCode.SOME_FAILED) {
      checkLevels();
    }
    if (sender.exitCode == ExitCode.OK) {
      counter.wellSessions++;
      if (receiver.exitCode != ExitCode.OK) {
        throw new AssertionError("the sender is content, the receiver says " + receiver.exitCode);
      }
      long losses = sender.end.peersLastWord().tally().losses();
      if (losses != receiver.losses) {
        throw new AssertionError(receiver.losses + " losses, said " + losses);
      }
      for (Node node : tree.all) {
        if (node.kind != EntryKind.LINK
            && !sender.arrivedWell.contains(node)
            && !sender.kept.contains(node)) {
          throw new AssertionError("all is well, without " + node.path);
        }
      }
    }
  }

  /// Each end knows how far the other one got, once both have said their last word.
  private void checkLevels() {
    if (sender.end.peerReached() != receiver.leastReached) {
      throw new AssertionError(
          "the receiver reached "
              + receiver.leastReached
              + ", and said "
              + sender.end.peerReached());
    }
    Level said = receiver.end.peerReached();
    Level reached = sender.isSomeBelieved ? Level.NONE : level;
    // A receiver that had given up has not listened.
    if (said != null && said != reached) {
      throw new AssertionError("the sender reached " + reached + ", and said " + said);
    }
    counter.levelsBelow += receiver.leastReached != level || said != level ? 1 : 0;
  }

  private void checkArrived(Node node) {
    boolean isThere =
        switch (node.kind) {
          case FILE -> {
            Final there = disk.finals.get(node.path);
            yield there != null && there.content().equals(sender.offeredContent(node));
          }
          case HARD_LINK -> disk.finals.containsKey(node.path);
          case DIRECTORY, WAY -> disk.directories.contains(node.path);
          case LINK -> disk.links.contains(node.path);
          case FIFO, CHARACTER_DEVICE, BLOCK_DEVICE, SOCKET -> false;
        };
    if (!isThere) {
      throw new AssertionError("arrived, it is said, and is not there: " + node.path);
    }
  }
}
