package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Copies to what is reached without ssh: a container, in which there is nothing but busybox and
/// the C library, and another user.
@Timeout(300)
class RshCarriersIT extends SshSetup {

  /// What a container engine does, as far as it matters here: it enters namespaces and another
  /// root, with an environment of its own. The words after its own options are a command, whatever
  /// they are.
  private static final String ENGINE =
      """
      #!/bin/sh
      [ "$1" = exec ] || exit 125
      shift
      while :; do
        case $1 in -i) shift ;; -c) shift 2 ;; *) break ;; esac
      done
      [ "$1" = web ] || { echo "no such container: $1" >&2; exit 125; }
      shift
      MORE
      exec unshare -m -p -f sh -c '
        mount -t proc proc "$0/proc" && exec chroot "$0" /bin/env -i PATH=/bin HOME=/user "$@"' \
        "ROOT" "$@"
      """;

  private Path root;

  @BeforeEach
  void makeRoot() throws Exception {
    assumeTrue(Programs.isRoot(), "only root may change the root");
    Programs.assume("unshare", "busybox");
    assumeTrue(
        Programs.run("sh", "-c", "busybox --list").contains("sha256sum"), "busybox is too small");
    root = Files.createDirectory(folder.resolve("root"));
    Programs.run(
        "sh",
        "-c",
        """
        set -e; cd "$0"; mkdir -p bin proc tmp user var/tmp dev lib64
        chmod 1777 tmp var/tmp; mknod -m 666 dev/null c 1 3; mknod -m 666 dev/urandom c 1 9
        cp "$(command -v busybox)" bin/busybox
        for each in $(bin/busybox --list); do [ -e "bin/$each" ] || ln -s busybox "bin/$each"; done
        libraries=$(ldd "$1/runtime/lib/server/libjvm.so" "$1/runtime/bin/java" \\
            "$1"/lib/*.so bin/busybox 2> /dev/null | grep -o ' /[^ ]*' | sort -u) || true
        for each in $libraries /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do
          case $each in "$1"/*) continue ;; esac
          if [ -e "$each" ]; then mkdir -p ".${each%/*}"; cp -L "$each" ".$each"; fi
        done
        """,
        root.toString(),
        BuiltZcp.LAUNCHER.getParent().getParent().toString());
    // What the quick way of building runs lies elsewhere than zcp itself.
    assumeTrue(
        Files.readString(BuiltZcp.LAUNCHER).contains("$home/lib/zcp.jar"),
        "the launcher is not that of a whole build");
    Files.writeString(from.resolve("file"), "content");
  }

  private Path engine(String name, String more) throws Exception {
    Path engine = folder.resolve(name);
    Files.writeString(engine, ENGINE.replace("ROOT", root.toString()).replace("MORE", more));
    Programs.run("chmod", "755", engine.toString());
    return engine;
  }

  private BuiltZcp.Ended carried(String rsh, String... words) throws Exception {
    String[] rest = Arrays.copyOfRange(words, 1, words.length);
    return BuiltZcp.run(folder, with(new String[] {words[0], "--rsh=" + rsh}, rest));
  }

  @ParameterizedTest
  @CsvSource({
    "docker, exec -i, true",
    "podman, exec -i {}, true",
    "kubectl, exec -i -c app, '[ \"$1\" = -- ] && shift || exit 1'",
  })
  void aContainerWithoutZcpGetsItAndTheNextCopyUsesItWithoutAWord(
      String name, String words, String more) throws Exception {
    String rsh = engine(name, more) + " " + words;
    String file = from.resolve("file").toString();
    BuiltZcp.Ended none = carried(rsh, "copy", file, "web:/tmp/x");
    assertThat(none.exitCode()).as(none.err()).isEqualTo(8);
    assertThat(none.err()).contains("--deploy");
    BuiltZcp.Ended first = carried(rsh, "copy", "--deploy", file, "web:/tmp/x");
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.err()).contains("web: put zcp into /user/.cache/zcp/");
    assertThat(root.resolve("tmp/x")).hasContent("content");
    BuiltZcp.Ended back = carried(rsh, "copy", "web:/tmp/x", to.toString());
    assertThat(back.exitCode()).as(back.err()).isZero();
    assertThat(back.err()).doesNotContain("zcp:");
    assertThat(to.resolve("x")).hasContent("content");
    BuiltZcp.Ended removed = carried(rsh, "deploy", "--remove", "web");
    assertThat(removed.err()).contains("web: copies of zcp that were removed: 1");
    assertThat(root.resolve("user/.cache/zcp")).doesNotExist();
  }

  @Test
  void anotherCLibraryAndNoShellAreNoticed() throws Exception {
    String rsh = engine("docker", "true") + " exec -i";
    for (String each : List.of("lib64/ld-linux-x86-64.so.2", "lib/ld-linux-aarch64.so.1")) {
      Files.deleteIfExists(root.resolve(each));
    }
    // What there is does not need it.
    assumeTrue(
        Programs.succeeds("chroot", root.toString(), "/bin/true"), "busybox is not a static one");
    BuiltZcp.Ended noLibrary = carried(rsh, "deploy", "web");
    assertThat(noLibrary.exitCode()).isEqualTo(8);
    assertThat(noLibrary.err()).contains("(this zcp is for another C library)");
    // As container engines do if an image has no shell.
    String bare = engine("docker", "echo 'exec: sh: no such file' >&2; exit 127") + " exec -i";
    BuiltZcp.Ended noShell = carried(bare, "copy", from.resolve("file").toString(), "web:/tmp/x");
    assertThat(noShell.exitCode()).isEqualTo(8);
    assertThat(noShell.err()).contains("web: there is no shell, or the zcp that it finds");
  }

  @Test
  void aPackageIsPutThereIfItIsOfThisBuild() throws Exception {
    String rsh = engine("docker", "true") + " exec -i";
    Path zcp = BuiltZcp.LAUNCHER.getParent().getParent();
    Path archive = folder.resolve("zcp.tar.gz");
    Programs.run(
        "sh",
        "-c",
        "cd \"$1/..\" && tar -c --exclude='*.aot' zcp | gzip -1 > \"$0\"",
        archive.toString(),
        zcp.toString());
    BuiltZcp.Ended put = carried(rsh, "deploy", "--archive=" + archive, "web");
    assertThat(put.exitCode()).as(put.err()).isZero();
    BuiltZcp.Ended used = carried(rsh, "copy", from.resolve("file").toString(), "web:/tmp/x");
    assertThat(used.exitCode()).as(used.err()).isZero();
    Files.writeString(archive, "no archive");
    carried(rsh, "deploy", "--remove", "web");
    BuiltZcp.Ended bad = carried(rsh, "deploy", "--archive=" + archive, "web");
    assertThat(bad.exitCode()).as(bad.err()).isEqualTo(4);
    assertThat(bad.err()).contains("the archive cannot be unpacked");
  }

  /// The environment of sudo(8) and su(1) may be that of whoever called them.
  @ParameterizedTest
  @CsvSource({"su, su -s /bin/sh", "sudo, sudo -u"})
  void anotherUserMayBeReachedToo(String program, String rsh) throws Exception {
    Programs.assume(program);
    Programs.run("chmod", "755", folder.toString());
    Programs.run("chmod", "777", to.toString());
    String file = from.resolve("file").toString();
    String name = Programs.run("id", "-nu", "65534");
    try {
      BuiltZcp.Ended copied = carried(rsh, "copy", "--deploy", file, name + ":" + to);
      assertThat(copied.exitCode()).as(copied.err()).isZero();
      assertThat(copied.err()).contains("put zcp into /var/tmp/zcp-65534/");
      assertThat(Files.getOwner(to.resolve("file")).getName()).isEqualTo(name);
    } finally {
      carried(rsh, "deploy", "--remove", name);
    }
    assertThat(Path.of("/var/tmp/zcp-65534")).doesNotExist();
  }
}
