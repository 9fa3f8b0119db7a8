package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.linux.FileStatus;
import dev.zcp.session.Admission;
import dev.zcp.session.Admission.Deletion;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.OpenDescriptors;
import dev.zcp.testing.Programs;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.Policy.Deleting;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.wire.Answer;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a sender offers, and something has its name already.
class ExistingEntriesTest {

  private static final byte[] CONTENT = {1, 2, 3};

  @TempDir Path dir;

  private final Offers offers = new Offers();
  private Path outside;
  private Inbox inbox;

  @BeforeEach
  void open() throws Exception {
    outside = Files.writeString(dir.resolve("outside"), "outside");
    inbox = new Inbox(Files.createDirectory(dir.resolve("inbox")));
  }

  @AfterEach
  void nothingIsLeftOpen() throws IOException {
    inbox.close();
    String here = dir.toRealPath().toString();
    assertThat(OpenDescriptors.targets()).noneMatch(target -> target.startsWith(here));
  }

  /// Makes something of each kind under the name `x`.
  private Path existing(String kind) throws IOException {
    Path path = inbox.path("x");
    return switch (kind) {
      case "file" -> Files.writeString(path, "mine");
      case "directory" -> Files.createDirectory(path);
      case "link" -> Files.createSymbolicLink(path, outside);
      case "dangling" -> Files.createSymbolicLink(path, dir.resolve("nothing"));
      case "folder" -> Files.createSymbolicLink(path, Files.createDirectory(dir.resolve("f")));
      case "fifo" -> Programs.fifo(path);
      default -> throw new IllegalArgumentException(kind);
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "directory", "link", "dangling", "folder", "fifo"})
  void nothingIsReplacedUnasked(String kind) throws Exception {
    Path path = existing(kind);
    Object before = Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    try (TestPlace place = inbox.place(Existing.REFUSE, Keep.ALL)) {
      for (Offered each :
          List.of(
              offers.file("x", CONTENT),
              offers.link("x", "elsewhere"),
              offers.of(EntryKind.CHARACTER_DEVICE, "x").represents(0x103).offered())) {
        Answer answer = place.consider(each);
        assertThat(answer.kind()).as(answer.text()).isEqualTo(Answer.AnswerKind.FAILED);
        assertThat(answer.exitCode()).isEqualTo(ExitCode.EXISTS);
      }
    }
    assertThat(Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS)).isEqualTo(before);
    assertThat(outside).hasContent("outside");
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "link", "dangling", "folder", "fifo"})
  void askedToTheNameIsReplacedAndNothingElse(String kind) throws Exception {
    existing(kind);
    try (TestPlace place = inbox.place(Existing.REPLACE, Keep.ALL)) {
      Offered file = offers.file("x", CONTENT);
      assertThat(place.consider(file).text()).isEmpty();
      PlaceContract.put(place, file, CONTENT);
      assertThat(inbox.path("x")).isRegularFile().hasBinaryContent(CONTENT);
      assertThat(Files.isSymbolicLink(inbox.path("x"))).isFalse();
      assertThat(place.consider(offers.link("x", "elsewhere")).kind())
          .isEqualTo(Answer.AnswerKind.MADE);
      assertThat(Files.readSymbolicLink(inbox.path("x"))).hasToString("elsewhere");
      Offered fifo = offers.of(EntryKind.FIFO, "x").offered();
      assertThat(place.consider(fifo).kind()).isEqualTo(Answer.AnswerKind.MADE);
      assertThat(Files.getAttribute(inbox.path("x"), "isOther")).isEqualTo(true);
    }
    assertThat(outside).hasContent("outside");
    assertThat(inbox.names()).containsExactly("x");
  }

  /// It once had its name with a mode of 0600, which the next session took for whole.
  @Test
  void aFifoThatCannotBeCompletedHasNoName() throws Exception {
    try (TestPlace place = inbox.place(Existing.REFUSE, Keep.ALL)) {
      inbox.target().abandon();
      Offered fifo = offers.of(EntryKind.FIFO, "x").mode(0644).offered();
      assertThat(place.consider(fifo).kind()).isEqualTo(Answer.AnswerKind.FAILED);
    }
    assertThat(inbox.names()).isEmpty();
  }

  /// Two senders of one tree: each took another name of the file for the first.
  @Test
  void aFileOfTheSameBytesAndTimeIsMadeALink() throws Exception {
    try (TestPlace place = inbox.place(Existing.REFUSE, Keep.ALL)) {
      Offered first = offers.file("first", CONTENT);
      place.consider(first);
      PlaceContract.put(place, first, CONTENT);
      Offered same = offers.file("same", CONTENT);
      place.consider(same);
      PlaceContract.put(place, same, CONTENT);
      byte[] changed = CONTENT.clone();
      changed[0]++;
      Offered other = offers.file("other", changed);
      place.consider(other);
      PlaceContract.put(place, other, changed);
      Offered link = offers.of(EntryKind.HARD_LINK, "same").first(first).offered();
      assertThat(place.consider(link).kind()).isEqualTo(Answer.AnswerKind.MADE);
      assertThat(Files.isSameFile(inbox.path("first"), inbox.path("same"))).isTrue();
      Offered no = offers.of(EntryKind.HARD_LINK, "other").first(first).offered();
      PlaceContract.assertFailed(place.consider(no), ExitCode.EXISTS, "already exists");
      assertThat(inbox.path("other")).hasBinaryContent(changed);
    }
    assertThat(inbox.names()).containsExactly("first", "other", "same");
  }

  @ParameterizedTest
  @EnumSource(names = {"REFUSE", "REPLACE"})
  void aDirectoryIsNeverReplaced(Existing policy) throws Exception {
    existing("directory");
    try (TestPlace place = inbox.place(policy, Keep.ALL)) {
      for (Offered each : List.of(offers.file("x", CONTENT), offers.link("x", "elsewhere"))) {
        PlaceContract.assertFailed(place.consider(each), ExitCode.EXISTS, "is a directory");
      }
    }
  }

  @Test
  void aDirectoryThatAppearsMeanwhileIsNotReplaced() throws Exception {
    try (TestPlace place = inbox.place(Existing.REPLACE, 0)) {
      Offered file = offers.file("x", CONTENT);
      place.consider(file);
      existing("directory");
      assertThatThrownBy(() -> PlaceContract.put(place, file, CONTENT))
          .isInstanceOfSatisfying(
              Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.EXISTS));
    }
    assertThat(inbox.names()).containsExactly("x");
  }

  @ParameterizedTest
  @CsvSource({
    "file, REFUSE", "link, REFUSE", "folder, REFUSE", "fifo, REFUSE",
    "file, REPLACE", "link, REPLACE", "folder, REPLACE", "fifo, REPLACE"
  })
  void aDirectoryTakesTheNameOfNothingElse(String kind, Existing policy) throws Exception {
    existing(kind);
    try (TestPlace place = inbox.place(policy, Keep.ALL)) {
      PlaceContract.assertFailed(
          place.consider(offers.directory("x")), ExitCode.EXISTS, "is not a directory");
      Answer below = place.consider(offers.file("x/y", CONTENT));
      assertThat(below.kind()).as(below.text()).isEqualTo(Answer.AnswerKind.FAILED);
      assertThat(below.exitCode()).isEqualTo(ExitCode.EXISTS);
    }
    assertThat(dir.resolve("f"))
        .satisfiesAnyOf(
            folder -> assertThat(folder).doesNotExist(),
            folder -> assertThat(folder).isEmptyDirectory());
  }

  /// So the same command again completes a tree.
  @Test
  void whatIsThereAsItIsOfferedIsLeft() throws Exception {
    try (TestPlace place = inbox.place(Existing.REFUSE, Keep.ALL)) {
      Offered file = offers.file("f", CONTENT);
      place.consider(file);
      PlaceContract.put(place, file, CONTENT);
      List<Offered> others =
          List.of(
              offers.link("l", "f"),
              offers.of(EntryKind.FIFO, "p").offered(),
              offers.of(EntryKind.HARD_LINK, "h").first(file).offered());
      for (int i = 0; i < 2; i++) {
        for (Offered each : others) {
          Answer answer = place.consider(each);
          assertThat(answer.kind()).as(answer.text()).isEqualTo(Answer.AnswerKind.MADE);
        }
      }
      for (Offered each : List.of(offers.link("l", "g"), offers.link("h", "f"))) {
        PlaceContract.assertFailed(place.consider(each), ExitCode.EXISTS, "already exists");
      }
    }
    assertThat(FileStatus.of(inbox.path("f")).links()).isEqualTo(2);
  }

  /// It failed, though a copy of a tree on one machine copies the file again.
  @ParameterizedTest
  @EnumSource(names = {"REFUSE", "REPLACE"})
  void aSecondNameThatCannotBeALinkIsACopyOfTheFirst(Existing policy) throws Exception {
    Files.createDirectory(inbox.path("a"));
    try (Mounted _ = Mounted.inMemory(inbox.path("a"), "tmpfs");
        TestPlace place = inbox.place(policy, Keep.ALL)) {
      byte[] content = PlaceContract.random(1 << 20);
      Offered file = offers.of(EntryKind.FILE, "first").size(content.length).mode(0640).offered();
      place.consider(file);
      PlaceContract.put(place, file, content);
      if (policy == Existing.REPLACE) {
        Files.writeString(inbox.path("a/tmpfs/second"), "mine");
      }
      for (String name : List.of("a/tmpfs/second", "a/tmpfs/third")) {
        Offered second = offers.of(EntryKind.HARD_LINK, name).first(file).offered();
        assertThat(place.consider(second).kind()).isEqualTo(Answer.AnswerKind.MADE);
      }
      FileStatus copy = FileStatus.of(inbox.path("a/tmpfs/second"));
      assertThat(inbox.path("a/tmpfs/second")).hasBinaryContent(content);
      assertThat(copy.modified()).isEqualTo(FileStatus.of(inbox.path("first")).modified());
      assertThat(copy.wholeMode()).isEqualTo(0640);
      assertThat(copy.isSameFile(FileStatus.of(inbox.path("a/tmpfs/third")))).isTrue();
      assertThat(place.losses())
          .singleElement()
          .satisfies(loss -> assertThat(loss.kind()).isEqualTo(Loss.LossKind.HARD_LINK));
      assertThat(inbox.names())
          .containsExactly("a", "a/tmpfs", "a/tmpfs/second", "a/tmpfs/third", "first");
    }
  }

  @Test
  void aSecondNameTakesTheNameOfAnotherFileOnlyWhenAsked() throws Exception {
    existing("file");
    for (Existing policy : List.of(Existing.REFUSE, Existing.REPLACE)) {
      try (TestPlace place = inbox.place(policy, Keep.ALL)) {
        Offered file = offers.file("f" + policy, CONTENT);
        place.consider(file);
        PlaceContract.put(place, file, CONTENT);
        Offered second = offers.of(EntryKind.HARD_LINK, "x").first(file).offered();
        assertThat(place.consider(second).kind())
            .isEqualTo(
                policy == Existing.REPLACE ? Answer.AnswerKind.MADE : Answer.AnswerKind.FAILED);
      }
    }
    assertThat(inbox.path("x")).hasBinaryContent(CONTENT);
    assertThat(inbox.names()).containsExactly("fREFUSE", "fREPLACE", "x");
  }

  @Test
  void aSecondNameOfWhatHasNotArrivedFails() throws Exception {
    try (TestPlace place = inbox.place(Existing.REFUSE, Keep.ALL)) {
      Offered file = offers.file("f", CONTENT);
      place.consider(file);
      Offered second = offers.of(EntryKind.HARD_LINK, "h").first(file).offered();
      PlaceContract.assertFailed(place.consider(second), ExitCode.DESTINATION, "has not arrived");
    }
    assertThat(inbox.names()).isEmpty();
  }

  @Test
  void aFileThatReplacesAnotherTakesItsPermissionsAndOwner() throws Exception {
    assumeTrue(Programs.isRoot(), "only root may give files away");
    Path old = existing("file");
    Programs.run("chown", "1234:5678", old.toString());
    Programs.run("chmod", "4641", old.toString());
    try (TestPlace place = inbox.place(Existing.REPLACE, 0)) {
      Offered file = offers.file("x", CONTENT);
      place.consider(file);
      PlaceContract.put(place, file, CONTENT);
    }
    FileStatus status = FileStatus.of(inbox.path("x"));
    assertThat(status.wholeMode()).isEqualTo(0641);
    assertThat(status.owner()).isEqualTo(1234);
    assertThat(status.group()).isEqualTo(5678);
  }

  @ParameterizedTest
  @EnumSource(names = {"REFUSE", "REPLACE"})
  void theReceiversDirectoryGetsItsMetadataOnlyIfItMayBeReplaced(Existing policy) throws Exception {
    FileStatus before = FileStatus.of(inbox.path("."));
    try (TestPlace place = inbox.place(policy, Keep.ALL)) {
      Offered way = offers.of(EntryKind.WAY, "").mode(0711).offered();
      Offered top = offers.of(EntryKind.DIRECTORY, "").mode(0711).offered();
      assertThat(place.consider(way).kind()).isEqualTo(Answer.AnswerKind.ALL);
      place.complete(way);
      assertThat(FileStatus.of(inbox.path(".")).wholeMode()).isEqualTo(before.wholeMode());
      assertThat(place.consider(top).kind()).isEqualTo(Answer.AnswerKind.ALL);
      place.complete(top);
    }
    boolean replaces = policy == Existing.REPLACE;
    assertThat(FileStatus.of(inbox.path(".")).wholeMode())
        .isEqualTo(replaces ? 0711 : before.wholeMode());
  }

  /// It once kept its old metadata, if that of a file was replaced.
  @ParameterizedTest
  @EnumSource(names = {"REFUSE", "REPLACE"})
  void whatIsThereAsItIsOfferedGetsItsMetadataOnlyIfItMayBeReplaced(Existing policy)
      throws Exception {
    Path fifo = Programs.fifo(inbox.path("p"));
    Programs.run("chmod", "600", fifo.toString());
    Path link = Files.createSymbolicLink(inbox.path("l"), Path.of("elsewhere"));
    Path file = Files.write(inbox.path("f"), CONTENT);
    Programs.run("chmod", "600", file.toString());
    FileTime modified =
        FileTime.from(Instant.ofEpochSecond(Offers.MODIFIED.seconds(), Offers.MODIFIED.nanos()));
    Files.setLastModifiedTime(file, modified);
    FileTime before = FileStatus.of(fifo).modified();
    try (TestPlace place = inbox.place(policy, Keep.ALL)) {
      for (Offered each :
          List.of(
              offers.of(EntryKind.FIFO, "p").mode(0641).offered(), offers.link("l", "elsewhere"))) {
        Answer answer = place.consider(each);
        assertThat(answer.kind()).as(answer.text()).isEqualTo(Answer.AnswerKind.MADE);
      }
      Offered same = offers.of(EntryKind.FILE, "f").size(CONTENT.length).mode(0641).offered();
      assertThat(place.consider(same).kind()).isEqualTo(Answer.AnswerKind.WHOLE);
      assertThat(place.show(same, CONTENT, Level.WIRE)).isEqualTo(Level.WIRE);
    }
    boolean replaces = policy == Existing.REPLACE;
    assertThat(FileStatus.of(fifo).modified()).isEqualTo(replaces ? modified : before);
    assertThat(FileStatus.of(fifo).wholeMode()).isEqualTo(replaces ? 0641 : 0600);
    assertThat(FileStatus.of(file).wholeMode()).isEqualTo(replaces ? 0641 : 0600);
    assertThat(Files.getLastModifiedTime(link, LinkOption.NOFOLLOW_LINKS).equals(modified))
        .isEqualTo(replaces);
  }

  /// acl(5): the kernel makes the list of a new file from its mode. All were made private, and so
  /// nobody whom the list names could read them.
  @Test
  void whatComesIntoADirectoryWithADefaultListGetsThatList() throws Exception {
    Path top = Files.createDirectory(inbox.path("t"));
    String list = "u::rwx,g::rwx,o::---,u:daemon:rwx";
    assumeTrue(
        Programs.succeeds("setfacl", "-d", "-m", list, top.toString()),
        "no access control lists here");
    byte[] large = new byte[2 << 20];
    try (TestPlace place = inbox.place(Existing.REFUSE, 0)) {
      for (String name : List.of("t/f", "t/d/f", "t/large")) {
        byte[] content = name.equals("t/large") ? large : CONTENT;
        Offered file = offers.file(name, content);
        assertThat(place.consider(file).text()).isEmpty();
        try (Landing landing = place.landing(file)) {
          if (content == large) {
            PlaceContract.block(landing, content, new Span(0, content.length));
            TestPlace.publish(landing, PlaceContract.ending(file, content), Level.WIRE);
          } else {
            PlaceContract.put(place, file, content);
          }
        }
      }
      Offered directory = offers.directory("t/d");
      place.consider(directory);
      place.complete(directory);
    }
    for (String name : List.of("t/f", "t/d/f", "t/large")) {
      assertThat(FileStatus.of(inbox.path(name)).wholeMode()).as(name).isEqualTo(0640);
      assertThat(Programs.run("getfacl", "-cE", inbox.path(name).toString()))
          .contains("user:daemon:rwx", "mask::r--");
    }
    assertThat(FileStatus.of(inbox.path("t/d")).wholeMode()).isEqualTo(0750);
  }

  @Test
  void noJournalStaysWhereADefaultListLetsItsOwnerNotWrite() throws Exception {
    Path top = Files.createDirectory(inbox.path("t"));
    assumeTrue(
        Programs.succeeds("setfacl", "-d", "-m", "u::r-x,g::r-x,o::---", top.toString()),
        "no access control lists here");
    byte[] large = new byte[2 << 20];
    try (TestPlace place = inbox.place(Existing.REFUSE, 0)) {
      Offered file = offers.file("t/f", large);
      place.consider(file);
      try (Landing landing = place.landing(file)) {
        PlaceContract.block(landing, large, new Span(0, large.length));
        TestPlace.publish(landing, PlaceContract.ending(file, large), Level.WIRE);
      }
    }
    assertThat(inbox.names()).containsExactly("t", "t/f");
  }

  /// The second one took the place of the first, or was said to have arrived.
  @ParameterizedTest
  @EnumSource(names = {"REFUSE", "REPLACE"})
  void twoNamesThatAreOneToTheFileSystemAreNotTakenForOneEntry(Existing policy) throws Exception {
    try (Mounted mounted = Mounted.ignoringCase(dir);
        Inbox folding = new Inbox(mounted.path())) {
      Files.createDirectory(folding.path("old"));
      try (TestPlace place = folding.place(policy, Keep.LINKS.bit() | Keep.HARD_LINKS.bit())) {
        for (String folder : List.of("old/", "new/")) {
          Offered first = offers.file(folder + "readme", CONTENT);
          Offered second = offers.file(folder + "README", CONTENT);
          place.consider(first);
          place.consider(second);
          PlaceContract.put(place, first, CONTENT);
          assertThatThrownBy(() -> PlaceContract.put(place, second, CONTENT))
              .hasMessageContaining("takes for that of another entry");
          assertRefused(place, offers.file(folder + "Readme", CONTENT));
          assertRefused(place, offers.link(folder + "Readme", "x"));
          assertRefused(
              place, offers.of(EntryKind.HARD_LINK, folder + "Readme").first(first).offered());
          place.consider(offers.directory(folder + "d"));
          PlaceContract.assertFailed(
              place.consider(offers.directory(folder + "D")),
              ExitCode.EXISTS,
              "has a name that the target's file system takes for that of another directory");
          Offered again = offers.file(folder + "readme", CONTENT);
          assertThat(place.consider(again).kind()).isEqualTo(Answer.AnswerKind.WHOLE);
        }
      }
      assertThat(folding.names())
          .containsExactly("new", "new/d", "new/readme", "old", "old/d", "old/readme");
    }
  }

  @Test
  void whatTookTheNameOfAnotherSpellingIsNotDeletedAfterwards() throws Exception {
    try (Mounted mounted = Mounted.ignoringCase(dir);
        Inbox folding = new Inbox(mounted.path())) {
      Files.createDirectories(folding.path("old/kept/deep"));
      for (String each : List.of("old/readme", "old/other", "old/kept/deep/file")) {
        Files.writeString(folding.path(each), "mine");
      }
      Deletion deletion = new Deletion(new Deleting(Deleting.UNLIMITED), Filter.NONE, false);
      Admission mirror = Inbox.admission(Existing.REPLACE, 0).deleting(deletion);
      try (TestPlace place = folding.place(mirror, () -> false)) {
        List<Offered> directories =
            List.of(
                offers.directory("old/KEPT/DEEP"),
                offers.directory("old/KEPT"),
                offers.directory("old"));
        directories.forEach(place::consider);
        Offered file = offers.file("old/README", CONTENT);
        place.consider(file);
        PlaceContract.put(place, file, CONTENT);
        for (Offered each : directories) {
          place.complete(each);
        }
        place.place().deleteSurplus();
      }
      assertThat(folding.path("old/readme")).hasBinaryContent(CONTENT);
      assertThat(folding.names()).containsExactly("old", "old/kept", "old/kept/deep", "old/readme");
    }
  }

  private static void assertRefused(TestPlace place, Offered entry) {
    PlaceContract.assertFailed(
        place.consider(entry), ExitCode.EXISTS, "takes for that of another entry");
  }
}
