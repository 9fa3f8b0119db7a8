package dev.zcp.bench;

import dev.zcp.core.Daemon;
import dev.zcp.core.Printable;
import dev.zcp.linux.ChildProcess;
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

/// The real strace(1), attached to one thread while it does a piece of work. For one use.
///
/// A traced call takes some ten times as long, so times from such a run tell nothing.
///
/// Marks tell what belongs to the work: a close(2) of a descriptor that nobody can have. The trace
/// goes to a file and not through a pipe: the traced thread waits for strace at each call, so a
/// full pipe would keep it waiting, and its reader may be waiting for a garbage collection, which
/// waits for that thread.
///
/// Nothing outlives the process: the file has no name any more once strace is attached, and strace
/// ends with the last thread that it traces.
final class Strace implements Closeable {

  static final String FOLDER = "zcp-strace-";

  /// A sound strace takes some milliseconds.
  private static final long ATTACH_NS_MAX = TimeUnit.SECONDS.toNanos(10);

  /// After this it is killed, and the traced thread goes on untraced.
  private static final long RUN_NS_MAX = TimeUnit.MINUTES.toNanos(10);

  private static final long STOP_NS_MAX = TimeUnit.SECONDS.toNanos(2);
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(2);

  /// More than the lines of the calls that a look makes itself.
  private static final int LOOK_BYTES = 8192;

  private static final Pattern CALL = Pattern.compile("([a-z0-9_]+)\\(");

  /// Null if there is none.
  private final Path program;

  private final long attachNsMax;
  private final long runNsMax;
  private final int beginMark = mark();
  private final int endMark = mark();
  private volatile boolean attached;

  /// Null until it is started.
  private Process process;

  /// Null until strace is attached.
  private BufferedReader trace;

  /// Nothing was seen, or not all; the message is a phrase that a user can read.
  static final class UnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean isWorkDone;

    private UnavailableException(String reason, boolean isWorkDone) {
      super(reason);
      this.isWorkDone = isWorkDone;
    }

    boolean isWorkDone() {
      return isWorkDone;
    }
  }

  /// The strace that is found in `searchPath`, as `PATH` is written.
  Strace(String searchPath, long attachNsMax, long runNsMax) {
    this.program =
        Stream.of(searchPath.split(":"))
            .map(folder -> Path.of(folder, "strace").toAbsolutePath())
            .filter(each -> Files.isRegularFile(each) && Files.isExecutable(each))
            .findFirst()
            .orElse(null);
    this.attachNsMax = attachNsMax;
    this.runNsMax = runNsMax;
  }

  static Strace ofPath() {
    String searchPath = System.getenv("PATH");
    return new Strace(searchPath == null ? "" : searchPath, ATTACH_NS_MAX, RUN_NS_MAX);
  }

  /// Counts what `work` makes the kernel do, on the calling thread, which must be a platform
  /// thread. Work that cannot be watched from its beginning is not done; otherwise it is done once.
  ///
  /// @return how many calls of each name
  /// @throws UnavailableException if nothing was seen, or not all
  /// @throws Exception if the work does
  Map<String, Long> count(BenchThread.TimedWork work) throws Exception {
    try (this) {
      attach();
      Libc.close(beginMark);
      work.run();
      Libc.close(endMark);
      return counted(closing(beginMark), closing(endMark));
    }
  }

  /// Waits until strace traces the calling thread.
  void attach() throws UnavailableException {
    if (program == null) {
      throw new UnavailableException("strace is not installed", false);
    }
    String refusal =
        Libc.obstacle().isPresent() ? "this " + Libc.obstacle().get() : startAndAwait();
    if (!refusal.isEmpty()) {
      throw new UnavailableException("strace cannot be attached: " + refusal, false);
    }
  }

  /// Ends strace, and tells what it saw between two lines that begin so.
  Map<String, Long> counted(String begin, String end) throws UnavailableException {
    stop();
    try {
      return between(begin, end, trace);
    } catch (IOException e) {
      String what = "what strace wrote cannot be read: ";
      throw new UnavailableException(what + e.getMessage(), true);
    }
  }

  /// Counts the calls of a trace after the last line that begins with `begin`, up to the next that
  /// begins with `end`.
  static Map<String, Long> between(String begin, String end, BufferedReader trace)
      throws IOException, UnavailableException {
    Map<String, Long> calls = null;
    for (String line = trace.readLine(); line != null; line = trace.readLine()) {
      if (calls != null && line.startsWith(end)) {
        return calls;
      } else if (line.startsWith(begin)) {
        calls = new HashMap<>();
      } else if (calls != null) {
        Matcher call = CALL.matcher(line);
        if (call.lookingAt()) {
          calls.merge(call.group(1), 1L, Long::sum);
        }
      }
    }
    throw new UnavailableException("strace ended before the work did", true);
  }

  @Override
  public void close() {
    stop();
    if (Libc.obstacle().isEmpty()) {
      Instruments.setTracer(0);
    }
    try {
      if (trace != null) {
        trace.close();
      }
    } catch (IOException e) {
      // It was read, not written.
    }
  }

  /// Why it does not trace, as a phrase; empty if it does.
  private String startAndAwait() {
    // Yama lets nobody trace but an ancestor, unless it is told; strace is a child.
    Instruments.setTracer(ProcessHandle.current().pid());
    try {
      Path folder = Files.createTempDirectory(FOLDER + ProcessHandle.current().pid() + "-");
      Path file = folder.resolve("trace");
      Path errors = folder.resolve("errors");
      try {
        start(file, errors);
        // Later than this thread gives up, if it is free to.
        guard(2 * attachNsMax, () -> attached);
        if (!awaitBeginMark(file, System.nanoTime() + attachNsMax)) {
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

  private void start(Path file, Path errors) throws IOException {
    String thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
    ProcessBuilder builder =
        new ProcessBuilder(program.toString(), "-s", "0", "-o", file.toString(), "-p", thread)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(errors.toFile());
    ChildProcess.hideKeys(builder);
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

  /// Kills strace after a while, unless that is `needless` by then: on a thread of its own, since a
  /// strace that hangs may keep the traced one stopped.
  private void guard(long nsMax, BooleanSupplier needless) {
    Daemon.start(
        () -> {
          if (!ends(nsMax) && !needless.getAsBoolean()) {
            process.destroyForcibly();
          }
        },
        "zcp-strace");
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

  private boolean ends(long nsMax) {
    try {
      return process.waitFor(nsMax, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

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

  private static String closing(int mark) {
    return "close(" + mark + ")";
  }
}
