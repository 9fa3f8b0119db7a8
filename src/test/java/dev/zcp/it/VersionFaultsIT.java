package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.it.FaultyCalls.Fault;
import dev.zcp.testing.Programs;
import dev.zcp.testing.TreeSnapshot;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What takes bytes from another version of a file, while one system call fails, moves fewer bytes,
/// is the last one of its process, or comes after somebody changed the files. Whatever it is: a
/// name has its old content, or a whole version of its source; 0 means that all has; what bytes are
/// taken from is unharmed; nobody hangs; and the same command again completes it.
@Timeout(3600)
class VersionFaultsIT {

  /// Of all faults of a scene, so many are tried, by chance. All of them: `-Dzcp.faults=9999`.
  private static final int FAULTS = Integer.getInteger("zcp.faults", 5);

  /// Only calls of this name: all if it is empty.
  private static final String CALL = System.getProperty("zcp.faults.call", "");

  private static final int BYTES = 3 << 20;
  private static final long LARGE_BYTES = 257L << 20;
  private static final long CUT_BYTES = (129L << 20) + 12345;

  private static final int SOURCE = 0;
  private static final int THERE = 1;

  private static final int EINTR = 4;
  private static final int EIO = 5;
  private static final int ENOENT = 2;
  private static final int EXDEV = 18;
  private static final int EINVAL = 22;
  private static final int ENOSPC = 28;
  private static final int EMLINK = 31;
  private static final int ENOLCK = 37;
  private static final int EDQUOT = 122;

  /// By the call: what it may fail with besides EIO.
  private static final Map<String, List<Integer>> ERRORS =
      Map.ofEntries(
          Map.entry("openat", List.of(ENOENT, ENOSPC)),
          Map.entry("statx", List.of(ENOENT)),
          Map.entry("pread64", List.of(EINTR)),
          Map.entry("pwrite64", List.of(EINTR, ENOSPC, EDQUOT)),
          Map.entry("copy_file_range", List.of(EINTR, ENOSPC, EDQUOT, EXDEV)),
          Map.entry("sendfile", List.of(EINTR, EINVAL)),
          Map.entry("ioctl", List.of(EINVAL, ENOSPC, EDQUOT)),
          Map.entry("fallocate", List.of(EINTR, ENOSPC, EDQUOT)),
          Map.entry("ftruncate", List.of(ENOSPC)),
          Map.entry("flock", List.of(ENOLCK)),
          Map.entry("mkdirat", List.of(ENOSPC, EDQUOT)),
          Map.entry("linkat", List.of(EMLINK, ENOSPC, EDQUOT, EXDEV, ENOENT)),
          Map.entry("renameat2", List.of(ENOSPC, ENOENT)));

  private static final List<String> MOVING =
      List.of("pread64", "pwrite64", "copy_file_range", "sendfile", "splice");

  /// What somebody does to the source.
  private static final List<String> SOURCE_CHANGES =
      List.of(
          "truncate -s -1000000 $source",
          "head -c 1000000 $source > $more && cat $more >> $source",
          "dd if=/dev/zero of=$source bs=1000 seek=2000 count=100 conv=notrunc",
          "cp $victim $more && mv $more $source");

  /// What somebody does to the file that bytes are taken from, as long as that has its name.
  private static final List<String> BASE_CHANGES =
      List.of(
          "truncate -s -1000000 $base",
          "truncate -s 0 $base",
          "head -c 1000000 $base > $more && cat $more >> $base",
          "dd if=/dev/zero of=$base bs=1000 seek=2000 count=100 conv=notrunc",
          "cp $victim $more && mv $more $base",
          "ln -s $victim $more && mv -T $more $base",
          "mkfifo $more && mv $more $base",
          "rm $base && mkdir $base",
          "rm $base");

  private enum Scene {
    /// A large file of which the other end has another version.
    CHANGED,
    /// One that the other end has under another name.
    RENAMED,
    /// A copy on this machine of which most is there in a former one.
    SNAPSHOT_HERE,
    /// The same at another end.
    SNAPSHOT_THERE,
    /// A copy of a large file that was interrupted.
    RESUMED
  }

  @TempDir Path folder;

  private final long seed = Long.getLong("zcp.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final byte[] old = new byte[BYTES];
  private final byte[] now = new byte[BYTES];

  private Scene scene;
  private Path source;
  private Path there;
  private Path target;
  private Path base;
  private FaultyCalls calls;

  /// The file of the source that a change is done to.
  private Path changing;

  /// What an interrupted copy left, under the name that it left it by.
  private Path left;

  @BeforeEach
  void prepare() throws IOException {
    folder = folder.toRealPath();
    source = folder.resolve("source");
    there = folder.resolve("there");
    target = there.resolve("target");
    Random content = new Random(3);
    content.nextBytes(old);
    System.arraycopy(old, 0, now, 0, BYTES);
    for (int i = 0; i < 3; i++) {
      now[content.nextInt(BYTES)]++;
    }
    calls = FaultyCalls.make(folder, source, there);
    Files.createDirectory(folder.resolve("outside"));
    Files.writeString(folder.resolve("outside/victim"), "victim ".repeat(BYTES / 7));
  }

  @ParameterizedTest
  @EnumSource
  void whateverFailsANameIsOldOrComplete(Scene which) throws Exception {
    begin(which);
    List<Fault> faults = faults();
    Collections.shuffle(faults, random);
    int tried = Math.min(FAULTS, faults.size());
    System.out.printf(
        "VersionFaultsIT: %s, seed %d, faults %d of %d%n", scene, seed, tried, faults.size());
    List<String> wrong = new ArrayList<>();
    for (Fault fault : faults.subList(0, tried)) {
      try {
        meet(fault);
      } catch (AssertionError | TimeoutException e) {
        String told = e.getMessage() + e.getCause();
        System.out.println("VersionFaultsIT: " + told);
        wrong.add(told);
      }
    }
    assertThat(wrong).isEmpty();
  }

  /// Nobody goes on with a file that cannot be locked, so nothing that is hidden may stay.
  @ParameterizedTest
  @EnumSource(
      value = Scene.class,
      names = {"CHANGED", "RESUMED"})
  void whereThereAreNoLocksNothingIsLeft(Scene which) throws Exception {
    begin(which);
    left = null;
    meet(new Fault("flock", THERE, 1, "" + ENOLCK, true, ""));
  }

  /// An ssh has no second connection: the session goes on in the one that the file came by.
  @Test
  void aFileThatCannotBeWrittenEndsNoSession() throws Exception {
    begin(Scene.CHANGED);
    remake();
    BuiltZcp.Ended ended = copy(calls.with(new Fault("pwrite64", THERE, 1, "" + EIO, true, "")));
    awaitNobody();
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(4);
    assertThat(ended.err().lines())
        .containsExactlyInAnyOrder(
            "zcp: " + source.resolve("file") + ": refused there: input/output error",
            "zcp: " + source.resolve("small") + ": refused there: input/output error");
    assertThat(hidden()).isEmpty();
  }

  private void begin(Scene which) throws Exception {
    scene = which;
    base = base();
    changing = source.resolve(scene == Scene.RENAMED ? "new/name" : "file");
    if (scene == Scene.RESUMED) {
      interrupt();
    }
  }

  private Path base() {
    return switch (scene) {
      case CHANGED, RENAMED -> target.resolve("file");
      case SNAPSHOT_HERE, SNAPSHOT_THERE -> there.resolve("monday/file");
      case RESUMED -> null;
    };
  }

  /// All that may happen to the calls of a run to which nothing happened.
  private List<Fault> faults() throws Exception {
    Path log = folder.resolve("log");
    remake();
    BuiltZcp.Ended ended = copy(calls.into(log));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertComplete("no fault", TreeContent.of(source), TreeContent.of(source), true);
    List<Fault> faults = new ArrayList<>();
    for (Fault call : FaultyCalls.read(log)) {
      if (!call.call().contains(CALL)) {
        continue;
      }
      add(faults, call, Integer.toString(EIO), "");
      add(faults, call, "kill", "");
      for (int error : ERRORS.getOrDefault(call.call(), List.of())) {
        add(faults, call, Integer.toString(error), "");
      }
      if (MOVING.contains(call.call())) {
        add(faults, call, "short", "");
      }
      List<String> changes = List.of();
      if (call.place() == SOURCE) {
        changes = SOURCE_CHANGES;
      } else if (scene != Scene.RESUMED && scene != Scene.SNAPSHOT_HERE) {
        changes = BASE_CHANGES;
      }
      for (String change : changes) {
        add(faults, call, "run", command(call.place(), change));
      }
    }
    return faults;
  }

  private static void add(List<Fault> faults, Fault call, String how, String command) {
    // Who is told again and again that something is not there has to believe it.
    boolean canLast = !List.of("kill", "run", "" + EINTR, "" + ENOENT).contains(how);
    for (boolean isLasting : canLast ? new boolean[] {false, true} : new boolean[] {false}) {
      faults.add(new Fault(call.call(), call.place(), call.number(), how, isLasting, command));
    }
  }

  private String command(int place, String change) {
    String text =
        change
            .replace("$source", "'" + changing + "'")
            .replace("$base", "'" + base + "'")
            .replace("$victim", "'" + folder.resolve("outside/victim") + "'")
            .replace("$more", "'" + folder.resolve("outside/more") + "'");
    String isThere = "[ '" + base + "' -ef '" + folder.resolve("outside/old") + "' ]";
    // What has taken its name is not to be harmed.
    return place == SOURCE ? text : "if " + isThere + "; then " + text + "; fi";
  }

  private void meet(Fault fault) throws Exception {
    String which = scene + ", seed " + seed + ", " + fault;
    remake();
    TreeContent[] versions = versions(fault.command());
    remake();
    TreeSnapshot former = former();
    BuiltZcp.Ended ended = copy(calls.with(fault));
    awaitNobody();
    String told = which + ": " + ended;
    boolean isChange = fault.how().equals("run");
    try {
      TreeContent.of(target).assertEachIsWholeIn(versions);
      assertUnharmed(told, former, isChange);
      if (ended.exitCode() == 0) {
        // What is said to be gone is not deleted.
        boolean maySurplusStay = scene == Scene.RENAMED && fault.how().equals("" + ENOENT);
        if (!maySurplusStay) {
          assertComplete(told, versions[0], versions[1], !isChange);
        }
        // If it cannot be removed, only the end that it is at says so. It is not known whose it is
        // if it cannot be locked or is said to be gone, and nobody looks for it if the source has
        // become a small file.
        boolean mayStay =
            ended.err().contains(".zcp-")
                || fault.call().equals("unlinkat")
                || left != null
                    && (List.of("flock", "statx").contains(fault.call()) || isSmallNow());
        assertThat(mayStay || hidden().isEmpty()).as(told + hidden()).isTrue();
      } else {
        assertThat(ended.exitCode()).as(told).isNotEqualTo(70);
        // What fails is a file, and not the network.
        assertThat(fault.how().equals("kill") || ended.exitCode() != 5).as(told).isTrue();
        assertThat(ended.err()).as(told).doesNotContain("\tat ").doesNotContain("internal error");
        BuiltZcp.Ended again = copy(List.of());
        String toldAgain = told + ", again: " + again;
        // A directory that somebody put there stays.
        if (again.exitCode() != 9 || !fault.command().contains("mkdir")) {
          assertThat(again.exitCode()).as(toldAgain).isZero();
          assertComplete(toldAgain, versions[0], versions[1], !isChange);
          assertThat(left(fault)).as(toldAgain).isEmpty();
        }
      }
    } catch (AssertionError e) {
      throw new AssertionError(told, e);
    }
  }

  private boolean isSmallNow() throws IOException {
    return Files.size(changing) < 256L << 20;
  }

  /// What may be in the target: each version of the source, then what was there.
  private TreeContent[] versions(String command) throws Exception {
    TreeContent before = TreeContent.of(source);
    TreeContent old = TreeContent.of(target);
    if (!command.isEmpty()) {
      Programs.run("sh", "-c", command);
    }
    return new TreeContent[] {before, TreeContent.of(source), old, TreeContent.of(target)};
  }

  private TreeSnapshot former() throws IOException {
    return Files.exists(there.resolve("monday")) ? TreeSnapshot.of(there.resolve("monday")) : null;
  }

  private List<Path> hidden() throws IOException {
    try (Stream<Path> all = Files.walk(target)) {
      return all.filter(each -> each.getFileName().toString().startsWith(".zcp-")).toList();
    }
  }

  /// What is hidden and should not be, once the second run has completed what the first had not.
  private List<Path> left(Fault fault) throws IOException {
    return switch (fault.how()) {
      // Of a process that was killed only what is gone on with is taken up.
      case "kill" ->
          hidden().stream()
              .filter(each -> each.toString().endsWith("journal"))
              .filter(_ -> !fault.call().equals("unlinkat"))
              .toList();
      default -> hidden();
    };
  }

  private void assertUnharmed(String which, TreeSnapshot former, boolean isChange)
      throws IOException {
    assertThat(Files.readString(folder.resolve("outside/victim")))
        .as(which)
        .isEqualTo("victim ".repeat(BYTES / 7));
    if (!isChange) {
      if (scene != Scene.RESUMED) {
        assertThat(folder.resolve("outside/old")).as(which).hasBinaryContent(old);
      }
      if (former != null) {
        assertSame(which, former, TreeSnapshot.of(there.resolve("monday")));
      }
    }
    if (scene == Scene.RENAMED) {
      // Its bytes are somewhere.
      assertThat(Files.exists(base) || Files.exists(target.resolve("new/name")) || isChange)
          .as(which)
          .isTrue();
    }
    try (Stream<Path> all = Files.list(there)) {
      assertThat(all.map(each -> each.getFileName().toString()))
          .as(which)
          .isSubsetOf("target", "monday");
    }
  }

  private void assertComplete(
      String which, TreeContent one, TreeContent other, boolean withMetadata) throws IOException {
    TreeContent found = TreeContent.of(target);
    found.assertEachIsWholeIn(one, other);
    assertThat(found.entries().keySet()).as(which).isEqualTo(one.entries().keySet());
    if (withMetadata) {
      assertSame(which, TreeSnapshot.of(source), TreeSnapshot.of(target));
    }
  }

  /// But for how many names the files have, for what is hidden, and for holes, which are not kept
  /// if nobody can tell where they are.
  private static void assertSame(String which, TreeSnapshot one, TreeSnapshot other) {
    assertThat(one.differences(other))
        .as(which)
        .allMatch(
            each ->
                each.contains(": links: ")
                    || each.contains(": names: ")
                    || each.contains(": allocated bytes: ")
                    || each.contains(".zcp-"));
  }

  private BuiltZcp.Ended copy(List<String> before) throws Exception {
    List<String> words = new ArrayList<>();
    switch (scene) {
      case CHANGED -> words.addAll(List.of("sync", "--delta"));
      case RENAMED -> words.addAll(List.of("sync", "--delta", "--delete"));
      case SNAPSHOT_HERE -> words.addAll(List.of("copy", "-a", "-j1", "--link-dest=../monday"));
      case SNAPSHOT_THERE ->
          words.addAll(List.of("copy", "-a", "--delta", "--link-dest=../monday"));
      case RESUMED -> words.addAll(List.of("copy", "-a"));
    }
    words.add("-q");
    if (scene == Scene.SNAPSHOT_HERE || scene == Scene.RESUMED) {
      words.addAll(List.of(source + "/.", target.toString()));
    } else {
      words.add("--ssh=" + notSsh());
      words.add("--remote-command=" + BuiltZcp.LAUNCHER);
      words.addAll(List.of(source + "/.", "there:" + target));
    }
    return BuiltZcp.run(folder, before, words.toArray(String[]::new));
  }

  /// Runs what ssh would run on the other machine.
  private Path notSsh() throws IOException {
    Path script = folder.resolve("not-ssh");
    if (!Files.exists(script)) {
      Files.writeString(script, "#!/bin/sh\nfor last; do :; done\nexec sh -c \"$last\"\n");
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }
    return script;
  }

  /// Waits until the other end has ended, too.
  private void awaitNobody() throws Exception {
    long startedNs = System.nanoTime();
    while (ProcessHandle.allProcesses().anyMatch(this::isOurs)) {
      assertThat(System.nanoTime() - startedNs).isLessThan(TimeUnit.SECONDS.toNanos(60));
      Thread.sleep(10);
    }
  }

  private boolean isOurs(ProcessHandle process) {
    return SshSetup.proc(process, "environ").contains("XDG_RUNTIME_DIR=" + folder + "\0");
  }

  private void remake() throws Exception {
    Path outside = folder.resolve("outside");
    Programs.run(
        "rm",
        "-rf",
        there.toString(),
        outside.resolve("old").toString(),
        outside.resolve("more").toString());
    Files.createDirectories(target);
    Programs.run("rm", "-rf", source.toString());
    Files.createDirectory(source);
    if (scene == Scene.RESUMED) {
      restore();
      return;
    }
    switch (scene) {
      case CHANGED -> {
        Files.write(source.resolve("file"), now);
        write(target.resolve("file"), old);
        Files.writeString(source.resolve("small"), "small");
      }
      case RENAMED -> {
        Files.createDirectory(source.resolve("new"));
        write(source.resolve("new/name"), old);
        write(target.resolve("file"), old);
      }
      default -> {
        Path monday = Files.createDirectory(there.resolve("monday"));
        for (Path each : List.of(source, monday)) {
          Files.createDirectory(each.resolve("deep"));
          write(each.resolve("deep/same"), "the same".getBytes(StandardCharsets.US_ASCII));
          write(each.resolve("large"), "large".repeat(200_000).getBytes(StandardCharsets.US_ASCII));
          write(each.resolve("mode"), "mode".getBytes(StandardCharsets.US_ASCII));
        }
        Files.setPosixFilePermissions(
            source.resolve("mode"), PosixFilePermissions.fromString("rw-------"));
        Files.write(source.resolve("file"), now);
        write(monday.resolve("file"), old);
      }
    }
    Files.createLink(folder.resolve("outside/old"), base);
  }

  private static void write(Path file, byte[] bytes) throws IOException {
    Files.write(file, bytes);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
  }

  /// Makes a source with two holes, and what a copy of it left that was killed when it had nearly
  /// everything.
  private void interrupt() throws Exception {
    Files.createDirectories(source);
    Files.createDirectories(target);
    try (RandomAccessFile file = new RandomAccessFile(changing.toFile(), "rw")) {
      for (long at : List.of(0L, 128L << 20, LARGE_BYTES - (2 << 20))) {
        file.seek(at);
        file.write(now, 0, 2 << 20);
      }
    }
    Fault atTheEnd = new Fault("renameat2", THERE, 1, "kill", false, "");
    assertThat(copy(calls.with(atTheEnd)).exitCode()).isEqualTo(137);
    try (Stream<Path> all = Files.list(target)) {
      Path hidden = all.toList().getFirst();
      assertThat(hidden.getFileName().toString()).startsWith(".zcp-");
      left = Files.createDirectory(folder.resolve("left")).resolve(hidden.getFileName());
      Files.move(hidden, left);
    }
    Programs.run("truncate", "-s", "" + CUT_BYTES, left.toString());
    Programs.run("cp", "--sparse=always", "-p", changing.toString(), saved().toString());
  }

  private void restore() throws Exception {
    Programs.run("cp", "--sparse=always", "-p", saved().toString(), changing.toString());
    if (left != null) {
      Path hidden = target.resolve(left.getFileName());
      Programs.run("cp", "--sparse=always", "-p", left.toString(), hidden.toString());
    }
  }

  /// The large file, which nothing happens to.
  private Path saved() {
    return folder.resolve("saved");
  }
}
