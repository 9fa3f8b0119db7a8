package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.OwnProcess;
import dev.zcp.session.Admission;
import dev.zcp.session.Admission.Deletion;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.OpenDescriptors;
import dev.zcp.testing.Programs;
import dev.zcp.testing.TestFrames;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Policy.Deleting;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Digest.Algorithm;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Held;
import dev.zcp.wire.Keep;
import dev.zcp.wire.KeepExisting;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import dev.zcp.wire.Timestamp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryPlaceTest extends PlaceContract {

  private static final Instant MODIFIED =
      Instant.ofEpochSecond(Offers.MODIFIED.seconds(), Offers.MODIFIED.nanos());

  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");

  @TempDir Path dir;

  private Inbox inbox;

  @BeforeEach
  void open() throws Failure {
    inbox = new Inbox(dir);
  }

  @AfterEach
  void nothingIsLeftOpen() throws IOException {
    inbox.close();
    String here = dir.toRealPath().toString();
    assertThat(OpenDescriptors.targets()).noneMatch(target -> target.startsWith(here));
  }

  @Override
  TestPlace place() {
    return inbox.unadmitted(Inbox.admission(Existing.REFUSE, 0));
  }

  @Override
  byte[] arrived(String name) throws IOException {
    assertThat(inbox.names()).as("nothing is left beside it").containsExactly(name);
    return Files.readAllBytes(dir.resolve(name));
  }

  @Test
  void aTreeArrivesWithItsTimesAndMaskedModes() throws Exception {
    int umask = OwnProcess.umask();
    try (TestPlace place = admitting()) {
      Offered top = offers.of(EntryKind.DIRECTORY, "t").mode(0777).offered();
      Offered below = offers.of(EntryKind.DIRECTORY, "t/u").mode(0500).offered();
      Offered file = offers.of(EntryKind.FILE, "t/u/f").size(3).mode(06777).offered();
      assertThat(place.consider(top).kind()).isEqualTo(Answer.AnswerKind.NEW);
      assertThat(place.consider(below).kind()).isEqualTo(Answer.AnswerKind.NEW);
      place.consider(file);
      put(place, file, new byte[] {1, 2, 3});
      place.complete(below);
      place.complete(top);
    }
    assertThat(FileStatus.of(dir.resolve("t")).wholeMode()).isEqualTo(0777 & ~umask);
    assertThat(FileStatus.of(dir.resolve("t/u")).wholeMode()).isEqualTo(0500 & ~umask);
    assertThat(FileStatus.of(dir.resolve("t/u/f")).wholeMode()).isEqualTo(0777 & ~umask);
    for (String name : new String[] {"t", "t/u", "t/u/f"}) {
      assertThat(FileStatus.of(dir.resolve(name)).modified().toInstant()).isEqualTo(MODIFIED);
    }
  }

  @Test
  void aDirectoryThatABrokenSessionMadeIsCompletedByTheNext() throws Exception {
    Files.createDirectory(dir.resolve("old"), PosixFilePermissions.asFileAttribute(OWNER));
    Offered broken = offers.of(EntryKind.DIRECTORY, "t").mode(0750).offered();
    try (TestPlace place = admitting()) {
      place.consider(broken);
    }
    try (TestPlace place = admitting()) {
      for (String name : new String[] {"t", "old"}) {
        Offered again = offers.of(EntryKind.DIRECTORY, name).mode(0750).offered();
        assertThat(place.consider(again).kind()).isEqualTo(Answer.AnswerKind.ALL);
        place.complete(again);
      }
    }
    FileStatus made = FileStatus.of(dir.resolve("t"));
    assertThat(made.wholeMode()).isEqualTo(0750 & ~OwnProcess.umask());
    assertThat(made.modified().toInstant()).isEqualTo(MODIFIED);
    assertThat(FileStatus.of(dir.resolve("old")).wholeMode()).isEqualTo(0700);
  }

  @ParameterizedTest
  @EnumSource(names = {"LINK", "FIFO"})
  void whatAnotherSessionMakesAfterTheLookIsThere(EntryKind kind) throws Exception {
    int keeps = Keep.LINKS.bit() | Keep.SPECIALS.bit();
    Offered same =
        kind == EntryKind.LINK ? offers.link("same", "x") : offers.of(kind, "same").offered();
    FileWork work =
        new FileWork() {
          @Override
          public void goesOn() {}

          @Override
          public void use(Object path, long bytes) {
            try (TestPlace other = inbox.place(Existing.REFUSE, keeps)) {
              assertThat(other.consider(same).kind()).isEqualTo(Answer.AnswerKind.MADE);
            } catch (Failure e) {
              throw new AssertionError(e);
            }
          }
        };
    Admission admission = Inbox.admission(Existing.REFUSE, keeps);
    try (TestPlace place = new TestPlace(inbox.target().begin(admission, null, work))) {
      place.admit(Offers.ANYTHING);
      assertThat(place.consider(same).kind()).isEqualTo(Answer.AnswerKind.MADE);
    }
    assertThat(inbox.names()).containsExactly("same");
  }

  /// As if that session made it another name.
  @Test
  void theSameFileOfAnotherSessionMayGetNamesWhileItIsCompared() throws Exception {
    byte[] content = random(3);
    Offered file = offers.file("a", content);
    FileWork work =
        () -> {
          try {
            Files.createLink(dir.resolve("b"), dir.resolve("a"));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    Admission admission = Inbox.admission(Existing.REFUSE, 0);
    try (TestPlace place = new TestPlace(inbox.target().begin(admission, null, work))) {
      place.admit(Offers.ANYTHING);
      place.consider(file);
      Files.write(dir.resolve("a"), content);
      Files.setLastModifiedTime(dir.resolve("a"), FileTime.from(MODIFIED));
      put(place, file, content);
    }
    assertThat(inbox.names()).containsExactly("a", "b");
  }

  /// As with two syncs of one tree to the same machine.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsTheSameByNowHasArrivedAndStays(boolean hasSameBytes) throws Exception {
    byte[] content = random(3);
    byte[] bytes = content.clone();
    bytes[1] ^= (byte) (hasSameBytes ? 0 : 1);
    try (TestPlace place = inbox.unadmitted(Inbox.admission(Existing.REPLACE, 0))) {
      place.admit(
          new Manifest(
              -1, -1, -1, Level.WIRE, Algorithm.CRC32C, KeepExisting.SAME, false, false, 0));
      Offered file = offers.file("a", content);
      place.consider(file);
      Files.write(dir.resolve("a"), bytes);
      Files.setLastModifiedTime(dir.resolve("a"), FileTime.from(MODIFIED));
      long inode = FileStatus.of(dir.resolve("a")).inode();
      if (hasSameBytes) {
        put(place, file, content);
      } else {
        assertThatThrownBy(() -> put(place, file, content)).hasMessageContaining("appeared while");
      }
      assertThat(FileStatus.of(dir.resolve("a")).inode()).isEqualTo(inode);
    }
    assertThat(inbox.names()).containsExactly("a");
  }

  /// Offers come over several connections, and so in any order.
  @Test
  void aDirectoryThatIsOfferedAfterWhatIsInItIsMadeBefore() throws Exception {
    try (TestPlace place = admitting()) {
      Offered file = offers.file("t/u/f", new byte[3]);
      place.consider(file);
      put(place, file, new byte[3]);
      assertThat(FileStatus.of(dir.resolve("t/u")).wholeMode()).isEqualTo(01700);
      Offered below = offers.directory("t/u");
      assertThat(place.consider(below).kind()).isEqualTo(Answer.AnswerKind.NEW);
      assertThat(FileStatus.of(dir.resolve("t/u")).wholeMode())
          .as("should this session be interrupted now")
          .isEqualTo(0755 & ~OwnProcess.umask());
      place.complete(below);
      assertThat(FileStatus.of(dir.resolve("t/u")).modified().toInstant()).isEqualTo(MODIFIED);
    }
  }

  /// So that the first of them ends the session.
  @ParameterizedTest
  @EnumSource(names = {"DIRECTORY", "FIFO", "FILE"})
  void ofWhatCannotBeMadeItIsKnownThatTheTargetTakesNothing(EntryKind kind) throws Exception {
    try (Mounted disk = Mounted.inMemory(dir, "tmpfs");
        Inbox full = new Inbox(disk.path());
        TestPlace place = full.place(Existing.REFUSE, Keep.ALL)) {
      Programs.run("mount", "-o", "remount,ro", disk.path().toString());
      Offered offered =
          kind == EntryKind.FILE
              ? offers.file("a/b", new byte[3])
              : offers.of(kind, "a/b").offered();
      Answer answer = place.consider(offered);
      assertThat(answer.kind()).isEqualTo(Answer.AnswerKind.FAILED);
      Failure refusal = place.entries().get(offered.fileId()).refusal(answer);
      assertThat(Reasons.isOfFullTarget(refusal.getCause())).as(refusal.getMessage()).isTrue();
      assertThat(place.place().isOfAll(offered.path(), refusal.getCause())).isTrue();
    }
  }

  @Test
  void aDirectoryThatAKilledReceiverLeftIsCompleted() throws Exception {
    Offered directory = offers.directory("t");
    try (TestPlace killed = inbox.place(Existing.REFUSE, Keep.ALL)) {
      killed.consider(directory);
    }
    Path left = dir.resolve("t");
    try (Inbox restarted = new Inbox(dir);
        TestPlace place = restarted.place(Existing.REFUSE, Keep.ALL)) {
      place.consider(directory);
      place.complete(directory);
    }
    assertThat(FileStatus.of(left).wholeMode()).isEqualTo(0755);
    assertThat(FileStatus.of(left).modified()).isEqualTo(FileTime.from(MODIFIED));
  }

  @ParameterizedTest
  @EnumSource(names = {"REFUSE", "REPLACE"})
  void aDirectoryThatWasThereGetsWhatItIsOfferedWithOnlyIfItMayBeReplaced(Existing existing)
      throws Exception {
    Path there = Files.createDirectory(dir.resolve("t"));
    Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rwx------"));
    FileTime before = FileTime.fromMillis(1_000_000);
    Files.setLastModifiedTime(there, before);
    try (TestPlace place = inbox.place(existing, Keep.ALL)) {
      Offered directory = offers.directory("t");
      assertThat(place.consider(directory).kind()).isEqualTo(Answer.AnswerKind.ALL);
      place.complete(directory);
    }
    boolean replaces = existing == Existing.REPLACE;
    FileStatus status = FileStatus.of(there);
    assertThat(status.wholeMode()).isEqualTo(replaces ? 0755 : 0700);
    assertThat(status.modified()).isEqualTo(replaces ? FileTime.from(MODIFIED) : before);
  }

  @Test
  void aDryRunMakesNothingWhateverComesFirst() throws Exception {
    Files.write(dir.resolve("there"), new byte[1]);
    try (TestPlace place = inbox.unadmitted(Inbox.admission(Existing.REPLACE, Keep.ALL))) {
      place.admit(
          new Manifest(
              -1, -1, -1, Level.WIRE, Algorithm.CRC32C, KeepExisting.SAME, true, false, Keep.ALL));
      Offered file = offers.of(EntryKind.FILE, "t/u/f").size(3).offered();
      assertThat(place.consider(file).kind()).isEqualTo(Answer.AnswerKind.CREATE);
      for (String name : new String[] {"t/u", "t"}) {
        Offered directory = offers.directory(name);
        assertThat(place.consider(directory).kind()).isEqualTo(Answer.AnswerKind.NEW);
        place.complete(directory);
      }
      Offered there = offers.of(EntryKind.FILE, "there").size(3).offered();
      assertThat(place.consider(there).kind()).isEqualTo(Answer.AnswerKind.REPLACE);
      Offered clash = offers.directory("there");
      assertThat(place.consider(clash).kind()).isEqualTo(Answer.AnswerKind.FAILED);
    }
    assertThat(inbox.names()).containsExactly("there");
  }

  @Test
  void whatMakesWayForADirectoryMakesWayWhateverComesFirst() throws Exception {
    Deletion deletion = new Deletion(new Deleting(Deleting.UNLIMITED), Filter.NONE, true);
    Admission admission = Inbox.admission(Existing.REPLACE, Keep.ALL).deleting(deletion);
    for (boolean isDryRun : new boolean[] {true, false}) {
      Files.writeString(dir.resolve("t"), "old");
      try (TestPlace place = inbox.unadmitted(admission)) {
        place.admit(
            new Manifest(
                -1,
                -1,
                -1,
                Level.WIRE,
                Algorithm.CRC32C,
                KeepExisting.SAME,
                isDryRun,
                false,
                Keep.ALL));
        Offered link = offers.link("t/u/link", "there");
        assertThat(place.consider(link).kind())
            .isEqualTo(isDryRun ? Answer.AnswerKind.CREATE : Answer.AnswerKind.MADE);
        for (String name : new String[] {"t/u", "t"}) {
          Offered directory = offers.directory(name);
          assertThat(place.consider(directory).kind()).isEqualTo(Answer.AnswerKind.NEW);
          place.complete(directory);
        }
      }
      assertThat(Files.isDirectory(dir.resolve("t"))).isNotEqualTo(isDryRun);
    }
    assertThat(inbox.names()).containsExactly("t", "t/u", "t/u/link");
  }

  @Test
  void whoAskedForADryRunTakesNothing() {
    Admission admission = Inbox.admission(Existing.REPLACE, Keep.ALL).dryRun(true);
    try (TestPlace place = inbox.unadmitted(admission)) {
      assertThatThrownBy(() -> place.admit(TestFrames.manifest(1, 1, 1, Level.WIRE, 0)))
          .hasMessageContaining("the sender makes no dry run");
    }
  }

  @Test
  void aDirectoryThatSomebodyReplacedMeanwhileIsNotTouched() throws Exception {
    try (TestPlace place = admitting()) {
      Offered directory = offers.directory("t");
      place.consider(directory);
      Files.move(dir.resolve("t"), dir.resolve("mine"));
      Files.createDirectory(dir.resolve("t"));
      FileStatus before = FileStatus.of(dir.resolve("t"));
      // It is not looked for by its name while it is open.
      place.complete(directory);
      assertThat(FileStatus.of(dir.resolve("t"))).isEqualTo(before);
    }
  }

  /// A file that is there is read once it is shown, and nobody waits for it any more.
  @Test
  void readingEndsWithTheSessionAndIsNoFailureOfTheFile() throws Exception {
    byte[] content = random(1 << 20);
    Files.write(dir.resolve("a"), content);
    Files.setLastModifiedTime(dir.resolve("a"), FileTime.from(MODIFIED));
    Offered file = offers.file("a", content);
    try (TestPlace place = placeOfSessionThatIsOver()) {
      place.consider(file);
      assertThatThrownBy(() -> place.show(file, content, Level.WIRE))
          .isInstanceOf(CancellationException.class);
    }
    try (TestPlace place = admitting()) {
      assertThat(place.consider(file).kind()).isEqualTo(Answer.AnswerKind.WHOLE);
    }
  }

  /// It has its bytes then, and stayed under its hidden name, open.
  @Test
  void nothingIsLeftOfASmallFileWhoseSessionEndsWhileItIsReadAgain() throws Exception {
    Part part = TestFrames.part(1000, 1000);
    ByteBuffer bytes = ByteBuffer.allocate(part.rawBytes());
    try (TestPlace place = placeOfSessionThatIsOver()) {
      assertThatThrownBy(
              () -> place.place().write(part, List.of(EntryPath.TOP), bytes, Level.READBACK, null))
          .isInstanceOf(CancellationException.class);
      assertThat(inbox.names()).isEmpty();
    }
  }

  private TestPlace placeOfSessionThatIsOver() throws Failure {
    FileWork over =
        () -> {
          throw new CancellationException("the session is over");
        };
    TestPlace place =
        new TestPlace(inbox.target().begin(Inbox.admission(Existing.REFUSE, 0), () -> false, over));
    place.admit(Offers.ANYTHING);
    return place;
  }

  @ParameterizedTest
  @EnumSource
  void everyLevelIsReachedOnADisk(Level level) throws Exception {
    byte[] content = random(2 << 20);
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", content);
      place.consider(file);
      try (Landing landing = place.landing(file)) {
        block(landing, content, new Span(0, content.length));
        Level reached = TestPlace.publish(landing, ending(file, content), level);
        // Where the test runs in memory there is no media.
        assertThat(reached).isIn(level, level == Level.MEDIA ? Level.READBACK : level);
      }
    }
    assertThat(arrived("a")).isEqualTo(content);
  }

  @ParameterizedTest
  @EnumSource(names = {"READBACK", "MEDIA"})
  void whatIsReadAgainAndIsNotWhatWasSentIsNotPublished(Level level) throws Exception {
    byte[] content = random(2 << 20);
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", content);
      place.consider(file);
      try (Landing landing = place.landing(file)) {
        block(landing, content, new Span(0, content.length));
        landing.sink().write(ByteBuffer.wrap(new byte[] {(byte) ~content[77]}), 77);
        assertThatThrownBy(() -> TestPlace.publish(landing, ending(file, content), level))
            .isInstanceOfSatisfying(
                Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.INTEGRITY));
      }
    }
    assertThat(inbox.names()).as("no journal tells that it was right").isEmpty();
  }

  @Test
  void aFileThatLacksBytesIsNotPublished() throws Exception {
    byte[] content = random(1000);
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", content);
      place.consider(file);
      try (Landing landing = place.landing(file)) {
        block(landing, content, new Span(0, 999));
        assertThatThrownBy(() -> TestPlace.publish(landing, ending(file, content), Level.NONE))
            .hasMessage("a: has 999 bytes in place of 1000");
      }
    }
    assertThat(inbox.names()).isEmpty();
  }

  @Test
  void anInterruptedFileIsGoneOnWith() throws Exception {
    byte[] content = random(4 << 20);
    Span half = new Span(0, 2 << 20);
    try (TestPlace place = admitting()) {
      Offered file = offers.of(EntryKind.FILE, "t/a").size(content.length).offered();
      place.consider(file);
      block(place.landing(file), content, half);
    }
    assertThat(inbox.names()).hasSize(3).allMatch(name -> name.startsWith("t"));
    try (TestPlace place = admitting()) {
      Offered file = offers.of(EntryKind.FILE, "t/a").size(content.length).offered();
      byte[] first = Arrays.copyOf(content, (int) half.length());
      assertThat(place.consider(file).held()).containsExactly(new Held(half, Offers.crc32c(first)));
      try (Landing landing = place.landing(file)) {
        block(landing, content, new Span(half.end(), content.length - half.end()));
        TestPlace.publish(landing, ending(file, content), Level.READBACK);
      }
    }
    assertThat(inbox.names()).containsExactly("t", "t/a");
    assertThat(Files.readAllBytes(dir.resolve("t/a"))).isEqualTo(content);
  }

  @Test
  void anotherVersionOfAnInterruptedFileBeginsAnew() throws Exception {
    byte[] content = random(2 << 20);
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", content);
      place.consider(file);
      block(place.landing(file), content, new Span(0, 1 << 20));
    }
    try (TestPlace place = admitting()) {
      Offered other = offers.of(EntryKind.FILE, "a").size(content.length).version(1).offered();
      assertThat(place.consider(other)).isEqualTo(Answer.of(other.fileId(), Answer.AnswerKind.ALL));
      place.landing(other).drop();
    }
    assertThat(inbox.names()).isEmpty();
  }

  @Test
  void whatIsKeptIsToldInBytes() throws Exception {
    byte[] content = random(3 << 20);
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", content);
      place.consider(file);
      Landing landing = place.landing(file);
      block(landing, content, new Span(1 << 20, 1 << 20));
      assertThat(landing.keep()).isEqualTo(1 << 20);
      Offered small = offers.file("b", new byte[1000]);
      place.consider(small);
      landing = place.landing(small);
      block(landing, new byte[1000], new Span(0, 500));
      assertThat(landing.keep()).isZero();
    }
    assertThat(inbox.names()).as("of the first, and nothing of the second").hasSize(2);
  }

  @Test
  void whenTheProcessEndsOnlyWhatCanBeGoneOnWithIsLeft() throws Exception {
    byte[] content = random(2 << 20);
    try (TestPlace place = admitting()) {
      Offered large = offers.file("a", content);
      Offered small = offers.file("b", new byte[9]);
      place.consider(large);
      place.consider(small);
      block(place.landing(large), content, new Span(0, 1 << 20));
      Landing landing = place.landing(small);
      block(landing, new byte[9], new Span(0, 9));
      inbox.target().abandon();
      assertThat(inbox.names()).hasSize(2);
      assertThatThrownBy(() -> TestPlace.publish(landing, ending(small, new byte[9]), Level.WIRE))
          .isInstanceOf(Failure.class);
    }
    assertThat(inbox.names()).hasSize(2).allMatch(name -> name.startsWith(".zcp-"));
  }

  @Test
  void aSourceThatFailedLeavesNothingOfASmallFile() throws Exception {
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", new byte[9]);
      place.consider(file);
      block(place.landing(file), new byte[9], new Span(0, 4));
      place.forget(file);
      assertThat(inbox.names()).isEmpty();
      assertThat(place.consider(file).kind()).as("another try").isEqualTo(Answer.AnswerKind.ALL);
    }
  }

  @Test
  void onlyOneOfTwoSendersWritesAFile() throws Exception {
    try (TestPlace one = admitting();
        TestPlace other = admitting()) {
      Offered mine = offers.file("a", new byte[9]);
      Offered theirs = offers.file("a", new byte[9]);
      one.consider(mine);
      assertFailed(other.consider(theirs), ExitCode.EXISTS, "received from another sender");
      assertFailed(one.consider(theirs), ExitCode.EXISTS, "another entry of this sender");
      one.forget(mine);
      assertThat(other.consider(theirs).kind()).isEqualTo(Answer.AnswerKind.ALL);
    }
  }

  /// A directory was made there, and the file failed when it was complete.
  @ParameterizedTest
  @EnumSource(names = {"DIRECTORY", "WAY", "FIFO"})
  void nothingElseIsMadeWhereAFileIsUnderWay(EntryKind kind) throws Exception {
    int keeps = Keep.SPECIALS.bit();
    try (TestPlace one = inbox.place(Existing.REFUSE, keeps);
        TestPlace other = inbox.place(Existing.REFUSE, keeps)) {
      Offered file = offers.file("a", new byte[9]);
      one.consider(file);
      assertFailed(
          one.consider(offers.of(kind, "a").offered()),
          ExitCode.EXISTS,
          "another entry of this sender");
      assertFailed(
          other.consider(offers.of(kind, "a").offered()),
          ExitCode.EXISTS,
          "received from another sender");
      put(one, file, new byte[9]);
    }
  }

  @Test
  void aSessionThatNobodyIsConnectedToGivesWay() throws Exception {
    byte[] content = random(2 << 20);
    TestPlace[] orphan = new TestPlace[1];
    PathLocks.Holder holder =
        () -> {
          orphan[0].close();
          return true;
        };
    orphan[0] = inbox.place(Inbox.admission(Existing.REFUSE, 0), holder);
    Offered file = offers.file("a", content);
    orphan[0].consider(file);
    block(orphan[0].landing(file), content, new Span(0, 1 << 20));
    try (TestPlace place = admitting()) {
      Answer answer = place.consider(offers.file("a", content));
      assertThat(answer.kind()).as(answer.text()).isEqualTo(Answer.AnswerKind.REST);
    }
  }

  @Test
  void twoSessionsFillOneDirectory() throws Exception {
    try (TestPlace one = admitting();
        TestPlace other = admitting()) {
      assertThat(one.consider(offers.directory("t")).kind()).isEqualTo(Answer.AnswerKind.NEW);
      assertThat(other.consider(offers.directory("t")).kind()).isEqualTo(Answer.AnswerKind.ALL);
      int i = 0;
      for (TestPlace each : new TestPlace[] {one, other}) {
        Offered file = offers.file("t/" + i++, new byte[9]);
        each.consider(file);
        put(each, file, new byte[9]);
      }
    }
    assertThat(inbox.names()).containsExactly("t", "t/0", "t/1");
  }

  /// Of a tree that is deeper than directories stay open.
  @Test
  void aDeepTreeIsWalkedDownAgainWhereItsDirectoriesWereClosed() throws Exception {
    StringBuilder path = new StringBuilder("d");
    try (TestPlace place = admitting()) {
      for (int i = 0; i < 400; i++) {
        path.append("/d");
        place.consider(offers.directory(path.toString()));
      }
      for (String each : new String[] {path + "/f", "d/f", path + "/g"}) {
        Offered file = offers.file(each, new byte[1]);
        assertThat(place.consider(file).text()).isEmpty();
        put(place, file, new byte[1]);
      }
    }
    assertThat(inbox.names()).hasSize(404);
  }

  /// Another session or process may put it there.
  @Test
  void aFileThatCameIntoADirectoryOfThisSessionIsTold() throws Exception {
    byte[] content = random(1000);
    try (TestPlace place = admitting()) {
      place.consider(offers.of(EntryKind.DIRECTORY, "t").mode(0777).offered());
      Files.write(dir.resolve("t/a"), content);
      Files.setLastModifiedTime(dir.resolve("t/a"), FileTime.from(MODIFIED));
      Answer answer = place.consider(offers.file("t/a", content));
      assertThat(answer.kind()).isEqualTo(Answer.AnswerKind.WHOLE);
    }
  }

  @Test
  void aFileThatIsThereAndMayBeTheSourcesIsTold() throws Exception {
    byte[] content = random(300_000);
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", content);
      place.consider(file);
      put(place, file, content);
      Offered again = offers.file("a", content);
      Answer answer = place.consider(again);
      assertThat(answer.kind()).isEqualTo(Answer.AnswerKind.WHOLE);
      assertThat(answer.held()).as("nothing is given away of it").isEmpty();
      assertThat(place.show(again, content, Level.READBACK)).isEqualTo(Level.READBACK);
      Offered empty = offers.file("b", new byte[0]);
      place.consider(empty);
      put(place, empty, new byte[0]);
      empty = offers.file("b", new byte[0]);
      assertThat(place.consider(empty).kind()).isEqualTo(Answer.AnswerKind.WHOLE);
      assertThat(place.show(empty, new byte[0], Level.WIRE)).isEqualTo(Level.WIRE);
    }
    assertThat(Files.readAllBytes(dir.resolve("a"))).isEqualTo(content);
  }

  @Test
  void aFileThatIsThereAndDiffersIsRefusedOrReplaced() throws Exception {
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", new byte[] {1});
      place.consider(file);
      put(place, file, new byte[] {1});
      Offered other = offers.file("a", new byte[] {2});
      assertThat(place.consider(other).kind()).isEqualTo(Answer.AnswerKind.WHOLE);
      assertThatThrownBy(() -> place.show(other, new byte[] {2}, Level.WIRE))
          .hasMessageContaining("already exists");
    }
    try (TestPlace place = inbox.place(Existing.REPLACE, 0)) {
      Offered other = offers.file("a", new byte[] {2});
      Answer answer = place.consider(other);
      assertThat(answer.kind()).isEqualTo(Answer.AnswerKind.WHOLE);
      assertThat(place.show(other, new byte[] {2}, Level.WIRE)).isNull();
      put(place, other, new byte[] {2});
    }
    assertThat(Files.readAllBytes(dir.resolve("a"))).containsExactly(2);
  }

  @Test
  void aFileThatChangedSinceItWasToldIsNotSaidToHaveArrived() throws Exception {
    byte[] content = random(1000);
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", content);
      place.consider(file);
      put(place, file, content);
      Offered again = offers.file("a", content);
      place.consider(again);
      Files.write(dir.resolve("a"), new byte[1000]);
      assertThatThrownBy(() -> place.show(again, content, Level.WIRE))
          .hasMessageContaining("already exists");
    }
  }

  @Test
  void aFileThatAppearsMeanwhileIsKept() throws Exception {
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", new byte[9]);
      place.consider(file);
      Files.writeString(dir.resolve("a"), "mine");
      assertThatThrownBy(() -> put(place, file, new byte[9]))
          .hasMessage("a: already exists (it is kept; a receiver with --overwrite replaces it)");
    }
    assertThat(arrived("a")).asString().isEqualTo("mine");
  }

  @Test
  void aTimeFarAwayIsAsNearAsTheFileSystemHasIt() throws Exception {
    try (TestPlace place = admitting()) {
      Offered file =
          offers
              .of(EntryKind.FILE, "a")
              .modified(new Timestamp(Instant.MIN.getEpochSecond(), 5))
              .offered();
      place.consider(file);
      put(place, file, new byte[0]);
      assertThat(place.losses())
          .filteredOn(loss -> !loss.reason().startsWith("not taken"))
          .hasSize(1);
    }
    assertThat(arrived("a")).isEmpty();
  }
}
