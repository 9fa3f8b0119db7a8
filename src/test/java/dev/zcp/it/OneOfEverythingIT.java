package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import dev.zcp.testing.TreeSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `zcp copy -a` of a tree that has one of everything makes what `cp -a` makes of it.
@Timeout(300)
class OneOfEverythingIT {

  private static final int PATH_BYTES_MAX = 4095;

  /// XFS takes no longer one; btrfs hardly.
  private static final int SHORTER_TARGET_BYTES = 1023;

  /// No `@TempDir`: that would warn of each link that leads out of it.
  private Path dir;

  private Path source;

  @BeforeEach
  void makeDirectory() throws IOException {
    assumeTrue(Programs.isRoot(), "only root may make what is compared here");
    Programs.assume("setfattr", "setfacl", "setpriv");
    dir = Files.createTempDirectory("zcp-everything");
    source = dir.resolve("source");
  }

  @AfterEach
  void remove() throws IOException {
    if (dir != null) {
      // What cannot be changed cannot be deleted either.
      Programs.succeeds("chattr", "-R", "-ia", dir.toString());
      Programs.run("rm", "-rf", "--one-file-system", dir.toString());
    }
  }

  @Test
  void onOneFileSystem() throws Exception {
    OneOfEverything.ofRoot(source, PATH_BYTES_MAX);
    for (String flag : new String[] {"+i", "+a"}) {
      Path fixed = Files.writeString(source.resolve("fixed" + flag), "content");
      assumeTrue(Programs.succeeds("chattr", flag, fixed.toString()), "no immutable files here");
    }
    compare(source, dir);
    TreeSnapshot original = TreeSnapshot.of(source);
    assertThat(original.size()).isGreaterThan(8000);
    assertThat(original.differences(TreeSnapshot.of(dir.resolve("zcp"))))
        .containsExactly(OneOfEverything.SOCKET + ": missing");
  }

  @ParameterizedTest
  @CsvSource({"xfs, 320M", "btrfs, 256M", "ext4, 512M"})
  void toAnotherFileSystemAndBack(String type, String size) throws Exception {
    OneOfEverything.ofRoot(source, SHORTER_TARGET_BYTES);
    try (Mounted other = Mounted.inFile(dir, type, size, "-q")) {
      compare(source, other.path());
      Path back = Files.createDirectory(dir.resolve("back"));
      compare(other.path().resolve("cp"), back);
    }
  }

  @Test
  void toMemoryAndBack() throws Exception {
    OneOfEverything.ofRoot(source, PATH_BYTES_MAX);
    try (Mounted memory = Mounted.inMemory(dir, "tmpfs")) {
      compare(source, memory.path());
      Path back = Files.createDirectory(dir.resolve("back"));
      compare(memory.path().resolve("cp"), back);
    }
  }

  @Test
  void intoATreeThatIsThere() throws Exception {
    OneOfEverything.ofRoot(source, PATH_BYTES_MAX);
    compare(source, dir);
    for (String tree : List.of("cp", "zcp")) {
      Programs.run(
          "sh",
          "-ec",
          "cd \"$1\"; find . -type d -exec chmod 777 {} + -exec chown 5:5 {} +"
              + " -exec setfattr -n user.left -v over {} +"
              + " -exec setfacl -m u:1:x,d:u:2:x {} + -exec touch -d @5 {} +;"
              + " find sizes -type f -exec chmod 640 {} +; rm sizes/4096 links/ping",
          "sh",
          dir.resolve(tree).toString());
    }
    Programs.run("cp", "-aT", source.toString(), dir.resolve("cp").toString());
    removeSocket(source, dir.resolve("cp"));
    copy(List.of(), source, dir.resolve("zcp"));
    assertSame(dir.resolve("cp"), dir.resolve("zcp"));
  }

  /// The same as a user: what is theirs, and files of others, of which they may keep less.
  @Test
  void asAUser() throws Exception {
    Programs.run("chmod", "755", dir.toString());
    Programs.run("cp", "-R", BuiltZcp.LAUNCHER.getParent().getParent().toString(), "" + dir);
    OneOfEverything.ofUser(source, PATH_BYTES_MAX);
    Programs.run("chown", "-hR", "65534:65534", source.toString());
    // chown(2) took setuid and setgid away.
    Programs.run(
        "sh",
        "-ec",
        "cd \"$1\"; for place in modes-of-files modes-of-directories; do for each in $place/*; do"
            + " chmod ${each##*/} $each; done; done; mkdir others; cd others; for mode in 4755 2755"
            + " 6755 644; do echo $mode > $mode; chmod $mode $mode; mkdir in-$mode; chmod $mode"
            + " in-$mode; done; echo ours > ours; chgrp 100 ours; chmod 664 ours",
        "sh",
        source.toString());
    Path place = Files.createDirectory(dir.resolve("place"));
    Programs.run("chown", "65534:65534", place.toString());
    List<String> user = List.of("setpriv", "--reuid=65534", "--regid=65534", "--groups=100");
    Programs.run(
        user.get(0),
        user.get(1),
        user.get(2),
        user.get(3),
        "cp",
        "-aT",
        source.toString(),
        place.resolve("cp").toString());
    BuiltZcp.Ended ended = copy(user, source, place.resolve("zcp"));
    assertThat(ended.err()).contains("owner and group").contains("permissions");
    assertSame(place.resolve("cp"), place.resolve("zcp"));
    Path ours = place.resolve("zcp/others/ours");
    assertThat(Files.getAttribute(ours, "unix:gid")).as("a group of the user").isEqualTo(100);
  }

  /// Copies `from` to `to/zcp` and to `to/cp`.
  private void compare(Path from, Path to) throws Exception {
    BuiltZcp.Ended ended = copy(List.of(), from, to.resolve("zcp"));
    boolean hasSocket = Files.exists(from.resolve(OneOfEverything.SOCKET));
    if (hasSocket) {
      assertThat(ended.err()).contains("specials/socket");
    }
    Programs.run("cp", "-aT", from.toString(), to.resolve("cp").toString());
    removeSocket(from, to.resolve("cp"));
    assertSame(to.resolve("cp"), to.resolve("zcp"));
  }

  /// cp makes one, which nobody listens at; zcp names it and makes none.
  private static void removeSocket(Path from, Path copy) throws IOException {
    Files.deleteIfExists(copy.resolve(OneOfEverything.SOCKET));
    Programs.run("touch", "-r", from + "/specials", copy.resolve("specials").toString());
  }

  private static void assertSame(Path cp, Path zcp) throws IOException {
    // Where blocks are given out late they are counted late.
    Programs.run("sync", "-f", zcp.toString());
    TreeSnapshot expected = TreeSnapshot.of(cp);
    assertThat(expected.differences(TreeSnapshot.of(zcp))).isEmpty();
    assertThat(expected.size()).isGreaterThan(1000);
  }

  private BuiltZcp.Ended copy(List<String> before, Path from, Path to) throws Exception {
    BuiltZcp.Ended ended =
        BuiltZcp.run(dir, before, "copy", "-a", "-T", from.toString(), to.toString());
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    return ended;
  }
}
