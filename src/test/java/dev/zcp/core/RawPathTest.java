package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RawPathTest {

  @TempDir Path dir;

  @Test
  void everyByteThatMayStandInANameComesBackFromADirectory() throws IOException {
    Set<RawPath> made = new HashSet<>();
    for (int value = 1; value < 256; value++) {
      if (value != '/') {
        made.add(make(new byte[] {'x', (byte) value}));
      }
    }
    assertThat(listed()).isEqualTo(made).hasSize(254);
  }

  @Test
  void randomNamesComeBackFromADirectory() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Set<RawPath> made = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      made.add(make(randomName(random)));
    }
    assertThat(listed()).as("seed %d", seed).isEqualTo(made);
  }

  @Test
  void aNameWithBytesThatAreNoTextIsOneFileByEveryRoute() throws IOException {
    byte[] name = {'c', 'a', 'f', (byte) 0xe9, '%', '2', 'F', ' ', '?', '#', '\n'};
    Path made = RawPath.of(dir).resolve(name).toPath();
    Files.writeString(made, "content");
    RawPath found = listed().iterator().next();
    assertThat(found.lastComponent()).isEqualTo(name);
    assertThat(found.toPath()).hasContent("content").isEqualTo(made);
  }

  @Test
  void aRelativePathMeansTheWorkingDirectory() {
    Path working = Path.of("").toAbsolutePath();
    assertThat(RawPath.of("pom.xml").toPath()).isRelative().exists();
    assertThat(RawPath.of(Path.of("pom.xml"))).isEqualTo(RawPath.of(working + "/pom.xml"));
    Path odd = RawPath.of(new byte[] {(byte) 0xff}).toPath();
    assertThat(odd.getParent()).isEqualTo(Path.of("/proc/self/cwd"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"//tmp//\u00e9", "/tmp/\u00e9//", "///tmp/./\u00e9/"})
  void slashesMoreThanNeededChangeNothing(String text) {
    Path path = RawPath.of(text).toPath();
    assertThat(path.isAbsolute()).isTrue();
    assertThat(RawPath.of(path).lastComponent())
        .isEqualTo("\u00e9".getBytes(StandardCharsets.UTF_8));
    assertThat(path.normalize().getNameCount()).isEqualTo(2);
  }

  @Test
  void aDirectoryHasNoSlashAtItsEnd() {
    assertThat(RawPath.of(dir).endsInSlash()).isFalse();
    assertThat(RawPath.of(Path.of("/"))).isEqualTo(RawPath.of("/"));
  }

  @ParameterizedTest
  @CsvSource({
    "a,          a",
    "a/b,        b",
    "a/b/,       b",
    "a/b//,      b",
    "/a,         a",
    "//a,        a",
    ".,          .",
    "a/..,       ..",
    "/,          ''",
    "//,         ''",
  })
  void theLastComponentIsWhatFollowsTheLastSlash(String path, String last) {
    assertThat(RawPath.of(path).lastComponent()).isEqualTo(last.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource({"a, false", "a/, true", "/, true", "a/b, false", "-/, true"})
  void onlyASlashAtTheEndIsOne(String path, boolean ends) {
    assertThat(RawPath.of(path).endsInSlash()).isEqualTo(ends);
  }

  @ParameterizedTest
  @CsvSource({"a, a/n", "a/, a/n", "/, /n", "a//, a//n", "., ./n"})
  void aNameIsPutAfterOneSlash(String path, String resolved) {
    assertThat(RawPath.of(path).resolve(new byte[] {'n'})).isEqualTo(RawPath.of(resolved));
  }

  @Test
  void onlyADashAloneIsAStandardStream() {
    assertThat(RawPath.of("-").isStandardStream()).isTrue();
    for (String other : List.of("--", "./-", "-a", "/-", "-/", "\u2010")) {
      assertThat(RawPath.of(other).isStandardStream()).as(other).isFalse();
    }
  }

  @Test
  void nothingAndNulAreNoPaths() {
    assertThatIllegalArgumentException().isThrownBy(() -> RawPath.of(new byte[0]));
    assertThatIllegalArgumentException().isThrownBy(() -> RawPath.of("a\0b"));
    assertThat(RawPath.of(new byte[] {1}).bytes()).containsExactly(1);
  }

  @Test
  void nobodyChangesAPathFromOutside() {
    byte[] bytes = {'a', 'b'};
    RawPath path = RawPath.of(bytes);
    bytes[0] = 0;
    path.bytes()[1] = 0;
    assertThat(path).isEqualTo(RawPath.of("ab")).hasSameHashCodeAs(RawPath.of("ab"));
    assertThat(path).isNotEqualTo(RawPath.of("ac"));
  }

  private RawPath make(byte[] name) throws IOException {
    RawPath path = RawPath.of(dir).resolve(name);
    Files.write(path.toPath(), name);
    assertThat(Files.exists(path.toPath(), LinkOption.NOFOLLOW_LINKS)).isTrue();
    return path;
  }

  private Set<RawPath> listed() throws IOException {
    List<RawPath> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(dir)) {
      for (Path entry : entries) {
        found.add(RawPath.of(entry));
      }
    }
    return new HashSet<>(found);
  }

  private static byte[] randomName(Random random) {
    byte[] name = new byte[1 + random.nextInt(Name.BYTES_MAX - 1)];
    random.nextBytes(name);
    for (int i = 0; i < name.length; i++) {
      if (name[i] == 0 || name[i] == '/') {
        name[i] = 'x';
      }
    }
    // Neither "." nor "..".
    name[0] = name[0] == '.' ? (byte) 'x' : name[0];
    return name;
  }
}
