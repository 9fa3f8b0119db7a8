package dev.zcp.walk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathLabelTest {

  @ParameterizedTest
  @CsvSource({
    "target/./d3/f83, target/d3/f83",
    "d/././s, d/s",
    "target/., target",
    "/./etc, /etc",
    "/., /",
    "., .",
    "./., .",
    "./-f, ./-f",
    ".., ..",
    "../../a, ../../a",
    "a/..b/.c/..., a/..b/.c/...",
    "a/.../b, a/.../b",
    "a//b/, a//b/"
  })
  void dotsThatSayNothingAreLeftOut(String path, String shown) {
    assertThat(Folder.pathLabel(path.getBytes(StandardCharsets.UTF_8))).isEqualTo(shown);
  }
}
