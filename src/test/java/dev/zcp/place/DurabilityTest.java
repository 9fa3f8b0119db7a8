package dev.zcp.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.linux.NativeFile;
import dev.zcp.testing.OpenDescriptors;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DurabilityTest {

  /// So few that a batch has four files.
  private static final int DESCRIPTORS = 32;

  private static final int BATCH = 4;

  @TempDir Path dir;

  private final List<String> told = Collections.synchronizedList(new ArrayList<>());
  private final Insight insight = new Insight("copy", "auto", event -> {});
  private OpenDirectory folder;

  @BeforeEach
  void open() throws IOException {
    folder = OpenDirectory.open(RawPath.of(dir));
  }

  @AfterEach
  void close() throws IOException {
    folder.close();
  }

  @Test
  void withoutItEachFileIsPublishedAtOnce() throws Exception {
    try (Durability durability = Durability.of(false, DESCRIPTORS, insight)) {
      Durability.PublicationQueue queue = durability.new PublicationQueue();
      queue.accept(new Partial("a"));
      assertThat(told).containsExactly("reveal a", "done a");
      queue.accept(new Partial("b", new IOException("No space left on device")));
      assertThat(told).endsWith("reveal b", "failed b: no space left on device");
      assertThat(queue.flush()).isFalse();
      finish(durability, queue);
    }
  }

  /// Or its partial file would stay, and its other names would wait for ever.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDefectFailsItsFileAndNoOther(boolean durable) throws Exception {
    try (Durability durability = Durability.of(durable, DESCRIPTORS, insight)) {
      Durability.PublicationQueue queue = durability.new PublicationQueue();
      queue.accept(new Partial("a", new IllegalStateException("defect")));
      queue.accept(new Partial("b"));
      finish(durability, queue);
      assertThat(told).contains("done b").hasSize(4);
      assertThat(told.stream().filter(each -> each.startsWith("failed a: "))).hasSize(1);
    }
  }

  @Test
  void filesWaitForEachOtherAndAreRevealedBeforeAnyIsDone() throws Exception {
    try (Durability durability = Durability.of(true, DESCRIPTORS, insight)) {
      Durability.PublicationQueue queue = durability.new PublicationQueue();
      durability.made(folder);
      for (int i = 1; i < BATCH; i++) {
        queue.accept(new Partial("f" + i));
      }
      assertThat(told).as("before the batch is full").isEmpty();
      queue.accept(new Partial("f4"));
      assertThat(told)
          .containsExactly(
              "reveal f1",
              "reveal f2",
              "reveal f3",
              "reveal f4",
              "done f1",
              "done f2",
              "done f3",
              "done f4");
      queue.accept(new Partial("f5"));
      assertThat(queue.flush()).isTrue();
      assertThat(told).endsWith("reveal f5", "done f5");
      assertThat(queue.flush()).isFalse();
      finish(durability, queue);
    }
    // Bytes and names of each of two batches, and of the directory at the end.
    assertThat(insight.finish().stages().get(Stage.FLUSH).count()).isEqualTo(5);
  }

  @Test
  void oneThatFailsTakesNoOtherWithIt() throws Exception {
    try (Durability durability = Durability.of(true, DESCRIPTORS, insight)) {
      Durability.PublicationQueue queue = durability.new PublicationQueue();
      Failure exists = Failure.of(ExitCode.EXISTS, "f2", "already exists");
      queue.accept(new Partial("f1"));
      queue.accept(new Partial("f2", exists));
      queue.accept(new Partial("f3", new IOException("Input/output error")));
      finish(durability, queue);
    }
    assertThat(told)
        .containsExactly(
            "reveal f1",
            "reveal f2",
            "reveal f3",
            "done f1",
            "failed f2: already exists",
            "failed f3: input/output error");
  }

  @Test
  void aFileThatCannotBeForcedIsNotRevealed() throws Exception {
    try (Durability durability = Durability.of(true, DESCRIPTORS, insight)) {
      Durability.PublicationQueue queue = durability.new PublicationQueue();
      Partial lost = new Partial("lost");
      queue.accept(lost);
      // As good as a device that lost it: fsync(2) fails.
      lost.file.close();
      finish(durability, queue);
    }
    assertThat(told).containsExactly("failed lost: bad file descriptor");
  }

  @Test
  void whatIsDoneMayLeadToMore() throws Exception {
    try (Durability durability = Durability.of(true, DESCRIPTORS, insight)) {
      Durability.PublicationQueue queue = durability.new PublicationQueue();
      queue.accept(
          new Partial("first") {
            @Override
            public void done() {
              super.done();
              queue.accept(new Partial("second"));
            }
          });
      finish(durability, queue);
    }
    assertThat(told).containsExactly("reveal first", "done first", "reveal second", "done second");
  }

  @Test
  void manyThreadsLoseNothingAndLeaveNothingOpen() throws Exception {
    List<String> before = OpenDescriptors.targets();
    int threads = 8;
    int each = 50;
    try (Durability durability = Durability.of(true, DESCRIPTORS, insight)) {
      Durability.PublicationQueue queue = durability.new PublicationQueue();
      List<Thread> all = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int number = t;
        all.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int i = 0; i < each; i++) {
                        queue.accept(new Partial(number + "-" + i));
                      }
                    }));
      }
      for (Thread thread : all) {
        thread.join();
      }
      finish(durability, queue);
    }
    assertThat(told).filteredOn(line -> line.startsWith("done")).hasSize(threads * each);
    assertThat(told).filteredOn(line -> line.startsWith("failed")).isEmpty();
    assertThat(OpenDescriptors.targets()).isEqualTo(before);
  }

  private static void finish(Durability durability, Durability.PublicationQueue queue)
      throws Failure {
    while (queue.flush()) {
      // What is done may lead to more.
    }
    durability.finish("into");
  }

  /// A file that tells what is done with it.
  private class Partial implements Durability.Publication {

    private final String name;
    private final Exception obstacle;
    private final NativeFile file;

    Partial(String name) {
      this(name, null);
    }

    Partial(String name, Exception obstacle) {
      this.name = name;
      this.obstacle = obstacle;
      try {
        file = folder.create((name + ".part").getBytes(StandardCharsets.US_ASCII), 0600);
        file.write(ByteBuffer.allocateDirect(100), 0);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public Object label() {
      return name;
    }

    @Override
    public NativeFile file() {
      return file;
    }

    @Override
    public OpenDirectory directory() {
      return folder;
    }

    @Override
    public void reveal() throws IOException, Failure {
      told.add("reveal " + name);
      file.close();
      if (obstacle instanceof IOException e) {
        throw e;
      }
      if (obstacle instanceof Failure failure) {
        throw failure;
      }
      if (obstacle instanceof RuntimeException e) {
        throw e;
      }
    }

    @Override
    public void done() {
      told.add("done " + name);
    }

    @Override
    public void failed(Failure failure) {
      told.add("failed " + failure.getMessage());
    }
  }
}
