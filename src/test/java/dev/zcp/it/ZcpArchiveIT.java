package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// What travels if the built zcp is put on another machine.
class ZcpArchiveIT extends SshSetup {

  @Test
  void itHasAtMost30MibAndUnpacksToTheSameFiles() throws Exception {
    Programs.assume("diff");
    Path caught = folder.resolve("archive");
    Path home = Files.createDirectory(folder.resolve("home"));
    Path engine = folder.resolve("engine");
    // The archive passes a tar of the test's own, which keeps a copy of what it unpacks.
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Files.writeString(
        bin.resolve("tar"),
        "#!/bin/sh\ncp \"$4\" %s\nexec /usr/bin/tar \"$@\"\n".formatted(caught));
    Files.writeString(
        engine,
        "#!/bin/sh\nshift\nexec env -i HOME=%s PATH=%s:/usr/bin:/bin \"$@\"\n"
            .formatted(home, bin));
    Programs.run("chmod", "755", engine.toString(), bin.resolve("tar").toString());
    Programs.run("chmod", "go-w", home.toString());
    BuiltZcp.Ended put = BuiltZcp.run(folder, "deploy", "--rsh=" + engine, "box");
    assertThat(put.exitCode()).as(put.err()).isZero();
    assertThat(caught).isRegularFile();
    assertThat(Files.size(caught)).isBetween(1L << 20, 30L << 20);
    Path there = home.resolve(".cache/zcp");
    assumeTrue(Files.isDirectory(there), "the home of the test is not used");
    String differences =
        Programs.run(
            "sh",
            "-c",
            "diff -r --no-dereference \"$0\" \"$1\"/* || true; stat -c '%a %Y' \"$0/lib/zcp.jar\""
                + " \"$1\"/*/lib/zcp.jar | uniq | wc -l",
            BuiltZcp.LAUNCHER.getParent().getParent().toString(),
            there.toString());
    assertThat(differences.lines())
        .containsExactlyInAnyOrder(
            "Only in " + BuiltZcp.LAUNCHER.getParent().getParent() + "/lib: copy.aot",
            "Only in " + BuiltZcp.LAUNCHER.getParent().getParent() + "/lib: peer.aot",
            "Only in " + BuiltZcp.LAUNCHER.getParent().getParent() + ": share",
            "1");
  }
}
