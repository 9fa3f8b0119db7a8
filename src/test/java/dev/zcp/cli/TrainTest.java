package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainTest {

  @TempDir Path dir;

  @Test
  void everyLessonEndsAsExpected() {
    assertThatCode(() -> Train.main(new String[] {dir.toString()})).doesNotThrowAnyException();
  }
}
