package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a copy of a tree tells, from the command line on.
@Timeout(60)
class TreeReportsTest {

  @TempDir Path folder;

  private Path source;
  private Path target;

  /// Two directories, three files of six bytes in all, a link.
  @BeforeEach
  void makeATree() throws IOException {
    source = folder.resolve("source");
    target = folder.resolve("target");
    Files.createDirectories(source.resolve("below"));
    for (int bytes = 1; bytes <= 3; bytes++) {
      Files.write(source.resolve("below/f" + bytes), new byte[bytes]);
    }
    Files.createSymbolicLink(source.resolve("link"), Path.of("nowhere"));
  }

  @Test
  void theSummaryCountsWhatATreeHas() {
    Cli.Result result = Cli.run("copy", "-a", source.toString(), target.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).isEmpty();
    assertThat(result.err().replaceAll("\\s+", " "))
        .startsWith("copied 3 files, 6 B, 2 directories, 1 link in ")
        .contains("; verified: none ")
        .doesNotContain("device");
  }

  @Test
  void theJsonResultCountsWhatATreeHas() {
    Cli.Result result = Cli.run("copy", "-a", "-q", "--json", source.toString(), target.toString());
    assertThat(result.out().lines().filter(line -> line.contains("\"event\":\"file\""))).hasSize(3);
    assertThat(lastLine(result.out()))
        .contains("\"files\":3,\"filesFailed\":0,\"bytes\":6,")
        .contains("\"directories\":2,\"symlinks\":1,\"hardLinks\":0,\"specials\":0,")
        .contains(
            "\"planned\":null,\"losses\":[],\"declined\":[],\"paths\":{\"small"
                + " buffer\":3},\"bytesDurable\":null");
  }

  @Test
  void whatIsOnTheDeviceIsToldWhereThatWasAskedFor() {
    Cli.Result result =
        Cli.run("copy", "-a", "-q", "--json", "--fsync", source.toString(), target.toString());
    assertThat(lastLine(result.out())).contains("\"bytesDurable\":6");
    assertThat(Cli.run("copy", "-a", "--fsync", source.toString(), target + "2").err())
        .contains("all on the device");
  }

  @Test
  void aDryRunPrintsALineForEachEntryAndLeavesTheTargetAlone() {
    Cli.Result result = Cli.run("copy", "-a", "--dry-run", source.toString(), target.toString());
    assertThat(result.out().lines())
        .containsExactlyInAnyOrder(
            line("make directory", ""),
            line("make directory", "/below"),
            line("copy", "/below/f1"),
            line("copy", "/below/f2"),
            line("copy", "/below/f3"),
            line("make symbolic link", "/link"));
    assertThat(result.err())
        .isEqualTo(
            "would copy 3 files, 6 B, 2 directories, 1 link;\n"
                + "  nothing was done, as --dry-run asks\n");
    assertThat(target).doesNotExist();
  }

  @Test
  void aDryRunTellsWhatIsSkipped() throws IOException {
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(source.resolve("below/socket")));
      Cli.Result result = Cli.run("copy", "-a", "--dry-run", source.toString(), target.toString());
      assertThat(result.exitCode()).isZero();
      assertThat(result.out().lines()).contains(line("skip", "/below/socket"));
      assertThat(result.err()).contains("nothing was done");
    }
  }

  @Test
  void aDryRunForAProgramIsAnEventForEachEntry() {
    Cli.Result result =
        Cli.run("copy", "-a", "--dry-run", "-q", "--json", source.toString(), target.toString());
    List<String> planned =
        result.out().lines().filter(line -> line.contains("\"event\":\"planned\"")).toList();
    assertThat(planned)
        .hasSize(6)
        .contains(
            "{\"event\":\"planned\",\"action\":\"copy\",\"name\":\""
                + source.resolve("below/f3")
                + "\",\"target\":\""
                + target.resolve("below/f3")
                + "\",\"bytes\":3}");
    assertThat(lastLine(result.out()))
        .contains("\"files\":0,\"filesFailed\":0,\"bytes\":0,")
        .contains("\"planned\":{\"files\":3,\"bytes\":6,\"replaced\":0,\"directories\":2,");
  }

  @Test
  void aDryRunOfAttributesSaysThatNoDataIsCopied() throws IOException {
    Files.createDirectories(target.resolve("below"));
    Files.writeString(target.resolve("below/f1"), "own data");
    Files.setLastModifiedTime(
        target.resolve("below"), Files.getLastModifiedTime(source.resolve("below")));
    Cli.Result result =
        Cli.run(
            "copy",
            "-a",
            "--attributes-only",
            "--dry-run",
            source.resolve("below") + "/.",
            target.resolve("below").toString());
    assertThat(result.out().lines())
        .containsExactlyInAnyOrder(
            "copy attributes " + source + "/below/f1 -> " + target + "/below/f1",
            "copy attributes " + source + "/below/f2 -> " + target + "/below/f2",
            "copy attributes " + source + "/below/f3 -> " + target + "/below/f3");
    assertThat(result.err())
        .isEqualTo("would copy 3 files, 0 B; nothing was done, as --dry-run asks\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--link", "--symbolic-link", "--attributes-only"})
  void aCopyWithoutDataHasNoBytesToMove(String option) {
    Cli.Result result =
        Cli.run("copy", "-q", "--json", option, source + "/below/f3", folder.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(result.out().lines().findFirst().orElseThrow())
        .contains("\"event\":\"started\"")
        .contains("\"bytes\":0");
  }

  private String line(String action, String entry) {
    return action + " " + source + entry + " -> " + target + entry;
  }

  private static String lastLine(String out) {
    return out.substring(out.lastIndexOf('\n', out.length() - 2) + 1);
  }
}
