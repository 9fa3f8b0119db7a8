package dev.zcp.session.send;

import dev.zcp.core.RawPath;
import dev.zcp.session.SendRequest;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.OpenDirectory.Room;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.BackgroundCount;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;
import dev.zcp.walk.TreeCounter;
import dev.zcp.wire.RoomThere;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What a send command has to send. Trees are counted before anything is offered if the receiver
/// might have no room for them, so that it refuses before the first byte; else they are sent while
/// they are walked through.
final class OutgoingCount {

  /// Nothing can be offered before the count, and no processor has anything else to do.
  private static final int JOBS_MAX = 4;

  private final SendRequest request;
  private final List<OutgoingOperand> operands;

  /// Null if nothing is counted.
  private volatile TreeCounter counter;

  OutgoingCount(SendRequest request, List<OutgoingOperand> operands) {
    this.request = request;
    this.operands = operands;
  }

  /// What is known without a walk.
  Totals known() {
    return isFilesOnly(request) ? ofFiles() : Totals.UNKNOWN;
  }

  /// What is to be known before anything is offered to a receiver with so much room.
  Totals before(RoomThere room) {
    if (isFilesOnly(request) || isUncountable()) {
      return known();
    }
    boolean isAnyTree = operands.stream().anyMatch(OutgoingOperand::isDirectory);
    return isAnyTree && isSureToFit(room) ? Totals.UNKNOWN : ofTrees();
  }

  /// Counts beside what is done, for somebody who watches.
  ///
  /// @return null if there is nothing to be walked to
  BackgroundCount beside(BackgroundCount.SumListener listener) {
    return isFilesOnly(request) || isUncountable()
        ? null
        : new BackgroundCount(request.selection(), request.preserve().links(), paths(), listener);
  }

  /// Nobody wants to know any more. Any thread may call it.
  void stop() {
    TreeCounter running = counter;
    if (running != null) {
      running.stop();
    }
  }

  /// Whether what is sent cannot be counted: a list names it, or it is read from standard input.
  private boolean isUncountable() {
    return request.selection().names() != null
        || operands.stream().anyMatch(OutgoingOperand::isStandardInput);
  }

  /// Whether there is room for all that is on the file systems of the operands. What is mounted
  /// below them is not looked at.
  private boolean isSureToFit(RoomThere room) {
    Set<Long> devices = new HashSet<>();
    long bytes = 0;
    long entries = 0;
    try {
      for (OutgoingOperand operand : operands) {
        if (!operand.isDirectory()) {
          bytes += operand.status().sizeBytes();
          entries++;
        } else if (devices.add(operand.status().device())) {
          try (OpenDirectory tree = OpenDirectory.open(operand.path())) {
            Room used = tree.room();
            bytes += used.usedBytes();
            entries += used.usedInodes();
          }
        }
      }
    } catch (IOException e) {
      // Whoever sends it tells what is wrong.
      return false;
    }
    return room.holds(bytes, entries);
  }

  private Totals ofTrees() {
    int jobs = Math.min(JOBS_MAX, Runtime.getRuntime().availableProcessors());
    TreeCounter counting = new TreeCounter(request.selection(), request.preserve().links(), jobs);
    counter = counting;
    return counting.count(paths())
        ? new Totals(counting.entries(), counting.bytes(), counting.dataBytes(), counting.files())
        : Totals.UNKNOWN;
  }

  private List<RawPath> paths() {
    return operands.stream().map(OutgoingOperand::path).toList();
  }

  /// Whether no more is sent than the files that the operands are, and nothing of them but bytes,
  /// mode and time: then there is nothing to be walked to.
  static boolean isFilesOnly(SendRequest request) {
    Selection selection = request.selection();
    return !selection.recursive()
        && !selection.specials()
        && selection.names() == null
        && selection.links() == Links.FOLLOWED
        && request.preserve() == Preserve.USUAL;
  }

  private Totals ofFiles() {
    long bytes = 0;
    long dataBytes = 0;
    for (OutgoingOperand operand : operands) {
      if (operand.isStream()) {
        return new Totals(operands.size(), -1, -1, operands.size());
      }
      bytes += operand.status().sizeBytes();
      dataBytes += operand.status().dataBytes();
    }
    return new Totals(operands.size(), bytes, dataBytes, operands.size());
  }

  /// What is to come, in all.
  ///
  /// @param entries how many of all kinds, or -1 if that is not known
  /// @param bytes the sum of the sizes of regular files, or -1
  /// @param dataBytes the same without holes, or -1
  /// @param files how many regular files, or -1
  record Totals(long entries, long bytes, long dataBytes, long files) {

    static final Totals UNKNOWN = new Totals(-1, -1, -1, -1);
  }
}
