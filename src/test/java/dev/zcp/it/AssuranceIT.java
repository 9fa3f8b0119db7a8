package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.FileContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the options that make a copy surer do, as the kernel sees it: against calls that lie, and
/// in which order what is forced and what is revealed.
class AssuranceIT {

  private static final int LARGE_BYTES = 8 << 20;
  private static final int FILES = 40;

  @TempDir Path folder;

  private Path from;
  private Path to;

  @BeforeEach
  void prepare() throws IOException, InterruptedException {
    Trace.assumePossible();
    folder = folder.toRealPath();
    from = folder.resolve("source");
    to = folder.resolve("target");
  }

  @Test
  void bytesThatTheKernelOnlyClaimsToHaveCopiedAreFoundAndWritten() throws Exception {
    byte[] content = random(LARGE_BYTES);
    Files.write(from, content);
    List<String> lying = lying("copy_file_range:retval=1048576:when=2");
    BuiltZcp.Ended unseen = copy(lying, "--strategy=copyFileRange");
    assertThat(unseen.exitCode()).as(unseen.err()).isZero();
    assertThat(Files.readAllBytes(to)).as("the lie works").isNotEqualTo(content);
    for (String level : List.of("readback", "media")) {
      BuiltZcp.Ended ended = copy(lying, "--strategy=copyFileRange", "--verify=" + level);
      assertThat(ended.exitCode()).as(ended.err()).isZero();
      assertThat(ended.err()).contains("differed from its source at ", "written again");
      FileContent.assertHolds(to, content);
    }
  }

  @Test
  void whatCannotBeMendedIsNotPublished() throws Exception {
    Files.write(from, random(LARGE_BYTES));
    // The last step is one of those, so that the file is too short.
    List<String> lying = lying("copy_file_range:retval=1048576");
    BuiltZcp.Ended ended = copy(lying, "--strategy=copyFileRange", "--verify=readback");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(7);
    assertThat(ended.err()).contains("nothing was published");
    assertThat(to).doesNotExist();
    try (var entries = Files.list(folder)) {
      assertThat(entries).noneMatch(entry -> entry.getFileName().toString().endsWith(".part"));
    }
  }

  @Test
  void bytesAreForcedBeforeANameIsGivenAndNamesBeforeTheEnd() throws Exception {
    makeTree();
    List<SystemCall> calls = trace("-a", "--fsync");
    int forced = -1;
    int written = -1;
    int named = -1;
    int renames = 0;
    for (int i = 0; i < calls.size(); i++) {
      SystemCall call = calls.get(i);
      switch (call.name()) {
        case "syncfs", "fsync" -> forced = i;
        case "pwrite64", "write", "copy_file_range" -> written = isPartial(call) ? i : written;
        case "renameat2" -> {
          renames++;
          named = i;
          assertThat(forced).as("forced before the name of %s", call.arguments()).isPositive();
        }
        case "fchmod", "mkdirat" -> named = i;
        default -> {
          // Of no matter here.
        }
      }
    }
    assertThat(renames).isEqualTo(FILES);
    assertThat(forced).as("forced after the last name").isGreaterThan(named).isGreaterThan(written);
    long flushes = calls.stream().filter(call -> call.name().matches("fsync|syncfs")).count();
    assertThat(flushes).as("flushes for %d files", FILES).isLessThan(FILES / 2);
  }

  @Test
  void aFileAloneIsForcedByItselfAndThenItsDirectory() throws Exception {
    Files.write(from, random(1000));
    List<String> order = new ArrayList<>();
    for (SystemCall call : trace("--fsync")) {
      if (call.name().equals("fsync")) {
        order.add(isPartial(call) ? "force file" : "force " + call.file(0));
      } else if (call.name().matches("renameat2|syncfs")) {
        order.add(call.name());
      }
    }
    assertThat(order).containsExactly("force file", "renameat2", "force " + folder);
  }

  @Test
  void aFileThatIsWrittenInPlaceIsForced() throws Exception {
    Files.write(from, random(1000));
    Files.write(to, random(10));
    List<String> order = new ArrayList<>();
    for (SystemCall call : trace("--fsync", "--inplace")) {
      if (call.name().matches("fsync|pwrite64|copy_file_range|renameat2|syncfs")) {
        order.add(call.name());
      }
    }
    assertThat(order).containsExactly("pwrite64", "fsync", "fsync");
    FileContent.assertSame(to, from);
  }

  @Test
  void theListIsKeptThoughDirectoriesCannotBeForced() throws Exception {
    makeTree();
    Path list = folder.resolve("list");
    BuiltZcp.Ended ended = copy(failing("syncfs:error=EIO"), "-r", "--fsync", "--manifest=" + list);
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(4);
    assertThat(ended.err()).contains("may not survive a power cut");
    assertThat(Files.readAllLines(list)).hasSize(FILES);
  }

  @Test
  void aListThatTakesNoByteFails() throws Exception {
    // Large enough that its own bytes go by another call than those of the list.
    Files.write(from, random(100_000));
    Path list = folder.resolve("list");
    BuiltZcp.Ended ended = copy(injecting("pwrite64", "pwrite64:retval=0"), "--manifest=" + list);
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(4);
    assertThat(ended.err()).contains("nothing could be written");
    assertThat(list).doesNotExist();
  }

  @Test
  void whereAFileSystemDoesNotTellEachFileIsAsked() throws Exception {
    makeTree();
    BuiltZcp.Ended ended = copy(failing("syncfs:error=EIO"), "-r", "--fsync");
    // The directories were not forced, and that is told.
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(4);
    assertThat(ended.err()).contains("may not survive a power cut");
    try (var entries = Files.list(to)) {
      assertThat(entries).hasSize(FILES);
    }
  }

  @Test
  void whatCannotBeForcedIsNotPublished() throws Exception {
    makeTree();
    BuiltZcp.Ended ended = copy(failing("syncfs,fsync:error=EIO"), "-r", "--fsync");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(4);
    assertThat(ended.err()).contains("target/file-0: input/output error");
    assertThat(to).isEmptyDirectory();
  }

  @Test
  void fewDescriptorsAreEnough() throws Exception {
    makeTree();
    List<String> few = List.of("prlimit", "--nofile=64");
    BuiltZcp.Ended ended = copy(few, "-a", "--fsync", "--verify=media", "--jobs=8");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    ended = copy(few, "-a", "--verify-only", "--jobs=8", "-T");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
  }

  private void makeTree() throws IOException {
    Files.createDirectory(from);
    for (int i = 0; i < FILES; i++) {
      Files.write(from.resolve("file-" + i), random(1000 + i));
    }
  }

  private List<SystemCall> trace(String... options) throws Exception {
    Path log = folder.resolve("trace");
    BuiltZcp.Ended ended = copy(Trace.into(log), options);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    return Trace.read(log).calls();
  }

  private BuiltZcp.Ended copy(List<String> before, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("copy"));
    words.addAll(List.of(options));
    words.add(from.toString());
    words.add(to.toString());
    return BuiltZcp.run(folder, before, words.toArray(String[]::new));
  }

  private List<String> lying(String injection) {
    return injecting("copy_file_range", injection);
  }

  private List<String> failing(String injection) {
    return injecting("syncfs,fsync", injection);
  }

  private List<String> injecting(String traced, String injection) {
    return List.of(
        "strace",
        "-f",
        "-qq",
        "--seccomp-bpf",
        "-o",
        folder.resolve("lies").toString(),
        "-e",
        "trace=" + traced,
        "-e",
        "inject=" + injection);
  }

  private static boolean isPartial(SystemCall call) {
    return Trace.Place.PARTIAL.test(call.file(0)) || Trace.Place.PARTIAL.test(call.file(2));
  }

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }
}
