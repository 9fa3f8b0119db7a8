package dev.zcp.engine;

import dev.zcp.core.Span;
import dev.zcp.spi.Model;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A strategy that does what a test says: copies byte by byte up to an offset, then takes `step`.
record ScriptedStrategy(String name, Verdict verdict, long until, Ending ending)
    implements TransferStrategy {

  /// What a mover does once it has got to its offset.
  @FunctionalInterface
  interface Ending {
    Step at(Span span) throws IOException;
  }

  static final Ending NEVER =
      span -> {
        throw new AssertionError("asked for " + span);
      };

  static ScriptedStrategy usable(String name, long nsPerMiB, long until, Ending ending) {
    return new ScriptedStrategy(
        name, new Verdict.Usable(new Verdict.Cost(0, nsPerMiB), 64), until, ending);
  }

  @Override
  public String summary() {
    return "does what a test says";
  }

  @Override
  public Model model() {
    return new Model(4, 2, 0);
  }

  @Override
  public Verdict judge(Route route) {
    return verdict;
  }

  @Override
  public Mover open(Source source, Sink sink) {
    return span -> {
      if (span.offset() >= until) {
        return ending.at(span);
      }
      Span part = span.first(until - span.offset());
      ByteBuffer bytes = ByteBuffer.allocate((int) part.length());
      int count = source.read(bytes, part.offset());
      if (count < 0) {
        return new Step.Exhausted();
      }
      bytes.flip();
      while (bytes.hasRemaining()) {
        sink.write(bytes, part.offset() + bytes.position());
      }
      return new Step.Moved(count);
    };
  }
}
