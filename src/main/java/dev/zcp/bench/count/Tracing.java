package dev.zcp.bench.count;

import dev.zcp.core.Printable;
import dev.zcp.linux.Libc;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// A strace at work on the calling thread.
///
/// Marks tell what belongs to the work: a close(2) of a descriptor that nobody can have, one single
/// system call with a number of its own. The trace goes to a file and not through a pipe: the
/// traced thread waits for strace at each call, so a full pipe would keep it waiting, and its
/// reader may be waiting for a garbage collection, which waits for that thread.
///
/// Nothing outlives the process: the file has no name any more once strace is attached, and strace
/// ends with the last thread that it traces.
final class Tracing implements Closeable {

  private static final long STOP_MS_MAX = 2_000;
  private static final long LOOK_MS = 2;

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

  /// @param runNsMax after this strace is killed, whatever the work is doing
  Tracing(Path program, long runNsMax) {
    this.program = program;
    this.runNsMax = runNsMax;
  }

  /// Waits until strace traces the calling thread.
  ///
  /// @return why it does not, as a phrase a user can read; empty where it does
  String attach(long nsMax) {
    try {
      Path folder = Files.createTempDirectory("zcp-strace-");
      Path file = folder.resolve("trace");
      Path errors = folder.resolve("errors");
      try {
        start(file, errors, nsMax);
        if (!awaitBeginMark(file, System.nanoTime() + nsMax)) {
          return process.isAlive() ? "it did not say that it is" : reason(errors);
        }
        attached = true;
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

  /// What follows is the work.
  void begin() {
    Libc.close(beginMark);
  }

  /// What came before was the work.
  void end() {
    Libc.close(endMark);
  }

  /// Ends strace, and tells what it saw between the last [#begin] and the first [#end].
  StraceCount counted() {
    stop();
    try {
      return Trace.between(closing(beginMark), closing(endMark), trace);
    } catch (IOException e) {
      return new StraceCount.Unavailable("what strace wrote cannot be read: " + e.getMessage());
    }
  }

  /// Ends strace, which lets go of the thread.
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
      if (!ends(STOP_MS_MAX)) {
        process.destroyForcibly();
        ends(STOP_MS_MAX);
      }
    }
  }

  private void start(Path file, Path errors, long attachNsMax) throws IOException {
    String thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
    ProcessBuilder builder =
        new ProcessBuilder(program.toString(), "-s", "0", "-o", file.toString(), "-p", thread)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(Redirect.DISCARD)
            .redirectError(errors.toFile());
    builder.environment().put("LC_ALL", "C");
    process = builder.start();
    Thread guard = new Thread(() -> guard(attachNsMax), "zcp-strace");
    guard.setDaemon(true);
    guard.start();
  }

  /// Makes the mark until it shows: strace may be attached and not yet looking.
  private boolean awaitBeginMark(Path file, long deadlineNs) throws IOException {
    while (process.isAlive() && System.nanoTime() < deadlineNs) {
      begin();
      if (lastOf(file).contains(closing(beginMark))) {
        return true;
      }
      pause();
    }
    return false;
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

  /// On a thread of its own: a strace that hangs may keep the traced one stopped.
  private void guard(long attachNsMax) {
    try {
      if (process.waitFor(attachNsMax, TimeUnit.NANOSECONDS)
          || attached && process.waitFor(runNsMax, TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }

  private boolean ends(long msMax) {
    try {
      return process.waitFor(msMax, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// What strace said in vain, without its own name before it.
  private static String reason(Path errors) throws IOException {
    String said =
        Files.readString(errors, StandardCharsets.ISO_8859_1).lines().findFirst().orElse("");
    return said.isEmpty()
        ? "it ended and did not say why"
        : Printable.of(said.replaceFirst("^\\S*strace: ", ""));
  }

  private static void pause() {
    try {
      Thread.sleep(LOOK_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// No descriptor, and hardly a number that anybody else would close.
  private static int mark() {
    return -ThreadLocalRandom.current().nextInt(1_000_000, Integer.MAX_VALUE);
  }

  private static String closing(int mark) {
    return "close(" + mark + ")";
  }
}
