package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.RawPath;
import dev.zcp.profile.MeasuredRoute;
import dev.zcp.profile.MeasuredRoute.Measured;
import dev.zcp.profile.Mounts;
import dev.zcp.profile.Mounts.Mount;
import dev.zcp.profile.Profile;
import dev.zcp.profile.RouteKey;
import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a profile makes `auto` do, and what it never does: end a transfer.
@Timeout(120)
class ProfiledTransfersTest {

  private static final long LONG_BYTES = 256 << 20;
  private static final int DAMAGES = 25;

  /// Never the one that auto takes by itself between two files, or to a receiver.
  private static final String PREFERRED = "heap";

  @TempDir Path dir;

  private Path profile;
  private Path longFile;
  private Path shortFile;

  @BeforeEach
  void makeFiles() throws IOException {
    profile = dir.resolve("profile.json");
    longFile = dir.resolve("long");
    Programs.zeros(longFile, LONG_BYTES);
    shortFile = Files.writeString(dir.resolve("short"), "content");
  }

  @Test
  void aLongFileGoesByWhatWasMeasuredAndAShortOneAsEver() throws Exception {
    Cli.Result before = copy(longFile);
    write(here(Profile.kernel()));
    Cli.Result tuned = copy(longFile);
    assertThat(Files.mismatch(longFile, dir.resolve("target"))).isEqualTo(-1);
    assertThat(strategy(before)).isNotEqualTo(PREFERRED);
    assertThat(strategy(tuned)).isEqualTo(PREFERRED);
    assertThat(strategy(copy(shortFile))).isEqualTo("direct");
    assertThat(tuned.out()).doesNotContain("\"note\"");
  }

  @Test
  void theMeasuredChunkIsTheLongestStepUnlessAnotherIsAskedFor() throws Exception {
    write(here(Profile.kernel()));
    assertLongestStep(128 << 10, copy(longFile));
    assertLongestStep(64 << 10, copy(longFile, "--chunk-size=64K"));
  }

  @Test
  void aStrategyAskedForByNameIsTaken() throws Exception {
    write(here(Profile.kernel()));
    assertThat(strategy(copy(longFile, "--strategy=stream"))).isEqualTo("stream");
  }

  @Test
  void anEmptyVariableTurnsTheProfileOff() throws Exception {
    write(here(Profile.kernel()));
    Cli.Result off = Cli.run(Map.of("ZCP_PROFILE", ""), arguments(longFile));
    assertThat(strategy(off)).isNotEqualTo(PREFERRED);
  }

  @Test
  void theProfileIsFoundWhereTheSpecificationPutsIt() throws Exception {
    profile = dir.resolve("zcp/profile.json");
    write(here(Profile.kernel()));
    Map<String, String> config = Map.of("XDG_CONFIG_HOME", dir.toString(), "HOME", "/nowhere");
    assertThat(strategy(Cli.run(config, arguments(longFile)))).isEqualTo(PREFERRED);
    Path home = dir.resolve("home");
    Files.createDirectories(home.resolve(".config/zcp"));
    Files.copy(profile, home.resolve(".config/zcp/profile.json"));
    Map<String, String> own = Map.of("XDG_CONFIG_HOME", "relative", "HOME", home.toString());
    assertThat(strategy(Cli.run(own, arguments(longFile)))).isEqualTo(PREFERRED);
  }

  @Test
  void figuresOfAnotherKernelAreToldOfOnceAndNotUsed() throws Exception {
    write(here("1.0"));
    Path second = Files.copy(longFile, dir.resolve("second"));
    Path into = Files.createDirectory(dir.resolve("into"));
    Cli.Result copied =
        Cli.run(
            environment(),
            "copy",
            "--json",
            longFile.toString(),
            second.toString(),
            into.toString());
    assertThat(copied.exitCode()).as(copied.err()).isZero();
    assertThat(strategy(copied)).isNotEqualTo(PREFERRED);
    assertThat(copied.err()).containsOnlyOnce("was measured on kernel 1.0, and this is ");
    assertThat(copied.out()).containsOnlyOnce("\"event\":\"note\"");
  }

  @Test
  void figuresOfAnotherMountAreToldOfAndNotUsed() throws Exception {
    RouteKey.Copy routeKey = Mounts.read().between(longFile, dir);
    Mount other = new Mount("nofs", routeKey.to().source(), routeKey.to().point());
    write(tuned(new RouteKey.Copy(routeKey.from(), other), Profile.kernel()));
    Cli.Result copied = copy(longFile);
    assertThat(strategy(copied)).isNotEqualTo(PREFERRED);
    assertThat(copied.err()).contains("was nofs of ");
  }

  @Test
  void figuresOfAnotherWayAreNotSpokenOf() throws Exception {
    Mount other = new Mount("ext4", "/dev/sdx", "/somewhere/else");
    write(tuned(new RouteKey.Copy(other, other), Profile.kernel()));
    Cli.Result copied = copy(longFile);
    assertThat(strategy(copied)).isNotEqualTo(PREFERRED);
    assertThat(copied.out()).doesNotContain("\"note\"");
  }

  @Test
  void noDamagedProfileEverFailsACopy() throws Exception {
    write(here(Profile.kernel()));
    byte[] whole = Files.readAllBytes(profile);
    long seed = System.nanoTime();
    System.out.println("ProfiledTransfersTest: seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < DAMAGES; i++) {
      byte[] damaged = Arrays.copyOf(whole, whole.length - random.nextInt(2) * random.nextInt(99));
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      Files.write(profile, damaged);
      Cli.Result copied = copy(longFile);
      assertThat(copied.exitCode()).as("seed " + seed + ": " + copied.err()).isZero();
    }
    Files.writeString(profile, "{\n\n hello");
    assertThat(copy(longFile).err()).contains(profile + ": is not JSON (it is not used;");
  }

  @Test
  void aProfileThatIsNoFileFailsNoCopy() throws Exception {
    Files.createDirectory(profile);
    Cli.Result copied = copy(longFile);
    assertThat(copied.exitCode()).isZero();
    assertThat(copied.err()).contains(profile + ": cannot be read: ");
  }

  @Test
  void aLongFileIsSentByWhatWasMeasuredToItsHost() throws Exception {
    write(tuned(new RouteKey.Send("loopback"), Profile.kernel()));
    Map<String, String> environment = new HashMap<>(environment());
    environment.put("ZCP_KEY", Key.random().text());
    Path inbox = Files.createDirectory(dir.resolve("inbox"));
    try (ZcpProcess receiver =
        ZcpProcess.start(dir, environment, "receive", "--listen=127.0.0.1:0", inbox.toString())) {
      int port = receiver.port();
      Cli.Result sent =
          Cli.run(environment, "send", "--json", "localhost:" + port, longFile.toString());
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(strategy(sent)).isEqualTo(PREFERRED);
      Cli.Result brief =
          Cli.run(environment, "send", "--json", "127.0.0.1:" + port, shortFile.toString());
      assertThat(strategy(brief)).isNotEqualTo(PREFERRED);
    }
  }

  private Cli.Result copy(Path source, String... options) {
    Cli.Result copied = Cli.run(environment(), arguments(source, options));
    assertThat(copied.exitCode()).as(copied.err()).isZero();
    return copied;
  }

  private String[] arguments(Path source, String... options) {
    List<String> all = new ArrayList<>(List.of("copy", "--json"));
    all.addAll(List.of(options));
    all.add(source.toString());
    all.add(dir.resolve("target").toString());
    return all.toArray(String[]::new);
  }

  private Map<String, String> environment() {
    return Map.of("ZCP_PROFILE", profile.toString());
  }

  /// The kernel may give fewer bytes than a read asks for, so there may be more steps.
  private static void assertLongestStep(long bytes, Cli.Result copied) {
    Matcher ran = Pattern.compile("\"steps\":(\\d+),\"fellBack").matcher(copied.out());
    assertThat(ran.find()).isTrue();
    long steps = Long.parseLong(ran.group(1));
    long fewest = LONG_BYTES / bytes;
    assertThat(steps).isGreaterThanOrEqualTo(fewest).isLessThan(2 * fewest);
  }

  private MeasuredRoute here(String kernel) throws IOException {
    return tuned(Mounts.read().between(longFile, dir), kernel);
  }

  private static MeasuredRoute tuned(RouteKey routeKey, String kernel) {
    return new MeasuredRoute(
        routeKey,
        kernel,
        "2026-11-21",
        "zcp 0",
        LONG_BYTES,
        true,
        List.of(new Measured(PREFERRED, 128 << 10, 1, 1, 1, 7)));
  }

  private void write(MeasuredRoute tuned) throws IOException {
    Profile.add(RawPath.of(profile), tuned);
  }

  /// What moved the bytes of the file.
  private static String strategy(Cli.Result result) {
    String key = "\"strategyUsed\":[{\"strategy\":\"";
    int start = result.out().lastIndexOf(key) + key.length();
    return result.out().substring(start, result.out().indexOf('"', start));
  }
}
