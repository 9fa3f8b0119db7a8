package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.OpenDirectory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftPartialsTest {

  private static final String LEFT = ".zcp-0123456789abcdef.part";
  private static final String USED = ".zcp-0123456789abcde0.part";
  private static final String SESSIONS = ".zcp-0123456789abcde1.part";
  private static final String ALONE = ".zcp-0123456789abcde4.journal";

  @TempDir Path folder;

  private Path below;
  private final List<String> removed = new ArrayList<>();

  @BeforeEach
  void leavePartials() throws Exception {
    below = Files.createDirectories(folder.resolve("tree/below"));
    for (String name : List.of(LEFT, USED, SESSIONS, ALONE, "file", ".zcp-0123.part")) {
      Files.writeString(below.resolve(name), "left");
    }
    Files.writeString(below.resolve(".zcp-0123456789abcde1.journal"), "journal");
    Files.createLink(below.resolve(".zcp-0123456789abcde2.part"), below.resolve("file"));
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve(LEFT), "left");
    Files.createSymbolicLink(below.resolve("link"), elsewhere);
    Files.createSymbolicLink(below.resolve(".zcp-0123456789abcde3.part"), elsewhere.resolve(LEFT));
  }

  private void sweep(boolean isDryRun, Duration age) throws Exception {
    LeftPartials.Finds finds =
        new LeftPartials.Finds() {
          @Override
          public void removed(RawPath path, long bytes) {
            removed.add(path.toString());
          }

          @Override
          public void failed(Failure failure) {
            throw new AssertionError(failure);
          }
        };
    byte[] used = USED.getBytes(StandardCharsets.US_ASCII);
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(below));
        NativeFile file = directory.existing(used)) {
      assertThat(file.tryLock()).isTrue();
      new LeftPartials(finds, isDryRun, age).sweep(RawPath.of(folder.resolve("tree")));
    }
  }

  @Test
  void onlyAPartialFileOrAJournalAloneThatIsOursAndInNobodysUseIsRemoved() throws Exception {
    sweep(false, Duration.ZERO.minusSeconds(1));
    assertThat(removed)
        .containsExactlyInAnyOrder(below.resolve(LEFT).toString(), below.resolve(ALONE).toString());
    assertThat(below.resolve(LEFT)).doesNotExist();
    assertThat(below.resolve(ALONE)).doesNotExist();
    assertThat(below.toFile().list()).hasSize(8);
    assertThat(folder.resolve("elsewhere/" + LEFT)).exists();
  }

  @Test
  void aDryRunRemovesNothing() throws Exception {
    sweep(true, Duration.ZERO.minusSeconds(1));
    assertThat(removed)
        .containsExactlyInAnyOrder(below.resolve(LEFT).toString(), below.resolve(ALONE).toString());
    assertThat(below.resolve(LEFT)).exists();
    assertThat(below.resolve(ALONE)).exists();
  }

  @Test
  void aYoungOneStays() throws Exception {
    sweep(false, LeftPartials.AGE_MIN);
    assertThat(removed).isEmpty();
    assertThat(below.resolve(LEFT)).exists();
  }
}
