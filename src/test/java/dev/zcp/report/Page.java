package dev.zcp.report;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;

/// Standard error or output, kept.
final class Page {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);

  PrintStream out() {
    return out;
  }

  /// 80 columns wide.
  Screen screen() {
    return screen(() -> 80);
  }

  Screen screen(IntSupplier columns) {
    return new Screen(out, true, columns);
  }

  Screen asciiScreen() {
    return new Screen(out, false, () -> 80);
  }

  /// What was flushed so far.
  String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
