package dev.zcp.session.send;

import dev.zcp.core.Daemon;
import dev.zcp.core.Uninterruptible;
import dev.zcp.session.SendRequest;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;
import dev.zcp.walk.TreeCounter;
import java.util.List;

/// What a send command has to send, counted before anything is offered: a receiver without the room
/// for it refuses before the first byte. One thread begins it and asks for it.
final class OutgoingCount {

  /// Nothing can be offered before the count, and no processor has anything else to do.
  private static final int JOBS_MAX = 4;

  private final SendRequest request;
  private final List<OutgoingOperand> operands;

  /// Null if it was not begun, or there is nothing to be walked to.
  private volatile TreeCounter counter;

  /// Null as long as the count goes on, and if it was not begun.
  private volatile Totals counted;

  /// Null as [#counter].
  private Thread thread;

  OutgoingCount(SendRequest request, List<OutgoingOperand> operands) {
    this.request = request;
    this.operands = operands;
  }

  /// Begins to count, beside whatever the caller does until it asks for the [totals][#totals].
  void begin() {
    if (isUnknown()) {
      counted = Totals.UNKNOWN;
    } else if (isFilesOnly(request)) {
      counted = ofFiles();
    } else {
      int jobs = Math.min(JOBS_MAX, Runtime.getRuntime().availableProcessors());
      counter = new TreeCounter(request.selection(), request.preserve().links(), jobs);
      thread = Daemon.start(() -> counted = ofTrees(), "zcp-count");
    }
  }

  /// Waits for the end of what was begun.
  Totals totals() {
    if (thread != null) {
      Uninterruptible.join(thread);
    }
    if (counted == null) {
      throw new IllegalStateException("nothing was counted");
    }
    return counted;
  }

  /// As [#totals], but does not wait.
  Totals soFar() {
    Totals known = counted;
    return known == null ? Totals.UNKNOWN : known;
  }

  /// Nobody wants to know any more. Any thread may call it.
  void stop() {
    TreeCounter running = counter;
    if (running != null) {
      running.stop();
    }
  }

  /// Whether what is sent is found out while it is sent.
  private boolean isUnknown() {
    return request.selection().names() != null
        || !isFilesOnly(request) && operands.stream().anyMatch(OutgoingOperand::isStandardInput);
  }

  private Totals ofTrees() {
    return counter.count(operands.stream().map(OutgoingOperand::path).toList())
        ? new Totals(counter.entries(), counter.bytes(), counter.dataBytes(), counter.files())
        : Totals.UNKNOWN;
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
