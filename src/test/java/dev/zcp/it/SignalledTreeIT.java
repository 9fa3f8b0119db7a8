package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A copy of a tree that is told to end at random moments: it ends by the signal, soon, and leaves
/// whole files only.
class SignalledTreeIT {

  private static final int SIGNALS = 25;

  @TempDir Path folder;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  private Path source;
  private Path target;

  @BeforeEach
  void growATree() throws Exception {
    System.out.println("SignalledTreeIT: seed " + seed);
    folder = folder.toRealPath();
    source = folder.resolve("source");
    target = folder.resolve("target");
    SampleTree.grow(source, random);
  }

  @ParameterizedTest
  @CsvSource({"HUP, 129", "INT, 130", "TERM, 143"})
  void aCopyThatIsToldToEndLeavesOnlyCompleteFiles(String signal, int exitCode) throws Exception {
    TreeContent whole = TreeContent.of(source);
    RandomMoments moments = RandomMoments.measure(random, target, this::copy);
    int stopped = 0;
    for (int i = 0; i < SIGNALS; i++) {
      try (BuiltZcp copy = copy()) {
        moments.await(copy, target);
        copy.signalIfAlive(signal);
        BuiltZcp.Ended ended = copy.end();
        assertThat(ended.exitCode()).as("%s, seed %d", ended, seed).isIn(0, exitCode);
        assertThat(ended.err()).as("seed %d", seed).isEmpty();
        TreeContent found = TreeContent.of(target);
        found.assertEachIsWholeIn(whole);
        assertThat(found.partials()).as("seed %d", seed).isEmpty();
        if (ended.exitCode() == 0) {
          found.assertSameAs(whole);
        } else {
          stopped++;
        }
      }
    }
    // Were all copies through before the signal came, nothing would have been tried.
    assertThat(stopped).as("seed %d", seed).isGreaterThan(SIGNALS / 4);
  }

  private BuiltZcp copy() throws IOException {
    Programs.run("rm", "-rf", target.toString());
    Files.createDirectory(target);
    return BuiltZcp.start(folder, "copy", "-a", "-q", source + "/.", target.toString());
  }
}
