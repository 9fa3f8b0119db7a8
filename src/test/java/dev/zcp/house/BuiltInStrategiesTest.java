package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.spi.TransferStrategy;
import dev.zcp.strategy.BuiltIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Nobody forgets a strategy: each class is named and keeps the contract.
class BuiltInStrategiesTest {

  private static final Path CLASSES = Path.of("src/main/java/dev/zcp/strategy");
  private static final Path TESTS = Path.of("src/test/java/dev/zcp/strategy");

  @Test
  void eachIsNamed() throws IOException {
    List<String> found = new ArrayList<>();
    for (TransferStrategy strategy : BuiltIn.strategies()) {
      found.add(strategy.getClass().getSimpleName());
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(declared());
  }

  @Test
  void eachHasATestThatInheritsTheContract() throws IOException {
    assertThat(declared()).isNotEmpty();
    for (String name : declared()) {
      assertThat(TESTS.resolve(name + "Test.java"))
          .content()
          .contains("extends TransferStrategyContract", "new " + name + "()");
    }
  }

  private static List<String> declared() throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.list(CLASSES)) {
      for (Path file : files.toList()) {
        if (Files.readString(file).contains(" implements TransferStrategy {")) {
          names.add(file.getFileName().toString().replace(".java", ""));
        }
      }
    }
    return names;
  }
}
