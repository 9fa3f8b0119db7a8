package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Somebody else brings a file to its name while it is received: the same file stays, and nothing
/// has failed; of another one the sender hears.
@Timeout(120)
class TwoSendersIT {

  private static final int SMALL_FILES = 60;
  private static final int SMALL_BYTES = 30_000;
  private static final int LARGE_BYTES = 3 << 20;

  /// So that it takes seconds.
  private static final String RATE = "--limit-rate=1M";

  @TempDir Path folder;

  private final Random random = new Random(17);

  private Path source;
  private Path inbox;
  private BuiltZcp receiver;

  @BeforeEach
  void make() throws IOException {
    source = Files.createDirectories(folder.resolve("source"));
    inbox = Files.createDirectories(folder.resolve("inbox"));
  }

  @AfterEach
  void end() {
    receiver.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--fsync", "--verify=wire", "--verify=readback", "--verify=media"})
  void twoSendersOfOneTreeBothArrive(String option) throws Exception {
    growSmall();
    listen(option);
    try (BuiltZcp one = send();
        BuiltZcp other = send()) {
      assertSucceeds(one);
      assertSucceeds(other);
    }
    assertIsThere();
  }

  /// What the killed one had made has not got its modes and times yet.
  @Test
  void theSameCommandCompletesTheTreeOfASenderThatWasKilled() throws Exception {
    growSmall();
    Path inner = Files.createDirectories(source.resolve("outer/inner"));
    Files.write(inner.resolve("large"), random(LARGE_BYTES));
    for (Path directory : List.of(inner, inner.getParent())) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.setLastModifiedTime(directory, FileTime.from(Instant.EPOCH));
    }
    listen();
    try (BuiltZcp killed = send(RATE)) {
      Path there = inbox.resolve("source/outer/inner");
      killed.await("some of its bytes", () -> TreeContent.partialBytes(there) > 0);
      killed.signal("KILL");
      killed.end();
    }
    try (BuiltZcp again = send()) {
      assertSucceeds(again);
    }
    TreeContent.withMetadata(inbox.resolve("source"))
        .assertSameAs(TreeContent.withMetadata(source));
  }

  @Test
  void smallFilesThatSomebodyElseCopiedMeanwhileStay() throws Exception {
    growSmall();
    listen();
    try (BuiltZcp sender = send(RATE)) {
      sender.await("the directory", () -> Files.isDirectory(inbox.resolve("source")));
      int copied = 0;
      for (int i = SMALL_FILES - 1; i >= 0; i--) {
        copied += isCopied("source/small" + i) ? 1 : 0;
      }
      assertThat(copied).isPositive();
      assertSucceeds(sender);
    }
    assertIsThere();
  }

  @Test
  void furtherNamesOfSmallFilesThatSomebodyElseCopiedMeanwhileAreMade() throws Exception {
    growSmall();
    for (int i = 0; i < SMALL_FILES; i++) {
      Files.createLink(source.resolve("link" + i), source.resolve("small" + i));
    }
    listen("--overwrite", "--accept=hardlinks");
    try (BuiltZcp sender = send(RATE, "-a", "--skip-same", "--no-preserve=owner")) {
      sender.await("the directory", () -> Files.isDirectory(inbox.resolve("source")));
      for (int i = SMALL_FILES - 1; i >= 0; i--) {
        isCopied("source/small" + i);
        isCopied("source/link" + i);
      }
      assertSucceeds(sender);
    }
    assertIsThere();
  }

  @Test
  void aLargeFileThatSomebodyElseCopiedMeanwhileStays() throws Exception {
    Files.write(source.resolve("large"), random(LARGE_BYTES));
    listen();
    try (BuiltZcp sender = send(RATE)) {
      Path tree = inbox.resolve("source");
      sender.await(
          "some of its bytes", () -> Files.isDirectory(tree) && TreeContent.partialBytes(tree) > 0);
      assertThat(isCopied("source/large")).isTrue();
      assertSucceeds(sender);
    }
    assertIsThere();
  }

  @ParameterizedTest
  @ValueSource(ints = {SMALL_BYTES, LARGE_BYTES})
  void anotherFileOfTheSameSizeAndTimeStaysAndTheSenderHearsOfIt(int bytes) throws Exception {
    byte[] content = random(bytes);
    growSmall();
    Path last = Files.write(source.resolve("wanted"), content);
    listen();
    Path target = inbox.resolve("source/wanted");
    content[bytes / 2] ^= 1;
    try (BuiltZcp sender = send(RATE)) {
      sender.await("the directory", () -> Files.isDirectory(target.getParent()));
      Path other = Files.write(folder.resolve("other"), content);
      Files.setLastModifiedTime(other, Files.getLastModifiedTime(last));
      Files.move(other, target);
      BuiltZcp.Ended ended = sender.end();
      assertThat(ended.exitCode()).as(ended.err()).isEqualTo(1);
      assertThat(ended.err()).contains("wanted: refused there: already exists");
    }
    assertThat(target).hasBinaryContent(content);
    assertThat(TreeContent.of(inbox).partials()).isEmpty();
  }

  private void growSmall() throws IOException {
    for (int i = 0; i < SMALL_FILES; i++) {
      Files.write(source.resolve("small" + i), random(SMALL_BYTES));
    }
  }

  private byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    return content;
  }

  private boolean isCopied(String name) throws IOException {
    Path hidden = folder.resolve("hidden");
    Files.copy(
        folder.resolve(name),
        hidden,
        StandardCopyOption.COPY_ATTRIBUTES,
        StandardCopyOption.REPLACE_EXISTING);
    try {
      Files.createLink(inbox.resolve(name), hidden);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } finally {
      Files.delete(hidden);
    }
  }

  private void listen(String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("receive", "-q", "--listen=127.0.0.1:0"));
    words.addAll(List.of(options));
    words.add(inbox.toString());
    receiver = BuiltZcp.start(folder, words.toArray(String[]::new));
    receiver.firstLine();
  }

  private BuiltZcp send(String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("send", "-r", "-q"));
    words.addAll(List.of(options));
    words.addAll(List.of(receiver.firstLine(), source.toString()));
    return BuiltZcp.start(folder, words.toArray(String[]::new));
  }

  private static void assertSucceeds(BuiltZcp sender) throws Exception {
    BuiltZcp.Ended ended = sender.end();
    assertThat(ended.err()).isEmpty();
    assertThat(ended.exitCode()).isZero();
  }

  private void assertIsThere() throws IOException {
    TreeContent.of(inbox.resolve("source")).assertSameAs(TreeContent.of(source));
    assertThat(TreeContent.of(inbox).partials()).isEmpty();
  }
}
