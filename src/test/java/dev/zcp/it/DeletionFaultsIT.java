package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `copy --delete` while the n-th of its system calls fails, for each call on one of the trees:
/// strace(1) makes it fail. Nothing goes that the source still has, and if zcp says that all is
/// done, all is. Also between two processes, both of them with faults.
class DeletionFaultsIT {

  /// Of all faults that were found, so many are tried, by chance. All of them: `-Dzcp.faults=9999`.
  private static final int FAULTS = Integer.getInteger("zcp.faults", 60);

  private static final String CALLS =
      "openat,statx,getdents64,lseek,read,pread64,copy_file_range,unlinkat,renameat2";

  /// A file system may say the second of something that is there, too: one lie deletes nothing.
  private static final List<String> ERRORS = List.of("EIO", "ENOENT");

  private static final Pattern CALL = Pattern.compile("(\\d+) +(\\w+)\\((.*)");

  private static final int DIRECTORIES = 5;
  private static final int ENTRIES = 30;

  @TempDir Path folder;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  private boolean isBetween;
  private Path source;
  private Path target;
  private final List<String> inBoth = new ArrayList<>();
  private final List<String> extra = new ArrayList<>();

  /// The n-th call of a name in a thread.
  private record Fault(String call, int number, String error) {}

  @BeforeEach
  void prepare() throws IOException, InterruptedException {
    Trace.assumePossible();
    folder = folder.toRealPath();
    source = folder.resolve("source");
    target = folder.resolve("target");
    List<String> directories = new ArrayList<>(List.of(""));
    inBoth.add("");
    while (directories.size() < DIRECTORIES) {
      String name = any(directories) + "/d" + directories.size();
      directories.add(name);
      inBoth.add(name);
    }
    for (int i = 0; i < ENTRIES; i++) {
      (random.nextBoolean() ? inBoth : extra).add(any(directories) + "/f" + i);
    }
    extra.add(any(directories) + "/x");
    extra.add(extra.getLast() + "/f");
    make(source, inBoth);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingGoesThatTheSourceStillHas(boolean between) throws Exception {
    isBetween = between;
    List<Fault> faults = faults();
    Collections.shuffle(faults, random);
    int tried = Math.min(FAULTS, faults.size());
    System.out.println(
        "DeletionFaultsIT: seed " + seed + ", faults " + tried + " of " + faults.size());
    int failed = 0;
    for (Fault fault : faults.subList(0, tried)) {
      remake();
      String injection =
          "inject=%s:error=%s:when=%d".formatted(fault.call(), fault.error(), fault.number());
      BuiltZcp.Ended ended = copy("/dev/null", "-e", injection);
      String which = "seed " + seed + ", " + fault + ": " + ended;
      assertThat(missing(source)).as(which).isEmpty();
      assertThat(missing(target)).as(which).isEmpty();
      // An entry of the target that is said to be gone need not be deleted.
      if (ended.exitCode() == 0 && fault.error().equals("EIO")) {
        assertThat(extra).as(which).noneMatch(each -> Files.exists(path(target, each)));
      }
      failed += ended.exitCode() == 0 ? 0 : 1;
    }
    assertThat(failed).as("seed %d: faults that were noticed", seed).isPositive();
  }

  /// The calls of a run without faults that touch either tree.
  private List<Fault> faults() throws Exception {
    Path log = folder.resolve("log");
    remake();
    BuiltZcp.Ended ended = copy(log.toString(), "-y");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(extra).noneMatch(each -> Files.exists(path(target, each)));
    Map<String, Integer> counts = new HashMap<>();
    Set<Fault> faults = new LinkedHashSet<>();
    for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
      Matcher call = CALL.matcher(line);
      if (call.matches()) {
        int number = counts.merge(call.group(1) + call.group(2), 1, Integer::sum);
        boolean isOfTree =
            call.group(3).contains(source.toString()) || call.group(3).contains(target.toString());
        for (String error : isOfTree ? ERRORS : List.<String>of()) {
          faults.add(new Fault(call.group(2), number, error));
        }
      }
    }
    return new ArrayList<>(faults);
  }

  /// On one machine with one job, so that each run has the same calls in the same order.
  private BuiltZcp.Ended copy(String log, String... options) throws Exception {
    List<String> strace =
        new ArrayList<>(List.of("strace", "-f", "-qq", "--seccomp-bpf", "-o", log));
    strace.addAll(List.of("-e", "trace=" + CALLS));
    strace.addAll(List.of(options));
    if (!isBetween) {
      return BuiltZcp.run(
          folder, strace, "copy", "-aq", "-j1", "--delete", source + "/.", target.toString());
    }
    return BuiltZcp.run(
        folder,
        strace,
        "copy",
        "-aq",
        "--ssh=" + notSsh(),
        "--remote-command=" + BuiltZcp.LAUNCHER,
        "--delete",
        source + "/.",
        "there:" + target);
  }

  /// Runs what ssh would run on the other machine, so that strace(1) sees it.
  private Path notSsh() throws IOException {
    Path script = folder.resolve("not-ssh");
    if (!Files.exists(script)) {
      Files.writeString(script, "#!/bin/sh\nfor last; do :; done\nexec sh -c \"$last\"\n");
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }
    return script;
  }

  private List<String> missing(Path tree) {
    return inBoth.stream().filter(each -> !Files.exists(path(tree, each))).toList();
  }

  private void remake() throws IOException {
    if (Files.exists(target)) {
      try (Stream<Path> all = Files.walk(target)) {
        for (Path each : all.sorted(Collections.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
    make(target, inBoth);
    make(target, extra);
  }

  private static void make(Path tree, List<String> names) throws IOException {
    for (String name : names) {
      if (name.contains("/f")) {
        Files.writeString(path(tree, name), name);
      } else {
        Files.createDirectories(path(tree, name));
      }
    }
  }

  private String any(List<String> names) {
    return names.get(random.nextInt(names.size()));
  }

  private static Path path(Path tree, String name) {
    return Path.of(tree + name);
  }
}
