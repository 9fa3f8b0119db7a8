package dev.zcp.bench;

import dev.zcp.core.Printable;
import dev.zcp.linux.Instruments;
import dev.zcp.linux.Libc;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The real strace(1), attached to one thread while it does a piece of work.
///
/// A traced call takes some ten times as long, so times from such a run tell nothing.
final class Strace {

  /// A sound strace takes some milliseconds.
  private static final long ATTACH_NS_MAX = TimeUnit.SECONDS.toNanos(10);

  /// After this it is killed, and the traced thread goes on untraced.
  private static final long RUN_NS_MAX = TimeUnit.MINUTES.toNanos(10);

  private static final String UNTRACEABLE = "strace cannot be attached: ";

  /// Null if there is none.
  private final Path program;

  private final long attachNsMax;
  private final long runNsMax;

  /// What strace saw.
  sealed interface StraceCount {}

  /// @param calls how many of each name
  record Counted(Map<String, Long> calls) implements StraceCount {

    long total() {
      return calls.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /// Nothing was seen, or not all.
  ///
  /// @param reason a phrase a user can read
  record Unavailable(String reason) implements StraceCount {}

  /// The strace that is found in `searchPath`, as `PATH` is written.
  Strace(String searchPath, long attachNsMax, long runNsMax) {
    this.program = find(searchPath);
    this.attachNsMax = attachNsMax;
    this.runNsMax = runNsMax;
  }

  /// The strace of the user's `PATH`.
  static Strace ofPath() {
    String searchPath = System.getenv("PATH");
    return new Strace(searchPath == null ? "" : searchPath, ATTACH_NS_MAX, RUN_NS_MAX);
  }

  /// Null if no folder has it.
  static Path find(String searchPath) {
    return Stream.of(searchPath.split(":"))
        .map(folder -> Path.of(folder, "strace").toAbsolutePath())
        .filter(each -> Files.isRegularFile(each) && Files.isExecutable(each))
        .findFirst()
        .orElse(null);
  }

  /// Counts what `work` makes the kernel do, on the calling thread, which must be a platform
  /// thread. Work that cannot be watched from its beginning is not done; otherwise it is done once.
  ///
  /// @throws Exception if the work does
  StraceCount count(BenchThread.TimedWork work) throws Exception {
    if (program == null) {
      return new Unavailable("strace is not installed");
    }
    if (Libc.obstacle().isPresent()) {
      return new Unavailable(UNTRACEABLE + "this " + Libc.obstacle().get());
    }
    // Yama lets nobody trace but an ancestor, unless it is told; strace is a child.
    Instruments.setTracer(ProcessHandle.current().pid());
    try (Tracing tracing = new Tracing(program, runNsMax)) {
      String refusal = tracing.attach(attachNsMax);
      if (!refusal.isEmpty()) {
        return new Unavailable(UNTRACEABLE + refusal);
      }
      Libc.close(tracing.beginMark);
      work.run();
      Libc.close(tracing.endMark);
      return tracing.counted(closing(tracing.beginMark), closing(tracing.endMark));
    } finally {
      Instruments.setTracer(0);
    }
  }

  /// Counts the calls of a trace after the last line that begins with `begin`, up to the next that
  /// begins with `end`.
  static StraceCount between(String begin, String end, BufferedReader trace) throws IOException {
    Map<String, Long> calls = null;
    for (String line = trace.readLine(); line != null; line = trace.readLine()) {
      if (calls != null && line.startsWith(end)) {
        return new Counted(calls);
      } else if (line.startsWith(begin)) {
        calls = new HashMap<>();
      } else if (calls != null) {
        Matcher call = Tracing.CALL.matcher(line);
        if (call.lookingAt()) {
          calls.merge(call.group(1), 1L, Long::sum);
        }
      }
    }
    return new Unavailable("strace ended before the work did");
  }

  private static String closing(int mark) {
    return "close(" + mark + ")";
  }

  /// A strace at work on the calling thread.
  ///
  /// Marks tell what belongs to the work: a close(2) of a descriptor that nobody can have. The
  /// trace goes to a file and not through a pipe: the traced thread waits for strace at each call,
  /// so a full pipe would keep it waiting, and its reader may be waiting for a garbage collection,
  /// which waits for that thread.
  ///
  /// Nothing outlives the process: the file has no name any more once strace is attached, and
  /// strace ends with the last thread that it traces.
  static final class Tracing implements Closeable {

    static final String FOLDER = "zcp-strace-";

    private static final Pattern CALL = Pattern.compile("([a-z0-9_]+)\\(");
    private static final long STOP_NS_MAX = TimeUnit.SECONDS.toNanos(2);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /// More than the lines of the calls that a look makes itself.
    private static final int LOOK_BYTES = 8192;

    private final Path program;
    private final long runNsMax;
    private final int beginMark = mark();
    private final int endMark = mark();
    private volatile boolean attached;

    /// Null until it is started.
    private Process process;

    /// Null until strace is attached.
    private BufferedReader trace;

    Tracing(Path program, long runNsMax) {
      this.program = program;
      this.runNsMax = runNsMax;
    }

    /// Waits until strace traces the calling thread.
    ///
    /// @return why it does not, as a phrase a user can read; empty if it does
    String attach(long nsMax) {
      try {
        Path folder = Files.createTempDirectory(FOLDER + ProcessHandle.current().pid() + "-");
        Path file = folder.resolve("trace");
        Path errors = folder.resolve("errors");
        try {
          start(file, errors);
          // Later than this thread gives up, if it is free to.
          guard(2 * nsMax, () -> attached);
          if (!awaitBeginMark(file, System.nanoTime() + nsMax)) {
            return process.isAlive() ? "it did not say that it is" : reason(errors);
          }
          attached = true;
          guard(runNsMax, () -> false);
          trace = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1);
          return "";
        } finally {
          Files.deleteIfExists(file);
          Files.deleteIfExists(errors);
          Files.deleteIfExists(folder);
        }
      } catch (IOException e) {
        return Printable.of(String.valueOf(e.getMessage()));
      }
    }

    /// Ends strace, and tells what it saw between two lines that begin so.
    StraceCount counted(String begin, String end) {
      stop();
      try {
        return between(begin, end, trace);
      } catch (IOException e) {
        return new Unavailable("what strace wrote cannot be read: " + e.getMessage());
      }
    }

    @Override
    public void close() {
      stop();
      if (trace != null) {
        try {
          trace.close();
        } catch (IOException e) {
          // It was read, not written.
        }
      }
    }

    private void stop() {
      if (process != null && process.isAlive()) {
        process.destroy();
        if (!ends(STOP_NS_MAX)) {
          process.destroyForcibly();
          ends(STOP_NS_MAX);
        }
      }
    }

    private void start(Path file, Path errors) throws IOException {
      String thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
      ProcessBuilder builder =
          new ProcessBuilder(program.toString(), "-s", "0", "-o", file.toString(), "-p", thread)
              .redirectInput(new File("/dev/null"))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(errors.toFile());
      builder.environment().put("LC_ALL", "C");
      process = builder.start();
    }

    /// Makes the mark until it shows: strace may be attached and not yet looking.
    private boolean awaitBeginMark(Path file, long deadlineNs) throws IOException {
      while (!lastOf(file).contains(closing(beginMark))) {
        if (ends(LOOK_NS) || System.nanoTime() > deadlineNs) {
          return false;
        }
        Libc.close(beginMark);
      }
      return true;
    }

    /// One read and no more: each makes the file longer.
    private static String lastOf(Path file) throws IOException {
      if (!Files.exists(file)) {
        return "";
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        ByteBuffer end = ByteBuffer.allocate(LOOK_BYTES);
        channel.read(end, Math.max(0, channel.size() - LOOK_BYTES));
        return new String(end.array(), 0, end.position(), StandardCharsets.ISO_8859_1);
      }
    }

    /// Kills strace after a while, unless that is `needless` by then: on a thread of its own, since
    /// a strace that hangs may keep the traced one stopped.
    private void guard(long nsMax, BooleanSupplier needless) {
      Runnable guard =
          () -> {
            if (!ends(nsMax) && !needless.getAsBoolean()) {
              process.destroyForcibly();
            }
          };
      Thread.ofPlatform().daemon().name("zcp-strace").start(guard);
    }

    private boolean ends(long nsMax) {
      try {
        return process.waitFor(nsMax, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    /// What strace said in vain.
    private static String reason(Path errors) throws IOException {
      String said =
          Files.readString(errors, StandardCharsets.ISO_8859_1).lines().findFirst().orElse("");
      return said.isEmpty()
          ? "it ended and did not say why"
          : Printable.of(said.replaceFirst("^\\S*strace: ", ""));
    }

    /// No descriptor, and hardly a number that anybody else would close.
    private static int mark() {
      return -ThreadLocalRandom.current().nextInt(1_000_000, Integer.MAX_VALUE);
    }
  }
}
