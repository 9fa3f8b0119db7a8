package dev.zcp.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.RawPath;
import dev.zcp.json.JsonObject;
import dev.zcp.profile.MeasuredRoute.Measured;
import dev.zcp.profile.Mounts.Mount;
import dev.zcp.profile.Profile.Finding;
import dev.zcp.profile.RouteTunings.UserProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ProfileFileTest {

  private static final int DAMAGES = 2_000;
  private static final int WRITERS = 8;

  private static final MeasuredRoute COPY =
      new MeasuredRoute(
          new RouteKey.Copy(
              new Mount("ext4", "/dev/sda1", "/"), new Mount("fuse.x", "h:/a\\134b", "/a\\040b")),
          "6.1.0-9-amd64",
          "2026-11-21",
          "zcp 0.1",
          256 << 20,
          true,
          List.of(
              new Measured("direct", 0, 400_000, 390_000, 410_000, 7),
              new Measured("direct", 1 << 20, 380_000, 380_000, 380_000, 3)));

  private static final MeasuredRoute SEND =
      new MeasuredRoute(
          new RouteKey.Send("10.0.0.2"), "6.1", "2026-11-20", "zcp 0.1", 1 << 30, false, List.of());

  @TempDir Path dir;

  private Path file;

  @BeforeEach
  void name() {
    file = dir.resolve("new/zcp/profile.json");
  }

  @Test
  void twoWaysAreBothKept() throws Exception {
    assertThat(add(COPY)).isEmpty();
    assertThat(add(SEND)).isEmpty();
    assertThat(new UserProfile(RawPath.of(file)).isMissing()).isFalse();
    assertThat(read().routes()).containsExactly(COPY, SEND);
  }

  @Test
  void nobodyElseMayReadIt() throws Exception {
    add(COPY);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void withoutAFileThereIsNone() {
    assertThatThrownBy(this::read).isInstanceOf(NoSuchFileException.class);
    UserProfile none = new UserProfile(RawPath.of(file));
    assertThat(none.isMissing()).isTrue();
    assertThat(none.find(COPY.routeKey())).isEqualTo(new Finding.Nothing());
    assertThat(new UserProfile(null).isMissing()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"format" : 2, "ways" : []}             | is of format 2, and this zcp knows 1
          {"format" : 1}                          | has no proper 'ways'
          {"ways" : []}                           | has no proper 'format'
          {"format" : 1, "ways" : []} {}          | goes on after its object
          {"format" : 1, "ways" : [ 7 ]}          | has no proper 'ways'
          {"format" : -1, "ways" : []}            | has no proper 'format'
          {"format" : 99999999999999999999}       | is not JSON
          [1]                                     | is not a JSON object
          hello                                   | is not JSON
          {"format" : 1, "ways" : [{"host":"\u00fc"}]} | has no proper 'host'
          """)
  void whatIsNoProfileIsTold(String text, String message) throws Exception {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThatThrownBy(this::read).isInstanceOf(JsonObject.MalformedJson.class).hasMessage(message);
    assertThat(new UserProfile(RawPath.of(file)).find(COPY.routeKey()))
        .isEqualTo(new Finding.Unusable(message));
  }

  @Test
  void theFieldThatIsDamagedIsNamed() throws Exception {
    add(COPY);
    Files.writeString(file, Files.readString(file).replace("\"runs\" : 3", "\"runs\" : 0"));
    assertThatThrownBy(this::read).hasMessage("has no proper 'runs'");
  }

  @Test
  void aFileThatIsTooLongIsNotRead() throws Exception {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "{\"format\":1,\"ways\":[" + " ".repeat(4 << 20) + "]}");
    assertThatThrownBy(this::read).hasMessage("is longer than a profile can be");
  }

  /// Whatever the bytes, reading gives a profile or says that it is none.
  @Test
  void damageAtAnyByteIsToldOrHarmless() throws Exception {
    add(COPY);
    add(SEND);
    byte[] whole = Files.readAllBytes(file);
    long seed = System.nanoTime();
    System.out.println("ProfileFileTest: seed " + seed);
    Random random = new Random(seed);
    int told = 0;
    for (int i = 0; i < DAMAGES; i++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      int length = random.nextBoolean() ? damaged.length : random.nextInt(damaged.length);
      Files.write(file, Arrays.copyOf(damaged, length));
      Finding finding = new UserProfile(RawPath.of(file)).find(COPY.routeKey());
      told += finding instanceof Finding.Unusable ? 1 : 0;
    }
    assertThat(told).as("seed " + seed).isGreaterThan(DAMAGES / 4);
  }

  @Test
  void whatIsNoProfileIsReplacedAndToldOf() throws Exception {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "hello");
    assertThat(add(COPY)).isEqualTo("is not JSON");
    assertThat(read().routes()).containsExactly(COPY);
  }

  @Test
  void writersAtOnceLoseNothingAndLeaveNothingBehind() throws Exception {
    try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<String>> all = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        MeasuredRoute routeKey =
            new MeasuredRoute(
                new RouteKey.Send("10.0.0." + i), "6.1", "d", "z", 1, true, List.of());
        all.add(writers.submit(() -> add(routeKey)));
      }
      for (Future<String> each : all) {
        assertThat(each.get()).isEmpty();
      }
    }
    assertThat(read().routes()).hasSize(WRITERS);
    try (Stream<Path> left = Files.list(file.getParent())) {
      assertThat(left.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder(".profile.lock", "profile.json");
    }
  }

  @Test
  void aLinkStaysALinkAndWhatItPointsToIsReplaced() throws Exception {
    Path real = dir.resolve("real.json");
    Files.createDirectories(file.getParent());
    Files.createSymbolicLink(file, Path.of("../../real.json"));
    add(COPY);
    add(SEND);
    assertThat(file).isSymbolicLink();
    assertThat(Files.isSymbolicLink(real)).isFalse();
    assertThat(Profile.read(RawPath.of(real)).routes()).containsExactly(COPY, SEND);
  }

  @Test
  void aLinkInACircleIsRefused() throws Exception {
    Files.createDirectories(file.getParent());
    Files.createSymbolicLink(file, file);
    assertThatThrownBy(() -> add(COPY)).isInstanceOf(IOException.class);
    assertThat(file).isSymbolicLink();
  }

  @Test
  void whatIsNoRegularFileIsRefusedAndStays() throws Exception {
    Files.createDirectories(file);
    assertRefused(file);
    assertThat(file).isDirectory();
    Path pipe = dir.resolve("pipe");
    assumeTrue(
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "needs mkfifo(1)");
    assertRefused(pipe);
    Path link = Files.createSymbolicLink(dir.resolve("link"), pipe);
    assertRefused(link);
    assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther()).isTrue();
  }

  private static void assertRefused(Path there) {
    RawPath path = RawPath.of(there);
    assertThatThrownBy(() -> Profile.requireWritable(path))
        .hasMessageContaining("is not a regular file");
    assertThatThrownBy(() -> Profile.add(path, COPY)).hasMessageContaining("is not a regular file");
  }

  @Test
  void whatCanBeWrittenIsLeftAsItIs() throws Exception {
    Profile.requireWritable(RawPath.of(file));
    assertThat(file.getParent()).isEmptyDirectory();
  }

  @Test
  void theFileCanBeReadByAnyProgram() throws Exception {
    add(COPY);
    assertThat(new String(Files.readAllBytes(file), StandardCharsets.US_ASCII))
        .contains("\"point\" : \"/a\\\\040b\"", "\"medianNsPerMiB\" : 400000");
  }

  private String add(MeasuredRoute routeKey) throws IOException {
    return Profile.add(RawPath.of(file), routeKey);
  }

  private Profile read() throws Exception {
    return Profile.read(RawPath.of(file));
  }
}
