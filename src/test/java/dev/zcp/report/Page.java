package dev.zcp.report;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Standard error or output, kept.
final class Page {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);

  PrintStream out() {
    return out;
  }

  Screen screen() {
    return new Screen(out, true);
  }

  Screen asciiScreen() {
    return new Screen(out, false);
  }

  /// What was flushed so far.
  String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
