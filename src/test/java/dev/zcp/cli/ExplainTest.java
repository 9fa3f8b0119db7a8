package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.RawPath;
import dev.zcp.profile.MeasuredRoute;
import dev.zcp.profile.MeasuredRoute.Measured;
import dev.zcp.profile.Mounts;
import dev.zcp.profile.Profile;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainTest {

  @TempDir Path dir;

  private Path profile;
  private Path source;

  @BeforeEach
  void makeSource() throws IOException {
    profile = dir.resolve("profile.json");
    source = dir.resolve("source");
    try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw")) {
      file.setLength(256 << 20);
    }
    Programs.run("fallocate", "-l", "256M", source.toString());
  }

  @Test
  void withoutAProfileTheEstimatesAreCalledSuch() {
    String said = explain(dir);
    assertThat(said)
        .contains("256 MiB, from a file to a file: from ")
        .contains("estimated\n")
        .doesNotContain("  measured\n");
    // The length of the folder's name decides where the line ends.
    assertThat(said.replace('\n', ' ')).contains("has no figures of this route");
  }

  @Test
  void whatWasMeasuredIsCalledSuchWithItsDate() throws Exception {
    write(Profile.kernel(), true);
    String said = explain(dir);
    assertThat(said)
        .contains("auto takes heap, in chunks of up to 128 KiB")
        .containsPattern("heap +4\\.00 µs +1\\.00 µs +260 µs +128 KiB  measured\n");
    assertThat(said.replace('\n', ' ')).contains("measured on 2026-11-21 with a file");
    assertThat(explain(dir, "--json"))
        .contains("\"used\":true", "\"measured\":\"2026-11-21\"", "\"strategy\":\"heap\"")
        .hasLineCount(1);
  }

  @Test
  void aLongFileOnExt4GoesByTwoThreadsUnlessTheProfileKnowsBetter() throws Exception {
    assumeTrue(Files.getFileStore(dir).type().equals("ext4"), "the folder is not on ext4");
    assertThat(explain(dir)).contains("Path: two threads");
    assertThat(explain(dir, "--json")).contains("\"path\":\"two threads\"");
    write(Profile.kernel(), true);
    assertThat(explain(dir)).contains("auto takes heap");
    assertThat(explain(dir, "--json")).contains("\"path\":\"strategy steps\"");
  }

  @Test
  void ofATreeTheFilesAreCountedByTheWayTheyGo() throws Exception {
    Path tree = Files.createDirectories(dir.resolve("tree/below")).getParent();
    for (int i = 0; i < 3; i++) {
      Files.write(tree.resolve("small" + i), new byte[1000 + i]);
    }
    Files.write(tree.resolve("below/medium"), new byte[1 << 20]);
    Files.createLink(tree.resolve("another"), tree.resolve("small0"));
    try (RandomAccessFile file = new RandomAccessFile(tree.resolve("holes").toFile(), "rw")) {
      file.setLength(9 << 20);
    }
    source = tree;
    assertThat(explain(dir, "--json"))
        .contains("\"source\":\"directory\"", "\"files\":5,\"bytes\":10488763,\"others\":2,")
        .contains("{\"path\":\"small buffer\",\"files\":3,\"bytes\":3003,\"strategies\":[],")
        .contains("\"example\":\"" + tree + "/small2\"}")
        .contains("{\"path\":\"one call\",\"files\":1,\"bytes\":1048576,")
        .containsPattern(
            "\"path\":\"strategy steps\",\"files\":1,\"bytes\":9437184,\"strategies\":\\[\"\\w+")
        .hasLineCount(1);
    // Nothing of it may be left.
    assertThat(dir).isDirectoryNotContaining("glob:**/.zcp*");
  }

  @Test
  void aFileWithHolesGoesByStrategySteps() throws Exception {
    source = dir.resolve("holes");
    try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw")) {
      file.setLength(256 << 20);
    }
    assertThat(explain(dir, "--json")).contains("\"path\":\"strategy steps\"");
  }

  @Test
  void aVerifiedFileGoesThroughMemoryOverLoopback() throws Exception {
    String loopback = explain(Path.of("localhost:1"));
    assertThat(loopback).contains("auto takes transferTo");
    assertThat(loopback.replace('\n', ' ')).contains("A file that is verified goes by direct");
    assertThat(explain(Path.of("localhost:1"), "--json")).contains("\"whenVerified\":\"direct\"");
    assertThat(explain(Path.of("192.0.2.1:1"))).doesNotContain("is verified");
    assertThat(explain(dir, "--json")).contains("\"whenVerified\":null");
  }

  @Test
  void aShortFileGoesWithoutTheProfile() throws Exception {
    write(Profile.kernel(), true);
    source = Files.writeString(dir.resolve("short"), "content");
    assertThat(explain(dir)).contains("Path: small buffer").doesNotContain("  measured\n");
    assertThat(explain(dir).replace('\n', ' ')).contains("a file under 256 MiB would lose more");
  }

  @Test
  void aProfileThatFoundNothingBetterIsToldOf() throws Exception {
    write(Profile.kernel(), false);
    assertThat(explain(dir)).doesNotContain("  measured\n");
    assertThat(explain(dir).replace('\n', ' '))
        .contains("nothing beat what auto takes by itself by more than chance");
  }

  @Test
  void aStaleProfileIsToldOfWithTheReason() throws Exception {
    write("1.0", true);
    assertThat(explain(dir).replace('\n', ' ')).contains("was measured on kernel 1.0, and this is");
    assertThat(explain(dir, "--json"))
        .contains("\"used\":false", "was measured on kernel 1.0, and this is");
  }

  @Test
  void whatIsNoProfileIsToldOfByItsLine() throws Exception {
    Files.writeString(profile, "\nhello");
    assertThat(explain(dir).replace('\n', ' ')).contains("is not JSON");
  }

  @Test
  void refusalsAreToldWithTheirReason() {
    assertThat(explain(Path.of("/dev/null"))).contains("copyFileRange  no: needs a file at both");
  }

  @Test
  void bothCommandsSayOfEachStrategyWhatWasFoundByTryingIt() {
    Cli.Result strategies = Cli.run(environment(), "strategies", source.toString(), dir.toString());
    boolean isRefused = strategies.out().contains("reflink        no: ");
    assertThat(explain(dir).contains("reflink        no: ")).isEqualTo(isRefused);
    assertThat(explain(dir, "--json").contains("{\"strategy\":\"reflink\",\"reason\":"))
        .isEqualTo(isRefused);
    assertThat(explain(dir).replace('\n', ' '))
        .contains("Each was tried with the first 64.0 KiB of the source");
    assertThat(strategies.out().replace('\n', ' ')).contains("Each was tried with the first");
  }

  @Test
  void theEndsAreToldWithThePageCacheAndTheSpace() {
    assertThat(explain(dir).replace("\n        ", " "))
        .containsPattern(
            "\nsource  \\w+ at /\\S* \\(\\S+\\); .* of the file is in the page cache\n")
        .containsPattern("\ntarget  \\w+ at /\\S* \\(\\S+\\); \\S+ \\wiB free\n");
    assertThat(explain(dir, "--json"))
        .containsPattern("\"cachedBytes\":\\d+,")
        .containsPattern("\"freeBytes\":\\d")
        .contains("\"connection\":null", "\"tried\":true");
  }

  @Test
  void aPathOnAnotherMachineIsSentThere() {
    Cli.Result said = Cli.run("explain", source.toString(), "host:/backup");
    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.err()).startsWith("zcp explain: host:/backup is on another machine");
  }

  @Test
  void aReceiverIsExplainedWithoutBeingCalled() {
    Cli.Result said = Cli.run(environment(), "explain", "-v", source.toString(), "localhost:1");
    assertThat(said.out())
        .contains("from a file to a socket: to loopback")
        .contains("target  a connection, not encrypted;")
        .contains("Nothing was tried: it would take a connection");
    assertThat(said.out().replaceAll("\\s+", " "))
        .contains("Nothing is compressed on this machine, unless --compress asks for it.");
    Cli.Result unknown = Cli.run(environment(), "explain", "-v", source.toString(), "no.invalid:1");
    assertThat(unknown.exitCode()).isZero();
    assertThat(unknown.out())
        .contains("from a file to a socket.\n")
        .contains("zcp's own estimates: no.invalid:1: no such host.\n")
        .contains("shrinks by a tenth goes compressed instead")
        .doesNotContain("known length");
  }

  @Test
  void withoutMoreItIsFourLines() {
    String target = dir.resolve("x").toString();
    for (String[] ends : new String[][] {{source + "", target}, {"-", target}, {"-", "-"}}) {
      Cli.Result said = Cli.run(environment(), "explain", ends[0], ends[1]);
      assertThat(said.exitCode()).as(said.err()).isZero();
      assertThat(said.out().lines()).hasSizeLessThanOrEqualTo(5);
      assertThat(said.out())
          .containsPattern("\n(Path: |auto takes )")
          .endsWith("-v tells what each costs here, and why others cannot serve.\n");
    }
  }

  @Test
  void standardInputHasNoKnownLength() {
    Cli.Result said = Cli.run(environment(), "explain", "-v", "-", dir.resolve("x").toString());
    assertThat(said.out())
        .startsWith("An unknown number of bytes, from a pipe to a file.\n")
        .contains("a profile knows only files of known length");
    assertThat(Cli.run(environment(), "explain", "--json", "-", "-").out())
        .contains("\"bytes\":null", "\"from\":null");
  }

  @Test
  void anOptionOfAnotherCommandIsNoAbbreviation() {
    Cli.Result result = Cli.run("explain", "--strategy=mmap", source + "", dir + "/target");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("zcp explain: unknown option '--strategy' (an option of zcp copy, zcp sync, ");
  }

  @Test
  void anEndThatIsMissingIsUsage() {
    assertThat(Cli.run("explain").err()).startsWith("zcp explain: SOURCE and TARGET are missing\n");
    assertThat(Cli.run("explain", "a").err()).startsWith("zcp explain: TARGET is missing after a");
    assertThat(Cli.run("explain", "a", "b", "c").exitCode()).isEqualTo(2);
  }

  @Test
  void strategiesSaysItToo() throws Exception {
    write(Profile.kernel(), true);
    Cli.Result said = Cli.run(environment(), "strategies", source.toString(), dir.toString());
    assertThat(said.out())
        .startsWith("STRATEGY ")
        .contains("auto takes heap, in chunks of up to 128 KiB");
  }

  private String explain(Path target, String... options) {
    String[] words = new String[options.length + 4];
    words[0] = "explain";
    words[1] = "-v";
    System.arraycopy(options, 0, words, 2, options.length);
    words[words.length - 2] = source.toString();
    words[words.length - 1] = target.toString();
    Cli.Result said = Cli.run(environment(), words);
    assertThat(said.exitCode()).as(said.err()).isZero();
    return said.out();
  }

  private Map<String, String> environment() {
    return Map.of("ZCP_PROFILE", profile.toString(), "LANG", "C.UTF-8");
  }

  private void write(String kernel, boolean better) throws IOException {
    Profile.add(
        RawPath.of(profile),
        new MeasuredRoute(
            Mounts.read().between(source, dir),
            kernel,
            "2026-11-21",
            "zcp 0",
            256 << 20,
            better,
            List.of(new Measured("heap", 128 << 10, 1000, 1000, 1000, 7))));
  }
}
