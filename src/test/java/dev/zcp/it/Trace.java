package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The system calls of one run of zcp, and what they moved.
record Trace(List<SystemCall> calls) {

  /// Waiting for each other and for memory says nothing of the transfer, and is most of the lines.
  private static final String WATCHED = "trace=!futex,mprotect,madvise,sched_yield";

  private static final int PROBE_S_MAX = 20;

  static void assumePossible() throws IOException, InterruptedException {
    Programs.assume("strace");
    Process probe = new ProcessBuilder("strace", "-o", "/dev/null", "true").start();
    String said = new String(probe.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assumeTrue(
        probe.waitFor(PROBE_S_MAX, TimeUnit.SECONDS) && probe.exitValue() == 0,
        "strace may not trace here: " + said.strip());
  }

  /// The words to put before a command, so that its calls go to `file`.
  static List<String> into(Path file) {
    // Only what is watched stops the process: see --seccomp-bpf in strace(1).
    return List.of(
        "strace", "-f", "--seccomp-bpf", "-y", "-s", "0", "-e", WATCHED, "-o", file.toString());
  }

  static Trace read(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      return new Trace(SystemCall.parse(lines.toList()));
    }
  }

  /// What a descriptor leads to.
  @FunctionalInterface
  interface Place extends Predicate<String> {

    Place SOCKET = file -> file.startsWith("socket:");
    Place PIPE = file -> file.startsWith("pipe:");

    /// Of the target; a receiver's key is replaced as a whole, too, in a directory `zcp`.
    Place PARTIAL =
        file ->
            file.contains("/.zcp-") && !file.contains(".journal") && !file.contains("/zcp/.zcp-");

    static Place of(Path path) {
      return path.toString()::equals;
    }
  }

  /// The bytes that calls of these names moved on a descriptor at `place`, their argument number
  /// `argument`.
  long bytes(int argument, Place place, String... names) {
    long bytes = 0;
    for (SystemCall call : on(argument, place, names)) {
      bytes += Math.max(0, call.result());
    }
    return bytes;
  }

  /// Bytes that came into memory from `place`.
  long read(Place place) {
    return bytes(0, place, "read", "readv", "pread64", "preadv", "recvfrom");
  }

  /// Bytes that went from memory to `place`.
  long written(Place place) {
    return bytes(0, place, "write", "writev", "pwrite64", "pwritev", "sendto");
  }

  /// The bytes of `place` that were mapped.
  long mapped(Place place) {
    long bytes = 0;
    for (SystemCall call : on(4, place, "mmap")) {
      bytes += Long.parseLong(call.arguments().get(1));
    }
    return bytes;
  }

  List<SystemCall> on(int argument, Place place, String... names) {
    List<String> wanted = List.of(names);
    return calls.stream()
        .filter(call -> wanted.contains(call.name()) && place.test(call.file(argument)))
        .toList();
  }

  /// How often each call failed, by its name and that of its error.
  Map<String, Integer> failures() {
    Map<String, Integer> failures = new TreeMap<>();
    for (SystemCall call : calls) {
      if (!call.error().isEmpty() && !isCheap(call.error())) {
        failures.merge(call.name() + " " + call.error(), 1, Integer::sum);
      }
    }
    return failures;
  }

  /// Failures of calls of this name.
  long failures(String name) {
    return calls.stream().filter(c -> c.name().equals(name) && !c.error().isEmpty()).count();
  }

  /// A call that a signal or another thread made repeat was not in vain.
  private static boolean isCheap(String error) {
    return error.startsWith("ERESTART") || error.equals("EINTR");
  }

  /// Asserts that no call fails more often in `larger` than here, but for a few by chance.
  void assertFailsNoMoreThan(Trace larger, int more) {
    Map<String, Integer> before = failures();
    Map<String, Integer> grown = new TreeMap<>();
    larger
        .failures()
        .forEach(
            (call, count) -> {
              int added = count - before.getOrDefault(call, 0);
              if (added > more) {
                grown.put(call, added);
              }
            });
    assertThat(grown).as("calls that fail the more often, the larger the file").isEmpty();
  }
}
