package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Small files of a new directory that change after they were looked at and before they are read:
/// the way is so slow that each goes in a part of its own, and the last ones wait for seconds.
@Timeout(120)
class ChangingPartsTest {

  private static final int FILES = 12;

  /// Two of them do not fit a part.
  private static final int FILE_BYTES = 200 << 10;

  /// With these a file does not fit a part at all.
  private static final int MORE_BYTES = 100 << 10;

  /// All of them fit a part.
  private static final int TINY = 200;

  private static final int GROWN_MAX = 20;

  /// The most that a file of a part has.
  private static final int MOST_BYTES = 256 << 10;

  @TempDir Path folder;

  private Path tree;
  private Path inbox;

  @BeforeEach
  void grow() throws Exception {
    tree = Files.createDirectories(folder.resolve("tree/new")).getParent();
    inbox = Files.createDirectory(folder.resolve("inbox"));
    for (int i = 0; i < FILES; i++) {
      Files.write(tree.resolve("new/" + i), new byte[FILE_BYTES]);
    }
  }

  @Test
  void whatGrowsBeyondAPartArrivesAsItIsThen() throws Exception {
    Cli.Result sent =
        send(file -> Files.write(file, new byte[MORE_BYTES], StandardOpenOption.APPEND));
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(sizes()).hasSize(FILES).contains((long) FILE_BYTES + MORE_BYTES);
    assertThat(sizes()).containsOnly((long) FILE_BYTES, (long) FILE_BYTES + MORE_BYTES);
  }

  @Test
  void whatIsWrittenAnewArrivesAsItIsThen() throws Exception {
    byte[] content = new byte[MORE_BYTES];
    Cli.Result sent = send(file -> Files.write(file, content));
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(sizes()).hasSize(FILES).contains((long) MORE_BYTES);
    assertThat(sizes()).containsOnly((long) FILE_BYTES, (long) MORE_BYTES);
  }

  @Test
  void thoseOfOnePartThatAllGrowArriveAsTheyAreThen() throws Exception {
    for (int i = 0; i < TINY; i++) {
      Files.write(tree.resolve("new/tiny" + i), new byte[1]);
    }
    AtomicInteger grown = new AtomicInteger();
    Cli.Result sent =
        send(
            file -> {
              if (Files.size(file) == 1 && grown.incrementAndGet() <= GROWN_MAX) {
                Files.write(file, new byte[MOST_BYTES]);
              }
            });
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(sizes()).hasSize(FILES + TINY).contains((long) MOST_BYTES);
    assertThat(sizes()).containsOnly(1L, (long) FILE_BYTES, (long) MOST_BYTES);
  }

  @Test
  void whatIsGoneHoldsBackNoOther() throws Exception {
    Cli.Result sent = send(Files::delete);
    assertThat(sent.exitCode()).as(sent.err()).isEqualTo(11);
    assertThat(sent.err()).contains("vanished");
    assertThat(sizes()).isNotEmpty().hasSizeLessThan(FILES).containsOnly((long) FILE_BYTES);
  }

  private interface Change {
    void of(Path file) throws Exception;
  }

  /// @param change made of each file that is not there when the first one is
  private Cli.Result send(Change change) throws Exception {
    Map<String, String> environment = Map.of("ZCP_KEY", Key.random().text());
    try (ZcpProcess receiver =
        ZcpProcess.start(
            folder,
            environment,
            "receive",
            "-q",
            "--once",
            "--accept=all",
            "--listen=127.0.0.1:0",
            inbox.toString())) {
      String address = receiver.address();
      String to = "127.0.0.1" + address.substring(address.lastIndexOf(':'));
      CompletableFuture<Cli.Result> sent =
          CompletableFuture.supplyAsync(
              () -> Cli.run(environment, "send", "-aq", "--limit-rate=400K", to, tree.toString()));
      while (sizes().isEmpty()) {
        Thread.sleep(10);
      }
      for (File each : tree.resolve("new").toFile().listFiles()) {
        if (!Files.exists(inbox.resolve("tree/new/" + each.getName()))) {
          change.of(each.toPath());
        }
      }
      Cli.Result result = sent.get(100, TimeUnit.SECONDS);
      receiver.end();
      return result;
    }
  }

  private List<Long> sizes() throws Exception {
    Path arriving = inbox.resolve("tree/new");
    List<Long> sizes = new ArrayList<>();
    if (Files.exists(arriving)) {
      try (Stream<Path> files = Files.list(arriving)) {
        for (Path each : files.toList()) {
          if (!each.getFileName().toString().startsWith(".")) {
            sizes.add(Files.size(each));
          }
        }
      }
    }
    return sizes;
  }
}
