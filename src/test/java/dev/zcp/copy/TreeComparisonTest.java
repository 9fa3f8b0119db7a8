package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.ExitCode;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TreeComparisonTest {

  @TempDir Path dir;

  private Path source;
  private Path copy;

  @BeforeEach
  void makeTreeAndCopyIt() throws Exception {
    source = Files.createDirectory(dir.resolve("tree"));
    Files.createDirectories(source.resolve("sub/deeper"));
    Files.createDirectory(source.resolve("empty"));
    Files.writeString(source.resolve("file"), "content");
    Files.writeString(source.resolve("sub/file"), "other content");
    Files.writeString(source.resolve("sub/deeper/none"), "");
    Files.write(source.resolve("large"), new byte[3 << 20]);
    Files.createSymbolicLink(source.resolve("link"), Path.of("sub/file"));
    Files.createLink(source.resolve("sub/twin"), source.resolve("file"));
    copy = dir.resolve("copy");
    assertThat(Cli.run("copy", "-a", source.toString(), copy.toString()).exitCode()).isZero();
  }

  @Test
  void aCopyIsNoDifferent() {
    Cli.Result result = compare();
    assertThat(result.err())
        .doesNotContain("differ")
        .contains("verified: readback")
        .contains("copy: is compared with the source itself: nothing in it has its name");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void nothingIsVerifiedWhereSomethingDiffers() throws Exception {
    Files.writeString(copy.resolve("sub/file"), "else");
    assertThat(compare().err()).contains("1 differs").doesNotContain("verified:");
  }

  @Test
  void eachDifferenceIsNamedAndNoneIsMended() throws Exception {
    Files.delete(copy.resolve("sub/deeper/none"));
    Files.writeString(copy.resolve("extra"), "");
    Files.createDirectories(copy.resolve("sub/more/below"));
    Files.writeString(copy.resolve("sub/file"), "Other content");
    Files.write(copy.resolve("large"), new byte[1], StandardOpenOption.APPEND);
    Files.delete(copy.resolve("link"));
    Files.createSymbolicLink(copy.resolve("link"), Path.of("sub/elsewhere"));
    Cli.Result result = compare();
    assertThat(result.exitCode()).isEqualTo(ExitCode.INTEGRITY.number());
    assertTold(
        result,
        "sub/deeper/none: is missing",
        "extra: is not in the source",
        "sub/more: is not in the source",
        "sub/file: differs from its source at byte 0",
        "large: has 3145729 bytes, and not 3145728",
        "link: leads to sub/elsewhere, and not to sub/file");
    assertThat(result.err()).doesNotContain("below");
    assertThat(copy.resolve("sub/deeper/none")).doesNotExist();
    assertThat(copy.resolve("sub/file")).hasContent("Other content");
  }

  @Test
  void aByteInTheMidstOfALargeFileIsFound() throws Exception {
    byte[] content = Files.readAllBytes(copy.resolve("large"));
    content[(2 << 20) + 17] = 1;
    FileTime time = Files.getLastModifiedTime(copy.resolve("large"));
    Files.write(copy.resolve("large"), content);
    Files.setLastModifiedTime(copy.resolve("large"), time);
    assertOnly("large: differs from its source at byte " + ((2 << 20) + 17));
  }

  @Test
  void whatIsOfAnotherTypeIsNamed() throws Exception {
    Files.delete(copy.resolve("link"));
    Files.writeString(copy.resolve("link"), "");
    Files.delete(copy.resolve("empty"));
    Files.writeString(copy.resolve("empty"), "");
    Files.delete(copy.resolve("large"));
    Files.createDirectory(copy.resolve("large"));
    Cli.Result result = compare();
    assertTold(
        result,
        "link: is a file, and its source is a symbolic link",
        "empty: is not a directory, but its source is",
        "large: is a directory, and its source is a file");
    assertThat(result.exitCode()).isEqualTo(ExitCode.INTEGRITY.number());
  }

  @Test
  void whatIsPreservedIsCompared() throws Exception {
    Files.setPosixFilePermissions(
        copy.resolve("sub/file"), PosixFilePermissions.fromString("rwx------"));
    assertOnly("sub/file: has the mode 0700, and not 0644");
    assertThat(compareContentOnly().exitCode()).isZero();
  }

  @Test
  void attributesAndAccessControlListsAreCompared() throws Exception {
    Programs.assume("setfattr", "setfacl");
    for (Path tree : List.of(source, copy)) {
      Programs.run("setfattr", "-n", "user.same", "-v", "a", tree.resolve("file").toString());
      Programs.run(
          "setfattr",
          "-n",
          "user.other",
          "-v",
          tree.getFileName().toString(),
          tree.resolve("file").toString());
    }
    Programs.run("setfattr", "-n", "user.gone", "-v", "a", source.resolve("large").toString());
    Programs.run("setfattr", "-n", "user.new", "-v", "a", copy.resolve("empty").toString());
    Programs.run("setfacl", "-m", "u:12345:r", copy.resolve("sub/file").toString());
    Cli.Result result = compare();
    assertTold(
        result,
        "file: has another attribute user.other",
        "large: has no attribute user.gone",
        "empty: has attribute user.new, and its source has none",
        "sub/file: has access control list (system.posix_acl_access), and its source has none");
    assertThat(result.err()).doesNotContain("user.same");
    assertThat(compareContentOnly().exitCode()).isZero();
  }

  @Test
  void directoriesAreComparedThemselves() throws Exception {
    Files.setLastModifiedTime(copy.resolve("empty"), FileTime.fromMillis(1_000_000_000_123L));
    assertOnly("empty: was modified 2001-09-09T01:46:40.123Z, and not ");
  }

  @Test
  void namesOfOneFileMustBeNamesOfOne() throws Exception {
    FileTime time = Files.getLastModifiedTime(copy.resolve("sub"));
    FileTime fileTime = Files.getLastModifiedTime(copy.resolve("file"));
    Files.delete(copy.resolve("sub/twin"));
    Files.copy(copy.resolve("file"), copy.resolve("sub/twin"));
    Files.setLastModifiedTime(copy.resolve("sub/twin"), fileTime);
    Files.setLastModifiedTime(copy.resolve("sub"), time);
    Cli.Result result = compare();
    assertThat(result.exitCode()).isEqualTo(ExitCode.INTEGRITY.number());
    assertThat(result.err()).contains("is another file than ", "and their sources are one");
    assertThat(compareContentOnly().exitCode()).isZero();
  }

  @Test
  void namesOfTwoFilesMustNotBeNamesOfOne() throws Exception {
    FileTime time = Files.getLastModifiedTime(copy.resolve("sub"));
    Files.writeString(source.resolve("sub/alone"), "content");
    Files.setLastModifiedTime(
        source.resolve("sub/alone"), Files.getLastModifiedTime(source.resolve("file")));
    Files.createLink(copy.resolve("sub/alone"), copy.resolve("file"));
    Files.setLastModifiedTime(source.resolve("sub"), time);
    Files.setLastModifiedTime(copy.resolve("sub"), time);
    assertThat(compare().err()).contains("is the same file as ", "and their sources are two");
  }

  @Test
  void ownersAreComparedWhereThisUserMaySetThem() throws Exception {
    assumeTrue(Programs.isRoot(), "only root gives files away");
    Files.setAttribute(copy.resolve("large"), "unix:uid", 12345);
    assertOnly("large: belongs to 12345:");
  }

  @Test
  void whatAFilterLeavesOutIsLookedAtOnNeitherSide() throws Exception {
    Files.writeString(copy.resolve("a.tmp"), "");
    Files.writeString(source.resolve("sub/b.tmp"), "");
    assertThat(compareContentOnly().exitCode()).isEqualTo(ExitCode.INTEGRITY.number());
    assertThat(compareContentOnly("--exclude=*.tmp").exitCode()).isZero();
  }

  @Test
  void aTreeThatWasCopiedIntoADirectoryIsFoundThere() throws Exception {
    Path into = Files.createDirectory(dir.resolve("into"));
    String[] words = {"copy", "-a", source.toString(), into.toString()};
    assertThat(Cli.run(words).exitCode()).isZero();
    Files.writeString(into.resolve("beside"), "");
    assertThat(run(List.of(words), "--verify-only").exitCode()).isZero();
    Files.delete(into.resolve("tree/file"));
    Cli.Result result = run(List.of(words), "--verify-only");
    assertThat(result.err()).contains("into/tree/file: is missing");
  }

  @Test
  void socketsAreLookedAtOnNeitherSide() throws Exception {
    for (Path tree : List.of(source, copy)) {
      ServerSocketChannel.open(StandardProtocolFamily.UNIX)
          .bind(UnixDomainSocketAddress.of(tree.resolve("socket-" + tree.getFileName())))
          .close();
    }
    assertThat(compareContentOnly().exitCode()).isZero();
  }

  /// Neither has all that is there, and the later one's files may have replaced the others.
  @Test
  void sourcesThatGoToOneDirectoryAreRefused() throws Exception {
    Path other = Files.createDirectories(dir.resolve("other/tree"));
    Files.writeString(other.resolve("more"), "");
    Path into = Files.createDirectory(dir.resolve("into"));
    List<String> merged = List.of("copy", "-a", source + "/.", other + "/.", into.toString());
    assertThat(run(merged).exitCode()).isZero();
    assertRefused(run(merged, "--verify-only"), into);
    merged = List.of("copy", "-a", source.toString(), other.toString(), into.toString());
    assertThat(run(merged).exitCode()).isZero();
    assertRefused(run(merged, "--verify-only"), into.resolve("tree"));
    List<String> apart = List.of("copy", "-a", source.toString(), copy.toString(), into.toString());
    assertThat(run(apart, "--verify-only").err()).contains("into/copy: is missing");
  }

  private static void assertRefused(Cli.Result result, Path place) {
    assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE.number());
    assertThat(result.err()).contains(place + ": several sources go there, and --verify-only ");
  }

  @Test
  void filesAreComparedWithoutATree() throws Exception {
    Path one = source.resolve("file");
    Path other = Files.writeString(dir.resolve("other"), "content");
    assertThat(Cli.run("copy", "--verify-only", one.toString(), other.toString()).exitCode())
        .isZero();
    Files.writeString(other, "Content");
    Cli.Result result = Cli.run("copy", "--verify-only", one.toString(), other.toString());
    assertThat(result.exitCode()).isEqualTo(ExitCode.INTEGRITY.number());
    assertThat(result.err()).contains("other: differs from its source at byte 0");
  }

  @Test
  void theSummaryTellsWhatDiffersFromWhatCouldNotBeCompared() throws Exception {
    Files.writeString(copy.resolve("extra"), "");
    Files.writeString(copy.resolve("more"), "");
    String missing = dir.resolve("missing").toString();
    String[] words = {"copy", "-r", "--verify-only", source.toString(), copy.toString()};
    assertThat(Cli.run(words).err()).contains("2 differ").doesNotContain("failed");
    Files.delete(copy.resolve("more"));
    assertThat(Cli.run(words).err()).contains("1 differs").doesNotContain("failed");
    words = new String[] {"copy", "-rT", "--verify-only", missing, copy.toString()};
    assertThat(Cli.run(words).err()).doesNotContain("differ");
  }

  @Test
  void programsGetEachDifferenceAsAnEvent() throws Exception {
    Files.writeString(copy.resolve("extra"), "");
    Cli.Result result =
        Cli.run("copy", "--json", "-r", "--verify-only", source.toString(), copy.toString());
    assertThat(result.exitCode()).isEqualTo(ExitCode.INTEGRITY.number());
    assertThat(result.out() + result.err()).contains("is not in the source");
  }

  @Test
  void aMissingSourceIsNoDifferenceAndAMissingTargetIs() throws Exception {
    String missing = dir.resolve("missing").toString();
    assertThat(Cli.run("copy", "-a", "--verify-only", missing, copy.toString()).exitCode())
        .isEqualTo(ExitCode.SOURCE.number());
    Cli.Result result = Cli.run("copy", "-a", "--verify-only", source.toString(), missing);
    assertThat(result.exitCode()).isEqualTo(ExitCode.INTEGRITY.number());
    assertThat(result.err()).contains("missing: is missing");
  }

  @Test
  void holesThatBothHaveAreNotRead() throws Exception {
    long bytes = 1L << 42;
    for (Path tree : List.of(source, copy)) {
      try (FileChannel channel =
          FileChannel.open(
              tree.resolve("holes"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[] {1}), bytes / 2 + 12345);
        channel.write(ByteBuffer.wrap(new byte[] {1}), bytes);
      }
    }
    assertThat(compareContentOnly().exitCode()).isZero();
    try (FileChannel channel = FileChannel.open(copy.resolve("holes"), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1}), bytes / 4 * 3 + 1);
    }
    assertTold(
        compareContentOnly(), "holes: differs from its source at byte " + (bytes / 4 * 3 + 1));
  }

  @Test
  void thousandsOfFilesInOneDirectoryAreCompared() throws Exception {
    Path many = Files.createDirectory(source.resolve("many"));
    Path twin = Files.createDirectory(copy.resolve("many"));
    for (int i = 0; i < 3000; i++) {
      Files.writeString(many.resolve("file-" + i), "content " + i);
      Files.writeString(twin.resolve("file-" + i), "content " + (i == 1234 ? 0 : i));
    }
    Cli.Result result = compareContentOnly();
    assertTold(result, "many/file-1234: has 9 bytes, and not 12");
    // What failed is told once more below the latencies.
    assertThat(result.err().lines().filter(line -> line.contains("many/")).distinct()).hasSize(1);
  }

  private void assertOnly(String difference) {
    Cli.Result result = compare();
    assertThat(result.exitCode()).isEqualTo(ExitCode.INTEGRITY.number());
    assertTold(result, difference);
    assertThat(result.err()).contains("entries that differ from their source: 1,");
  }

  private void assertTold(Cli.Result result, String... differences) {
    for (String difference : differences) {
      assertThat(result.err()).contains("zcp: " + copy + "/" + difference);
    }
  }

  private Cli.Result compare(String... options) {
    return run(List.of("copy", "-a", source.toString(), copy.toString(), "--verify-only"), options);
  }

  private Cli.Result compareContentOnly(String... options) {
    return run(
        List.of("copy", "-r", "-P", source.toString(), copy.toString(), "--verify-only"), options);
  }

  private static Cli.Result run(List<String> words, String... options) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of(options));
    return Cli.run(all.toArray(String[]::new));
  }
}
