package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.core.Span;
import dev.zcp.place.Durability;
import dev.zcp.place.Partials;
import dev.zcp.testing.TestFrames;
import dev.zcp.tree.Losses;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.wire.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IncomingFilesTest {

  private static final int MIB = 1 << 20;

  @TempDir Path dir;

  private final Offers offers = new Offers();
  private final byte[] content = PlaceContract.random(2 * MIB);

  /// With few descriptors many partial files are there: none may fail for that.
  @Test
  void whatThereIsToGoOnWithIsOpenedWhileThereIsRoomForIt() throws Exception {
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(dir))) {
      try (Folders folders =
          new Folders(directory, 1, terms().placeOther(), () -> {}, new HashSet<>())) {
        IncomingFiles interrupted = files(folders, 3, 3);
        List<IncomingEntry> three = three();
        for (IncomingEntry file : three) {
          interrupted.consider(file);
          PlaceContract.block(file.landing(), content, new Span(0, MIB));
        }
        three.forEach(file -> file.landing().close());
      }
      try (Folders folders =
          new Folders(directory, 1, terms().placeOther(), () -> {}, new HashSet<>())) {
        IncomingFiles files = files(folders, 3, 1);
        List<IncomingEntry> three = three();
        assertThat(three.stream().map(file -> answer(files, file)))
            .containsExactly(Answer.AnswerKind.REST, Answer.AnswerKind.ALL, Answer.AnswerKind.ALL);
        for (IncomingEntry file : three) {
          PlaceContract.block(file.landing(), content, new Span(0, 2 * MIB));
          TestPlace.publish(
              file.landing(), PlaceContract.ending(file.offered(), content), Level.READBACK);
        }
      }
    }
    for (String name : new String[] {"a", "b", "c"}) {
      assertThat(dir.resolve(name)).hasBinaryContent(content);
    }
    assertThat(Files.list(dir)).as("nothing is left beside them").hasSize(3);
  }

  private List<IncomingEntry> three() {
    return Stream.of("a", "b", "c")
        .map(name -> new IncomingEntry(offers.file(name, content)))
        .toList();
  }

  private static Answer.AnswerKind answer(IncomingFiles files, IncomingEntry file) {
    try {
      return files.consider(file).kind();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static IncomingFiles files(Folders folders, int openMax, int heldMax) {
    return new IncomingFiles(
        terms(),
        folders,
        new PathLocks(),
        () -> false,
        new FirstNames(terms(), folders, null),
        null,
        null,
        new OpenFileCount(openMax, heldMax));
  }

  /// Of a receiver that replaces nothing.
  static Terms terms() {
    return Terms.of(
        Inbox.admission(Existing.REFUSE, 0),
        TestFrames.manifest(1, 1, 1, Level.WIRE, 0),
        new Losses(),
        0,
        () -> true,
        new Partials(),
        Durability.none(),
        () -> {});
  }
}
