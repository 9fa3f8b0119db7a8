package dev.zcp.bench.count;

import dev.zcp.linux.Instruments;
import dev.zcp.linux.Libc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// The real strace(1), attached to one thread while it does a piece of work.
///
/// A traced call takes some ten times as long, so times from such a run tell nothing.
public final class Strace {

  /// A sound strace takes some milliseconds.
  private static final long ATTACH_NS_MAX = TimeUnit.SECONDS.toNanos(10);

  /// After this it is killed, and the traced thread goes on untraced.
  private static final long RUN_NS_MAX = TimeUnit.MINUTES.toNanos(10);

  private static final String UNTRACEABLE = "strace cannot be attached: ";

  /// Null where there is none.
  private final Path program;

  private final long attachNsMax;
  private final long runNsMax;

  Strace(String searchPath, long attachNsMax, long runNsMax) {
    this.program = find(searchPath);
    this.attachNsMax = attachNsMax;
    this.runNsMax = runNsMax;
  }

  /// The strace that is found in `searchPath`, as `PATH` is written.
  public static Strace of(String searchPath) {
    return new Strace(searchPath, ATTACH_NS_MAX, RUN_NS_MAX);
  }

  /// The strace of the user's `PATH`.
  public static Strace ofPath() {
    String searchPath = System.getenv("PATH");
    return of(searchPath == null ? "" : searchPath);
  }

  /// Counts what `work` makes the kernel do, on the calling thread, which must be a platform
  /// thread. Work that cannot be watched from its beginning is not done; otherwise it is done once.
  ///
  /// @throws E where the work does
  public <E extends Exception> StraceCount count(Work<E> work) throws E {
    if (program == null) {
      return new StraceCount.Unavailable("strace is not installed");
    }
    if (Libc.obstacle().isPresent()) {
      return new StraceCount.Unavailable(UNTRACEABLE + "this " + Libc.obstacle().get());
    }
    // Yama lets nobody trace but an ancestor, unless it is told; strace is a child.
    Instruments.setTracer(ProcessHandle.current().pid());
    try (Tracing tracing = new Tracing(program, runNsMax)) {
      String refusal = tracing.attach(attachNsMax);
      if (!refusal.isEmpty()) {
        return new StraceCount.Unavailable(UNTRACEABLE + refusal);
      }
      tracing.begin();
      work.run();
      tracing.end();
      return tracing.counted();
    } finally {
      Instruments.setTracer(0);
    }
  }

  /// What is to be watched.
  @FunctionalInterface
  public interface Work<E extends Exception> {
    void run() throws E;
  }

  private static Path find(String searchPath) {
    for (String folder : searchPath.split(":")) {
      Path candidate = Path.of(folder, "strace");
      if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
        return candidate.toAbsolutePath();
      }
    }
    return null;
  }
}
