package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.Event;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Listener;
import dev.zcp.insight.Result;
import dev.zcp.insight.Surroundings;
import dev.zcp.tree.Existing;
import dev.zcp.tree.Filter;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Links;
import dev.zcp.walk.Selection;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class HeadCountTest {

  @TempDir Path folder;

  private final List<Event> events = new CopyOnWriteArrayList<>();
  private Path source;
  private Selection selection = Selection.TREE;
  private Preserve preserve = Preserve.ALL;

  /// Four files, 1111 bytes in all, one of them with two names.
  @BeforeEach
  void makeTree() throws IOException {
    source = folder.resolve("source");
    Files.createDirectories(source.resolve("a/b"));
    Files.write(source.resolve("f1"), new byte[1]);
    Files.write(source.resolve("a/f10"), new byte[10]);
    Files.write(source.resolve("a/b/f100"), new byte[100]);
    Files.write(source.resolve("a/b/f1000"), new byte[1000]);
    Files.createLink(source.resolve("a/again"), source.resolve("a/b/f1000"));
    Files.createSymbolicLink(source.resolve("a/link"), Path.of("b/f100"));
  }

  @Test
  void itCountsWhatTheCopyCopies() throws Exception {
    assertCountedAsCopied(4, 1111);
  }

  @Test
  void eachNameIsAFileWhereLinksAreNotKept() throws Exception {
    preserve = Preserve.USUAL;
    assertCountedAsCopied(5, 2111);
  }

  @Test
  void whatALinkLeadsToIsAFileWhereLinksAreFollowed() throws Exception {
    selection = new Selection(true, true, Links.FOLLOWED, false, Filter.NONE, null);
    preserve = Preserve.USUAL;
    assertCountedAsCopied(6, 2211);
  }

  @Test
  void whatIsLeftOutIsNotCounted() throws Exception {
    Filter filter =
        (path, isDirectory) -> {
          String name = new String(path, StandardCharsets.UTF_8);
          return isDirectory ? name.equals("a/b") : name.equals("f1");
        };
    selection = new Selection(true, true, Links.KEPT, false, filter, null);
    assertCountedAsCopied(2, 1010);
  }

  /// They may lead to where the walk has been.
  @Test
  void linksToDirectoriesThatAreFollowedAreNotCountedAndNothingIs() throws Exception {
    Files.createSymbolicLink(source.resolve("a/up"), Path.of(".."));
    selection = new Selection(true, true, Links.FOLLOWED, false, Filter.NONE, null);
    assertThat(counted(request(Existing.REPLACE))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"KEEP", "OLDER", "ASK"})
  void nothingIsCountedWhereFilesMayBeKept(Existing existing) {
    assertThat(HeadCount.of(request(existing), new Insight("copy", "auto", events::add))).isNull();
  }

  @Test
  void aSourceThatIsNotThereIsTheCopysBusiness() throws Exception {
    source = folder.resolve("none");
    assertThat(counted(request(Existing.REPLACE))).containsExactly(new Event.Counted(0, 0));
  }

  /// The first file waits until the count is told: only a thread of its own can tell it.
  @Test
  void whoeverWantsTotalsIsToldThemWhileTheCopyIsUnderWay() throws Exception {
    CountDownLatch counted = new CountDownLatch(1);
    Watcher watcher = new Watcher(counted, true);
    assertThat(copy(watcher).exitCode().number()).isZero();
    assertThat(counted.getCount()).isZero();
    assertThat(watcher.waited).isTrue();
  }

  @Test
  void nobodyIsToldTotalsWhoDoesNotWantThem() throws Exception {
    CountDownLatch counted = new CountDownLatch(1);
    Watcher watcher = new Watcher(counted, false);
    assertThat(copy(watcher).exitCode().number()).isZero();
    assertThat(counted.getCount()).isOne();
  }

  private void assertCountedAsCopied(int files, long bytes) throws Exception {
    assertThat(counted(request(Existing.REPLACE))).containsExactly(new Event.Counted(files, bytes));
    Result result = copy(events::add);
    assertThat(result.filesDone()).isEqualTo(files);
    assertThat(result.bytes()).isEqualTo(bytes);
  }

  private List<Event> counted(CopyRequest request) {
    try (HeadCount count = HeadCount.of(request, new Insight("copy", "auto", events::add))) {
      count.count();
    }
    return List.copyOf(events);
  }

  private Result copy(Listener listener) throws Exception {
    return Copier.copy(
        request(Existing.REPLACE),
        new Surroundings(
            Strategies.load(List.of()),
            new ByteArrayInputStream(new byte[0]),
            new ByteArrayOutputStream(),
            listener));
  }

  private CopyRequest request(Existing existing) {
    return new CopyRequest(
        List.of(RawPath.of(source)),
        RawPath.of(folder.resolve("target")),
        Choice.DEFAULT,
        selection,
        preserve,
        Policy.USUAL.withExisting(existing),
        Assurance.USUAL,
        CopyRequest.JOBS_MEASURED,
        false);
  }

  private static final class Watcher implements Listener {

    private final CountDownLatch counted;
    private final boolean wantsTotals;
    private volatile boolean waited;

    Watcher(CountDownLatch counted, boolean wantsTotals) {
      this.counted = counted;
      this.wantsTotals = wantsTotals;
    }

    @Override
    public void on(Event event) {
      if (event instanceof Event.Counted) {
        counted.countDown();
      } else if (event instanceof Event.FileStarted && wantsTotals) {
        try {
          waited |= counted.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public boolean wantsTotals() {
      return wantsTotals;
    }
  }
}
