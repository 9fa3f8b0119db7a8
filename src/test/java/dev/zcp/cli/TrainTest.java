package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainTest {

  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(strings = {"start", "copy", "peer"})
  void everyLessonEndsAsExpected(String course) {
    assertThatCode(() -> Train.main(new String[] {"build/training/" + course, dir.toString()}))
        .doesNotThrowAnyException();
  }
}
