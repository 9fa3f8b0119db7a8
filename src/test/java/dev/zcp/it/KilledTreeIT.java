package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A copy of a tree that is killed by SIGKILL at random moments: a final name is absent, old or
/// complete, and the same command then completes the copy.
class KilledTreeIT {

  private static final int KILLS = 100;

  /// Less often where the target is there: a kill comes at the same moments.
  private static final int KILLS_OF_A_REPLACEMENT = 40;

  @TempDir Path folder;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  private Path source;
  private Path target;
  private int killed;
  private int missed;
  private int inTheMiddle;
  private int partials;

  @BeforeEach
  void growATree() throws IOException {
    System.out.println("KilledTreeIT: seed " + seed);
    folder = folder.toRealPath();
    source = folder.resolve("source");
    target = folder.resolve("target");
    SampleTree.grow(source, random);
  }

  @Test
  void aKilledCopyLeavesOnlyCompleteFilesAndTheSameCommandCompletesIt() throws Exception {
    TreeContent whole = TreeContent.of(source);
    RandomMoments moments = RandomMoments.measure(random, target, this::copyToNothing);
    while (killed < KILLS) {
      kill(copyToNothing(), moments);
      TreeContent found = TreeContent.of(target);
      found.assertEachIsWholeIn(whole);
      count(found, found.entries().size() < whole.entries().size());
      complete();
    }
    tell(KILLS);
  }

  @Test
  void aKilledCopyLeavesEachFileThatItReplacesOldOrNew() throws Exception {
    Path old = folder.resolve("old");
    makeOldVersions(old);
    TreeContent before = TreeContent.of(old);
    TreeContent after = TreeContent.of(source);
    RandomMoments moments = RandomMoments.measure(random, target, () -> copyToOldVersions(old));
    while (killed < KILLS_OF_A_REPLACEMENT) {
      kill(copyToOldVersions(old), moments);
      TreeContent found = TreeContent.of(target);
      found.assertEachIsWholeIn(before, after);
      assertThat(found.entries().keySet()).containsAll(before.entries().keySet());
      count(found, !found.entries().equals(after.entries()));
      complete();
    }
    tell(KILLS_OF_A_REPLACEMENT);
  }

  private BuiltZcp copyToNothing() throws Exception {
    Programs.run("rm", "-rf", target.toString());
    return copy();
  }

  private BuiltZcp copyToOldVersions(Path old) throws Exception {
    Programs.run("rm", "-rf", target.toString());
    Programs.run("cp", "-a", old.toString(), target.toString());
    return copy();
  }

  /// The content of the source into the target, whether anything is there or not.
  private BuiltZcp copy() throws IOException {
    Files.createDirectories(target);
    return BuiltZcp.start(folder, "copy", "-a", "-q", source + "/.", target.toString());
  }

  /// Half of the regular files, each with another content.
  private void makeOldVersions(Path old) throws Exception {
    Programs.run("cp", "-r", source.toString(), old.toString());
    int number = 0;
    for (var entry : TreeContent.of(old).entries().entrySet()) {
      Path file = old.resolve(entry.getKey());
      if (entry.getValue().startsWith("file")) {
        if (number % 2 == 0) {
          Files.delete(file);
        } else {
          Files.writeString(file, "old " + number);
        }
        number++;
      }
    }
  }

  private void kill(BuiltZcp copy, RandomMoments moments) throws Exception {
    try (copy) {
      moments.await(copy, target);
      copy.signalIfAlive("KILL");
      BuiltZcp.Ended ended = copy.end();
      assertThat(ended.err()).isEmpty();
      assertThat(ended.exitCode()).as(ended.err()).isIn(0, 137);
      killed += ended.exitCode() == 137 ? 1 : 0;
      missed += ended.exitCode() == 137 ? 0 : 1;
      assertThat(missed).as("copies that ended before they were killed").isLessThan(3 * KILLS);
    }
  }

  private void count(TreeContent found, boolean unfinished) {
    inTheMiddle += unfinished ? 1 : 0;
    partials += found.partials().size();
  }

  private void complete() throws Exception {
    try (BuiltZcp again = copy()) {
      assertThat(again.end()).as("seed %d", seed).isEqualTo(new BuiltZcp.Ended(0, "", ""));
    }
    TreeContent.withMetadata(target).assertSameAs(TreeContent.withMetadata(source));
  }

  /// Were all copies whole or not begun, nothing would have been tried.
  private void tell(int kills) {
    System.out.printf(
        "KilledTreeIT: %d killed, %d not in time, %d unfinished, %d partial files left%n",
        killed, missed, inTheMiddle, partials);
    assertThat(inTheMiddle).as("seed %d", seed).isGreaterThan(kills / 4);
  }
}
