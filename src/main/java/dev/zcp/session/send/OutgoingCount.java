package dev.zcp.session.send;

import dev.zcp.core.RawPath;
import dev.zcp.session.SendRequest;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;
import dev.zcp.walk.TreeCounter;
import java.util.ArrayList;
import java.util.List;

/// What a send command has to send, counted before anything is offered: a receiver without the room
/// for it refuses before the first byte.
final class OutgoingCount {

  /// Everything waits for the count, and no processor has anything else to do.
  private static final int JOBS_MAX = 4;

  private OutgoingCount() {}

  static Totals of(SendRequest request, List<OutgoingOperand> operands) {
    if (request.selection().names() != null) {
      return Totals.UNKNOWN;
    }
    if (isFilesOnly(request)) {
      return ofFiles(operands);
    }
    List<RawPath> paths = new ArrayList<>();
    for (OutgoingOperand operand : operands) {
      if (operand.isStandardInput()) {
        return Totals.UNKNOWN;
      }
      paths.add(operand.path());
    }
    int jobs = Math.min(JOBS_MAX, Runtime.getRuntime().availableProcessors());
    TreeCounter counter = new TreeCounter(request.selection(), request.preserve().links(), jobs);
    return counter.count(paths)
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

  private static Totals ofFiles(List<OutgoingOperand> operands) {
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
}
