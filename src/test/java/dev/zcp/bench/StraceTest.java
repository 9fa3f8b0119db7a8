package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.OpenDescriptors;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StraceTest {

  private static final int CALLS = 50;
  private static final int CHUNK_BYTES = 1000;
  private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LONG_NS = TimeUnit.MINUTES.toNanos(1);

  @TempDir Path folder;

  @Test
  void countsCallsOfTheWorkAndOfNothingElse() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[CALLS * CHUNK_BYTES]);
    try (FileChannel from = FileChannel.open(file);
        FileChannel to = open(folder.resolve("copy"))) {
      copy(from, to);
      Map<String, Long> calls = count(() -> copy(from, to));
      assertThat(calls).containsEntry("pread64", CALLS + 1L);
      assertThat(calls).containsEntry("pwrite64", (long) CALLS);
      assertThat(calls).doesNotContainKey("close");
    }
  }

  @Test
  void leavesNeitherFilesNorProcessesNorDescriptorsBehind() throws Exception {
    count(() -> {});
    List<String> descriptors = OpenDescriptors.targets();
    count(() -> assertThat(traceFolders()).isEmpty());
    assertThat(OpenDescriptors.targets()).isEqualTo(descriptors);
    assertThat(straces()).isEmpty();
    assertThat(Files.readString(Path.of("/proc/thread-self/status"))).contains("TracerPid:\t0\n");
  }

  @Test
  void whereItIsNotInstalledTheWorkIsNotDone() throws Exception {
    assertRefused(new Strace(folder.toString(), LONG_NS, LONG_NS), "strace is not installed");
    assertRefused(new Strace("", LONG_NS, LONG_NS), "strace is not installed");
  }

  /// A thread has one tracer: whoever comes second meets the refusal that Yama and containers give.
  @Test
  void whereTheKernelRefusesTheWorkIsNotDone() throws Exception {
    count(
        () ->
            assertRefused(
                Strace.ofPath(),
                "strace cannot be attached: attach: ptrace(PTRACE_SEIZE, "
                    + threadNumber()
                    + "): Operation not permitted"));
  }

  @Test
  void aStraceThatNeverAttachesIsNotWaitedForForEver() throws Exception {
    Strace strace = new Strace(script("exec sleep 60"), SHORT_NS, LONG_NS);
    assertRefused(strace, "strace cannot be attached: it did not say that it is");
    assertThat(children()).isEmpty();
  }

  @Test
  void aStraceThatEndsAtOnceSaysWhyOrNot() throws Exception {
    assertRefused(
        new Strace(script("exit 1"), LONG_NS, LONG_NS),
        "strace cannot be attached: it ended and did not say why");
    assertRefused(
        new Strace(script("echo strace: no luck >&2; exit 1"), LONG_NS, LONG_NS),
        "strace cannot be attached: no luck");
  }

  @Test
  void aStraceThatTakesTooLongIsKilledAndTheWorkGoesOn() throws Exception {
    AtomicInteger done = new AtomicInteger();
    Strace strace = new Strace(System.getenv("PATH"), LONG_NS, SHORT_NS);
    Strace.UnavailableException thrown = null;
    try {
      count(
          strace,
          () -> {
            awaitUntraced();
            done.incrementAndGet();
          });
    } catch (Strace.UnavailableException e) {
      thrown = e;
    }
    assertThat(thrown).hasMessage("strace ended before the work did");
    assertThat(done).hasValue(1);
  }

  @Test
  void theWorksOwnFailureIsTheCallers() {
    Programs.assume("strace");
    assertThatThrownBy(
            () ->
                Strace.ofPath()
                    .count(
                        () -> {
                          throw new IOException("no such luck");
                        }))
        .isInstanceOf(IOException.class)
        .hasMessage("no such luck");
    assertThat(straces()).isEmpty();
  }

  private static void assertRefused(Strace strace, String reason) throws Exception {
    AtomicInteger done = new AtomicInteger();
    assertThatThrownBy(() -> strace.count(done::incrementAndGet))
        .isInstanceOf(Strace.UnavailableException.class)
        .hasMessage(reason);
    assertThat(done).hasValue(0);
  }

  private static Map<String, Long> count(BenchThread.TimedWork work) throws Exception {
    return count(Strace.ofPath(), work);
  }

  /// A machine without strace, or that lets nobody trace, is no failure of the product.
  private static Map<String, Long> count(Strace strace, BenchThread.TimedWork work)
      throws Exception {
    try {
      return strace.count(work);
    } catch (Strace.UnavailableException e) {
      assumeTrue(e.isWorkDone(), e.getMessage());
      throw e;
    }
  }

  private static void awaitUntraced() {
    try {
      String status;
      do {
        Thread.sleep(10);
        status = Files.readString(Path.of("/proc/thread-self/status"));
      } while (!status.contains("TracerPid:\t0\n"));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void copy(FileChannel from, FileChannel to) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK_BYTES);
    for (long offset = 0; from.read(buffer.clear(), offset) > 0; offset += CHUNK_BYTES) {
      to.write(buffer.flip(), offset);
    }
  }

  private static FileChannel open(Path path) throws IOException {
    return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /// A folder with a program of the name `strace`.
  private String script(String body) throws IOException {
    Path script = Files.writeString(folder.resolve("strace"), "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return folder.toString();
  }

  private static String threadNumber() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Path> traceFolders() {
    List<Path> folders = new ArrayList<>();
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    String own = Strace.FOLDER + ProcessHandle.current().pid() + "-*";
    try (DirectoryStream<Path> listing = Files.newDirectoryStream(temporary, own)) {
      listing.forEach(folders::add);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return folders;
  }

  private static List<ProcessHandle> children() {
    return ProcessHandle.current().children().toList();
  }

  private static List<ProcessHandle> straces() {
    return children().stream()
        .filter(child -> child.info().command().orElse("").endsWith("strace"))
        .toList();
  }
}
