package dev.zcp.bench.run;

import dev.zcp.bench.plan.Cell;
import java.util.Optional;

/// What is measured with one file at one end and memory at the other, as the articles do.
final class FilesOnly {

  private FilesOnly() {}

  static Optional<String> refusal(Cell cell) {
    return switch (cell.experiment()) {
      case READ, WRITE, FORCE -> Optional.empty();
      case COPY, SEND, RECEIVE -> Optional.of("is measured between a file and memory only");
    };
  }
}
