package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.wire.Answer;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Senders that would like to write elsewhere.
@Timeout(60)
class HostileNamesTest {

  private static final int ROUNDS = 2_000;

  @TempDir Path dir;

  private final Offers offers = new Offers();
  private Path outside;
  private Inbox inbox;

  @BeforeEach
  void open() throws Exception {
    outside = Files.createDirectory(dir.resolve("outside"));
    inbox = new Inbox(Files.createDirectory(dir.resolve("inbox")));
  }

  @AfterEach
  void close() {
    inbox.close();
  }

  /// Such a path does not get as far as a place.
  @ParameterizedTest
  @ValueSource(strings = {"", "/", "/x", "x/", "a//b", ".", "..", "a/..", "../a", "a/./b", "a\0b"})
  void aPathThatMightLeadElsewhereIsNone(String path) {
    assertThatThrownBy(() -> EntryPath.of(path.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {".zcp-0123456789abcdef.part", ".zcp-", ".zcp-x/y", "x/.zcp-y", ".zcp-/.zcp-"})
  void namesThatAreOurOwnAreRefused(String path) throws Exception {
    try (TestPlace place = inbox.place(Existing.REPLACE, Keep.ALL)) {
      for (Offered each :
          new Offered[] {
            offers.file(path, new byte[9]), offers.directory(path), offers.link(path, "/etc")
          }) {
        PlaceContract.assertFailed(place.consider(each), ExitCode.USAGE, ".zcp-");
      }
    }
    assertThat(inbox.names()).isEmpty();
  }

  @Test
  void namesNeedNotBeText() throws Exception {
    byte[] path = {'a', '\n', (byte) 0xff, '/', '-', 'r', 'f', '/', '\\', 0x1b};
    try (TestPlace place = inbox.place(Existing.REFUSE, 0)) {
      Offered file = offers.of(EntryKind.FILE, path).size(1).offered();
      assertThat(place.consider(file).text()).isEmpty();
      PlaceContract.put(place, file, new byte[1]);
    }
    try (Stream<Path> all = Files.walk(dir.resolve("inbox"))) {
      assertThat(all.filter(Files::isRegularFile)).hasSize(1);
    }
  }

  @Test
  void aLinkThatTheSenderMadeLeadsNobodyOutside() throws Exception {
    try (TestPlace place = inbox.place(Existing.REPLACE, Keep.ALL)) {
      assertThat(place.consider(offers.link("l", outside.toString())).kind())
          .isEqualTo(Answer.AnswerKind.MADE);
      for (Offered each :
          new Offered[] {
            offers.file("l/f", new byte[9]),
            offers.file("l/d/f", new byte[9]),
            offers.directory("l/d"),
            offers.directory("l"),
            offers.link("l/m", "/etc")
          }) {
        assertThat(place.consider(each).kind()).isEqualTo(Answer.AnswerKind.FAILED);
      }
    }
    assertThat(outside).isEmptyDirectory();
  }

  /// A directory that becomes a link at any moment is none.
  @Test
  void aDirectoryThatSomebodySwapsForALinkLeadsNobodyOutside() throws Exception {
    Path swapped = inbox.path("d");
    Files.createDirectory(swapped);
    AtomicBoolean over = new AtomicBoolean();
    Thread attacker = new Thread(() -> swap(swapped, over));
    attacker.start();
    int arrived = 0;
    try {
      for (int i = 0; i < ROUNDS; i++) {
        // A new session has no directory open.
        try (TestPlace place = inbox.place(Existing.REPLACE, Keep.ALL)) {
          Offered file = offers.file("d/e/f", new byte[9]);
          if (place.consider(file).kind() == Answer.AnswerKind.ALL) {
            PlaceContract.put(place, file, new byte[9]);
            arrived++;
          }
          place.consider(offers.directory("d/g"));
          place.consider(offers.link("d/h", "x"));
        } catch (Failure e) {
          // It was swapped.
        }
      }
    } finally {
      over.set(true);
      attacker.join();
    }
    assertThat(outside).isEmptyDirectory();
    assertThat(arrived).as("of " + ROUNDS).isPositive();
  }

  private void swap(Path path, AtomicBoolean over) {
    Path aside = inbox.path("aside");
    try {
      while (!over.get()) {
        Files.move(path, aside);
        Files.createSymbolicLink(path, outside);
        Files.delete(path);
        Files.move(aside, path);
      }
    } catch (IOException e) {
      // A file came where the directory was: it has to be looked at what came of it.
    }
  }
}
