package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `zcp copy --link-dest` of this machine: what it says, and where it looks.
class LinkDestTest {

  @TempDir Path dir;

  private Path source;
  private Path former;

  @BeforeEach
  void makeACopy() throws IOException {
    source = Files.createDirectories(dir.resolve("source"));
    Files.createDirectories(source.resolve("sub"));
    Files.writeString(source.resolve("file"), "content");
    Files.writeString(source.resolve("sub/file"), "more");
    former = dir.resolve("former");
    assertThat(Cli.run("copy", "-a", source.toString(), former.toString()).exitCode()).isZero();
  }

  @Test
  void aLineTellsHowManyAreHardLinks() {
    Cli.Result result = copy("new", "--link-dest=" + former);
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.err()).contains("2 links");
  }

  @Test
  void aDirectoryThatGetsTheSourceHasItUnderItsNameInTheFormerOneToo() throws IOException {
    Path backups = Files.createDirectories(dir.resolve("backups/today"));
    Path before = Files.createDirectories(dir.resolve("backups/before"));
    assertThat(Cli.run("copy", "-a", source.toString(), before.toString()).exitCode()).isZero();
    assertThat(copy("backups/today", "--link-dest=../before").exitCode()).isZero();
    assertThat(isOne(before.resolve("source/sub/file"), backups.resolve("source/sub/file")))
        .isTrue();
  }

  @Test
  void aFileThatIsThereIsReplacedByALinkToTheFormerOne() throws IOException {
    Path there = Files.writeString(dir.resolve("file"), "older");
    Cli.Result result =
        Cli.run(
            "copy",
            "-a",
            "--link-dest=../former",
            source.resolve("file").toString(),
            dir + "/file");
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(isOne(there, former.resolve("file"))).isTrue();
  }

  @Test
  void withoutTheTimesOfTheSourceNothingIsTheSame() throws IOException {
    Path plain = dir.resolve("plain");
    assertThat(Cli.run("copy", "-r", source.toString(), plain.toString()).exitCode()).isZero();
    assertThat(copy("new", "--link-dest=" + plain).exitCode()).isZero();
    assertThat(isOne(plain.resolve("file"), dir.resolve("new/file"))).isFalse();
  }

  @Test
  void aFileInPlaceOfTheFormerCopyIsRefused() {
    Cli.Result result = copy("new", "--link-dest=" + former.resolve("file"));
    assertThat(result.exitCode()).isEqualTo(4);
    assertThat(result.err()).contains("--link-dest=" + former.resolve("file"), "not a directory");
  }

  @Test
  void theFormerCopyItselfAsTheTargetStaysAsItIs() throws IOException {
    assertThat(
            Cli.run(
                    "copy",
                    "-a",
                    "--link-dest=" + former,
                    source.resolve(".").toString(),
                    former.toString())
                .exitCode())
        .isZero();
    assertThat(former.resolve("sub/file")).hasContent("more");
    try (var names = Files.list(former)) {
      assertThat(names.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder("file", "sub");
    }
  }

  @Test
  void aDryRunHasNothingToDoForWhatIsTheFormerCopyAlready() {
    String now = dir.resolve("now").toString();
    String option = "--link-dest=" + former;
    assertThat(Cli.run("sync", option, source.toString(), now).err()).contains("2 links");
    Cli.Result result = Cli.run("sync", "-n", option, source.toString(), now);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("would copy nothing; 2 files kept");
  }

  /// It was copied anew each time: one that has several names might have been a former copy, whose
  /// metadata is not to change.
  @Test
  void aFileOfSeveralNamesThatIsThereStays() throws IOException {
    Files.writeString(source.resolve("new"), "not in the former one");
    Files.createLink(source.resolve("other"), source.resolve("new"));
    Path now = dir.resolve("now");
    String option = "--link-dest=" + former;
    assertThat(Cli.run("sync", option, source.toString(), now.toString()).exitCode()).isZero();
    Object inode = Files.getAttribute(now.resolve("new"), "unix:ino");
    Cli.Result plan = Cli.run("sync", "-n", option, source.toString(), now.toString());
    assertThat(plan.out()).isEmpty();
    assertThat(plan.err()).contains("would copy nothing");
    assertThat(Cli.run("sync", option, source.toString(), now.toString()).err())
        .contains("copied nothing; 4 files kept");
    assertThat(Files.getAttribute(now.resolve("new"), "unix:ino")).isEqualTo(inode);
    assertThat(isOne(now.resolve("new"), now.resolve("other"))).isTrue();
  }

  private Cli.Result copy(String target, String option) {
    return Cli.run("copy", "-a", option, source.toString(), dir.resolve(target).toString());
  }

  private static boolean isOne(Path one, Path other) throws IOException {
    return Files.isSameFile(one, other);
  }
}
