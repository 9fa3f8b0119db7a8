package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.FileContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What `auto` does where a kernel will not move bytes its own way: strace(1) lets calls fail, and
/// the copy is whole all the same, or fails with the cause.
class FallbacksIT {

  private static final int MIB = 1 << 20;

  /// Large enough for the kernel's copy, in several steps; small enough for one thread.
  private static final int FILE_BYTES = 5 * MIB + 77;

  /// More than there are threads, each of which may find out for itself.
  private static final int FILES = 24;

  /// More than a plain copy leaves to one thread.
  private static final int LARGE_BYTES = 150 * MIB + 5;

  /// What is copied, which no test changes: it is written once for all of them.
  @TempDir static Path sources;

  @TempDir Path folder;

  private static Path tree;
  private static Path large;

  private Path copy;
  private Path log;

  @BeforeAll
  static void makeTheSources() throws IOException, InterruptedException {
    Trace.assumePossible();
    sources = sources.toRealPath();
    tree = Files.createDirectory(sources.resolve("tree"));
    for (int i = 0; i < FILES; i++) {
      write(tree.resolve("file" + i), FILE_BYTES);
    }
    large = write(sources.resolve("large"), LARGE_BYTES);
  }

  @BeforeEach
  void prepare() throws IOException {
    folder = folder.toRealPath();
    copy = folder.resolve("copy");
    log = folder.resolve("strace");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "error=ENOSYS",
        "error=EOPNOTSUPP",
        "error=EPERM",
        "error=EXDEV",
        "error=EINVAL",
        "error=EIO",
        "retval=0",
        "error=ENOSYS:when=2+",
        "error=EOPNOTSUPP:when=2+",
        "error=EPERM:when=2+",
        "error=EXDEV:when=2+",
        "error=EINVAL:when=2+",
        "error=EIO:when=2+",
        "retval=0:when=2+"
      })
  void aTreeArrivesWholeWhereCopyFileRangeFails(String fault) throws Exception {
    BuiltZcp.Ended ended = copyTree("copy_file_range:" + fault);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertSame();
    assertThat(ended.out()).contains("\"fellBackBecause\":\"copyFileRange: ");
  }

  @ParameterizedTest
  @CsvSource({
    "ENOSYS, this system has no copy_file_range",
    "EXDEV, copy_file_range does not cross from one file system to the other",
    "EOPNOTSUPP, the file system does not support copy_file_range"
  })
  void whatHoldsForAllFilesIsFoundOutOnce(String error, String reason) throws Exception {
    BuiltZcp.Ended ended = copyTree("copy_file_range:error=" + error);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(calls("copy_file_range")).isNotEmpty().hasSizeLessThan(FILES);
    for (String file : doneLines(ended.out())) {
      assertThat(file).contains("\"fellBackBecause\":\"copyFileRange: " + reason + ": " + error);
    }
    assertThat(doneLines(ended.out())).hasSize(FILES);
  }

  @Test
  void whatHoldsForOneFileIsFoundOutForEach() throws Exception {
    BuiltZcp.Ended ended = copyTree("copy_file_range:error=EPERM");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(calls("copy_file_range")).hasSize(FILES);
  }

  /// The path is chosen anew for each file, so the others go by one call as before.
  @Test
  void aFileThatOneCallDoesNotTakeKeepsItFromNoOther() throws Exception {
    Path small = Files.createDirectory(folder.resolve("small"));
    for (int i = 0; i < FILES; i++) {
      write(small.resolve("file" + i), 100_000);
    }
    BuiltZcp.Ended ended = copyTree(small, "copy_file_range:error=EPERM:when=1");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(calls("copy_file_range")).hasSizeGreaterThanOrEqualTo(FILES);
  }

  @ParameterizedTest
  @CsvSource({
    "ENOSPC, no space left on device",
    "EDQUOT, disk quota exceeded",
    "EFBIG, file too large"
  })
  void aTargetThatIsFullIsTheTargetsFailure(String error, String reason) throws Exception {
    BuiltZcp.Ended ended = copyTree("copy_file_range:error=" + error);
    assertThat(ended.exitCode()).isEqualTo(4);
    assertThat(ended.err()).contains(reason);
    assertThat(regularFilesIn(copy)).isEmpty();
  }

  @Test
  void aSourceThatCannotBeReadEitherIsTheSourcesFailure() throws Exception {
    BuiltZcp.Ended ended =
        copyTree(
            "copy_file_range:error=EIO",
            "-e",
            "trace=copy_file_range,splice,sendfile,read,pread64",
            "-e",
            "inject=splice,sendfile,read,pread64:error=EIO",
            "-P",
            tree.resolve("file1").toString());
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err()).contains("tree/file1: input/output error");
    assertThat(copy.resolve("file1")).doesNotExist();
    FileContent.assertSame(copy.resolve("file2"), tree.resolve("file2"));
  }

  /// The JDK's calls, which a plain copy begins with, and those of two threads.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "copy_file_range:error=ENOSYS",
        "copy_file_range:error=EOPNOTSUPP",
        "copy_file_range:error=EPERM",
        "copy_file_range:error=EXDEV",
        "copy_file_range:error=EINVAL",
        "copy_file_range:error=EIO",
        "copy_file_range:error=EIO:when=2+",
        "copy_file_range:retval=0",
        "copy_file_range,sendfile:error=ENOSYS",
        "copy_file_range,sendfile:error=EINVAL",
        "fallocate:error=EOPNOTSUPP",
        "fallocate:error=ENOSYS",
        "ioctl:error=EOPNOTSUPP"
      })
  void aPlainCopyArrivesWhole(String fault) throws Exception {
    BuiltZcp.Ended ended = copyPlain(large, fault);
    assertThat(ended).isEqualTo(new BuiltZcp.Ended(0, "", ""));
    FileContent.assertSame(copy, large);
  }

  /// Of one large file, which two threads move where the file system is ext4.
  @ParameterizedTest
  @CsvSource({
    "fallocate:error=ENOSPC, no space left on device",
    "pwrite64:error=ENOSPC:when=9, no space left on device",
    "pwrite64:error=EDQUOT:when=9, disk quota exceeded",
    "pwrite64:error=EIO:when=9, input/output error"
  })
  void aLargeFileThatFailsIsNotPublished(String fault, String reason) throws Exception {
    assumeTrue(Files.getFileStore(folder).type().equals("ext4"), "not on ext4");
    Path alone = Files.createDirectory(folder.resolve("alone"));
    write(alone.resolve("large"), 130 * MIB);
    BuiltZcp.Ended ended = copyTree(alone, fault);
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(4);
    assertThat(ended.err()).contains(reason);
    assertThat(copy.resolve("large")).doesNotExist();
  }

  private BuiltZcp.Ended copyTree(String fault, String... more) throws Exception {
    return copyTree(tree, fault, more);
  }

  private BuiltZcp.Ended copyTree(Path from, String fault, String... more) throws Exception {
    List<String> strace = new ArrayList<>(injecting(fault));
    strace.addAll(List.of(more));
    return BuiltZcp.run(folder, strace, "copy", "-r", "--json", from.toString(), copy.toString());
  }

  private BuiltZcp.Ended copyPlain(Path source, String fault) throws Exception {
    return BuiltZcp.run(folder, injecting(fault), "copy", "-q", source.toString(), copy.toString());
  }

  /// `when=` counts the calls of each thread.
  private List<String> injecting(String fault) {
    String calls = fault.substring(0, fault.indexOf(':'));
    return List.of(
        "strace",
        "-f",
        "-qq",
        "--seccomp-bpf",
        "-o",
        log.toString(),
        "-e",
        "trace=" + calls,
        "-e",
        "inject=" + fault);
  }

  private List<String> calls(String name) throws IOException {
    return Files.readAllLines(log).stream().filter(line -> line.contains(name + "(")).toList();
  }

  private static List<String> doneLines(String json) {
    return json.lines().filter(line -> line.contains("\"event\":\"file\",")).toList();
  }

  private void assertSame() throws IOException {
    for (int i = 0; i < FILES; i++) {
      FileContent.assertSame(copy.resolve("file" + i), tree.resolve("file" + i));
    }
  }

  private static List<Path> regularFilesIn(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (var entries = Files.list(directory)) {
      return entries.filter(Files::isRegularFile).toList();
    }
  }

  private static Path write(Path path, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return Files.write(path, content);
  }
}
