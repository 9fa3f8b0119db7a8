package dev.zcp.walk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.testing.OpenDescriptors;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFoldersTest {

  private static final int OPEN_MAX = 3;
  private static final int DEPTH = 20;

  @TempDir Path dir;

  private final OpenFolders folders = new OpenFolders(OPEN_MAX);
  private final List<Folder> chain = new ArrayList<>();
  private Path source;
  private Path target;

  @BeforeEach
  void enterAChainOfFolders() throws IOException, Failure {
    source = Files.createDirectory(dir.resolve("source"));
    target = Files.createDirectory(dir.resolve("target"));
    Folder folder = Folder.anchor(RawPath.of(source), RawPath.of(target));
    folders.hold(folder);
    chain.add(folder);
    Path from = source;
    Path to = target;
    for (int i = 0; i < DEPTH; i++) {
      from = Files.createDirectory(from.resolve("d" + i));
      to = Files.createDirectory(to.resolve("d" + i));
      byte[] name = ("d" + i).getBytes(StandardCharsets.UTF_8);
      Folder child = folder.child(name, false);
      OpenDirectory inner = folder.source.directory(name, false);
      folders.add(child, inner, folder.target.directory(name, false));
      folders.release(folder);
      chain.add(child);
      folder = child;
    }
    folders.release(folder);
  }

  @Test
  void onlySoManyAreOpenHoweverManyThereAre() {
    assertThat(chain.stream().filter(folder -> folder.source != null)).hasSize(OPEN_MAX);
  }

  @Test
  void oneThatWasClosedIsOpenedAgainAndIsTheSame() throws Exception {
    Folder deep = chain.get(DEPTH - 5);
    folders.hold(deep);
    assertThat(deep.source.status().isSameFile(deep.sourceStatus)).isTrue();
    assertThat(deep.target.status().isSameFile(deep.targetStatus)).isTrue();
    folders.release(deep);
    onlySoManyAreOpenHoweverManyThereAre();
  }

  @Test
  void oneThatIsHeldStaysOpen() throws Exception {
    Folder held = chain.get(1);
    folders.hold(held);
    OpenDirectory before = held.source;
    for (Folder each : chain) {
      folders.hold(each);
      folders.release(each);
    }
    assertThat(held.source).isSameAs(before);
    folders.release(held);
  }

  @Test
  void oneThatIsAnotherDirectoryNowIsRefused() throws Exception {
    Path inner = source.resolve("d0/d1");
    Files.move(inner, source.resolve("moved"));
    Files.createDirectories(inner.resolve("d2/d3"));
    assertThatThrownBy(() -> folders.hold(chain.get(4)))
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.SOURCE))
        .hasMessageContaining("was replaced by another directory meanwhile");
  }

  @Test
  void oneThatIsGoneHasVanished() throws Exception {
    Files.move(source.resolve("d0/d1"), dir.resolve("moved"));
    assertThatThrownBy(() -> folders.hold(chain.get(4)))
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.VANISHED));
  }

  @Test
  void oneThatIsALinkNowIsNotFollowed() throws Exception {
    Path inner = target.resolve("d0");
    Files.move(inner, dir.resolve("moved"));
    Files.createSymbolicLink(inner, dir.resolve("moved"));
    assertThatThrownBy(() -> folders.hold(chain.get(4)))
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.DESTINATION));
  }

  /// As in a dry run, where the directory is not made.
  @Test
  void theWayUpFromAFolderWithoutATargetLosesNotItsParentsTarget() throws Exception {
    Folder parent = chain.get(5);
    Folder child = parent.child("d5".getBytes(StandardCharsets.UTF_8), false);
    folders.hold(parent);
    folders.add(child, parent.source.directory(child.sourceName, false), null);
    folders.release(parent);
    for (Folder each : chain.subList(8, chain.size())) {
      folders.hold(each);
      folders.release(each);
    }
    assertThat(parent.source).isNull();
    folders.complete(child);
    folders.hold(parent);
    assertThat(parent.target).isNotNull();
    folders.release(parent);
    folders.release(child);
  }

  @Test
  void theWayUpFromACompletedFolderOpensItsParent() throws Exception {
    Folder child = chain.get(6);
    folders.hold(child);
    for (Folder each : chain.subList(9, chain.size())) {
      folders.hold(each);
      folders.release(each);
    }
    assertThat(chain.get(5).source).isNull();
    folders.complete(child);
    assertThat(chain.get(5).source).isNotNull();
    folders.release(child);
    assertThat(child.source).isNull();
  }

  @Test
  void noDescriptorIsLeftWhereOpeningFails() throws Exception {
    Path inner = target.resolve("d0");
    Files.move(inner, dir.resolve("moved"));
    int before = OpenDescriptors.targets().size();
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> folders.hold(chain.get(4))).isInstanceOf(Failure.class);
    }
    assertThat(OpenDescriptors.targets().size()).isLessThanOrEqualTo(before + 2);
  }
}
