package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.OwnProcess;
import dev.zcp.testing.Programs;
import dev.zcp.testing.TestFrames;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.wire.Answer;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Offered;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What entries have besides their bytes, as far as the receiver's user takes it.
class OfferedAttireTest {

  /// CAP_NET_RAW, permitted and effective: capabilities(7), linux/capability.h.
  private static final byte[] CAPABILITY =
      HexFormat.of().parseHex("0100000200200000000000000000000000000000");

  /// The owner and the group read and write, user 1000 reads: acl(5).
  private static final byte[] LIST =
      HexFormat.of()
          .parseHex(
              "02000000"
                  + "01000600ffffffff"
                  + "02000400e8030000"
                  + "04000600ffffffff"
                  + "10000600ffffffff"
                  + "20000000ffffffff");

  @TempDir Path dir;

  private final Offers offers = new Offers();
  private Inbox inbox;

  @BeforeEach
  void open() throws Exception {
    inbox = new Inbox(dir);
  }

  @AfterEach
  void close() {
    inbox.close();
  }

  @ParameterizedTest
  @CsvSource({
    "LINK, symbolic links, links",
    "HARD_LINK, hard links, hardlinks",
    "FIFO, FIFOs and devices, specials",
    "CHARACTER_DEVICE, FIFOs and devices, specials",
    "BLOCK_DEVICE, FIFOs and devices, specials",
  })
  void whatTheUserDidNotSayIsDeclined(EntryKind kind, String label, String word) throws Exception {
    Keep[] all = Keep.values();
    int others = Keep.ALL;
    for (Keep each : all) {
      others &= each.word().equals(word) ? ~each.bit() : ~0;
    }
    try (TestPlace place = inbox.place(Existing.REFUSE, others)) {
      Offered entry = offers.of(kind, "x").leadsTo(kind == EntryKind.LINK ? "t" : "").offered();
      assertThat(place.consider(entry))
          .isEqualTo(
              Answer.declined(
                  entry.fileId(),
                  label + " are not taken (a receiver with --accept=" + word + " takes them)"));
    }
    assertThat(inbox.names()).isEmpty();
  }

  @Test
  void whatTheSenderWouldNotHaveKeptIsNot() throws Exception {
    try (TestPlace place = inbox.unadmitted(Inbox.admission(Existing.REFUSE, Keep.ALL))) {
      int asked = Keep.LINKS.bit() | Keep.MODE.bit();
      assertThat(place.admit(TestFrames.manifest(1, 1, 1, Level.NONE, asked))).isEqualTo(asked);
    }
  }

  @Test
  void ownersAndBitsThatLendRightsAreNotTakenUnasked() throws Exception {
    assumeTrue(Programs.isRoot(), "only root could give files away");
    try (TestPlace place = inbox.place(Existing.REFUSE, 0)) {
      arrive(place, "f", 06777, 1234);
      Offered directory =
          offers.of(EntryKind.DIRECTORY, "d").mode(07777).owned(1234, 5678).offered();
      place.consider(directory);
      place.complete(directory);
      assertThat(place.losses())
          .filteredOn(loss -> loss.files() == 2)
          .extracting(Loss::kind)
          .containsExactly(Loss.LossKind.MODE, Loss.LossKind.OWNER);
    }
    for (String name : List.of("f", "d")) {
      FileStatus status = FileStatus.of(dir.resolve(name));
      assertThat(status.wholeMode()).isEqualTo(0777 & ~OwnProcess.umask());
      assertThat(status.owner()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"LINK", "FIFO"})
  void nothingIsLostOfWhatIsNotMade(EntryKind kind) throws Exception {
    Files.createFile(dir.resolve("taken"));
    try (TestPlace place =
        inbox.place(Existing.REFUSE, Keep.ALL & ~Keep.OWNER.bit() & ~Keep.MODE.bit())) {
      PlaceContract.assertFailed(
          place.consider(another(kind, "taken")), ExitCode.EXISTS, "already exists");
      assertThat(place.losses()).noneMatch(loss -> loss.kind() == Loss.LossKind.OWNER);
      for (int i = 0; i < 2; i++) {
        assertThat(place.consider(another(kind, "new")).kind()).isEqualTo(Answer.AnswerKind.MADE);
        assertThat(place.losses())
            .filteredOn(loss -> loss.kind() == Loss.LossKind.OWNER)
            .singleElement()
            .satisfies(loss -> assertThat(loss.files()).isEqualTo(1));
      }
    }
  }

  /// Of somebody else than who receives it.
  private Offered another(EntryKind kind, String name) {
    return offers
        .of(kind, name)
        .leadsTo(kind == EntryKind.LINK ? "t" : "")
        .owned(1234, 5678)
        .offered();
  }

  @Test
  void allOfItIsTakenWhereTheUserSaysSo() throws Exception {
    assumeTrue(Programs.isRoot(), "only root may give files away");
    try (TestPlace place = inbox.place(Existing.REFUSE, Keep.ALL)) {
      arrive(place, "f", 06751, 1234);
      Offered directory =
          offers.of(EntryKind.DIRECTORY, "d").mode(03775).owned(1234, 5678).offered();
      place.consider(directory);
      assertThat(FileStatus.of(dir.resolve("d")).wholeMode()).isEqualTo(01700);
      place.complete(directory);
      Offered device =
          offers
              .of(EntryKind.CHARACTER_DEVICE, "null")
              .represents(0x103)
              .mode(0666)
              .owned(1, 2)
              .offered();
      Offered link = offers.of(EntryKind.LINK, "l").leadsTo("nowhere").owned(3, 4).offered();
      assertThat(place.consider(device).text()).isEmpty();
      assertThat(place.consider(link).text()).isEmpty();
      assertThat(place.losses()).isEmpty();
    }
    assertThat(FileStatus.of(dir.resolve("f")).wholeMode()).isEqualTo(06751);
    assertThat(FileStatus.of(dir.resolve("f")).owner()).isEqualTo(1234);
    assertThat(FileStatus.of(dir.resolve("d")).wholeMode()).isEqualTo(03775);
    assertThat(FileStatus.of(dir.resolve("d")).group()).isEqualTo(5678);
    FileStatus device = FileStatus.of(dir.resolve("null"));
    assertThat(device.represents()).isEqualTo(0x103);
    assertThat(device.wholeMode()).isEqualTo(0666);
    assertThat(device.group()).isEqualTo(2);
    assertThat(Files.getAttribute(dir.resolve("l"), "unix:uid", LinkOption.NOFOLLOW_LINKS))
        .isEqualTo(3);
    assertThat(
            Files.getLastModifiedTime(dir.resolve("l"), LinkOption.NOFOLLOW_LINKS)
                .toInstant()
                .getNano())
        .isEqualTo(Offers.MODIFIED.nanos());
  }

  @Test
  void attributesAndListsAreTakenWhereTheUserSaysSo() throws Exception {
    for (int keeps : new int[] {0, Keep.XATTR.bit(), Keep.ACL.bit()}) {
      String name = "f" + keeps;
      try (TestPlace place = inbox.place(Existing.REFUSE, keeps)) {
        Offered file =
            offers
                .of(EntryKind.FILE, name)
                .attribute("user.plain", new byte[] {'v'})
                .attribute("system.posix_acl_access", LIST)
                .offered();
        place.consider(file);
        PlaceContract.put(place, file, new byte[0]);
        assumeTrue(
            place.losses().stream().allMatch(OfferedAttireTest::isUntaken),
            "no attributes or lists here");
      }
      String attributes = attributes(name);
      assertThat(attributes.contains("user.plain=\"v\"")).isEqualTo(keeps == Keep.XATTR.bit());
      assertThat(attributes.contains("posix_acl_access")).isEqualTo(keeps == Keep.ACL.bit());
    }
  }

  /// Whether that is what nobody looked for.
  private static boolean isUntaken(Loss loss) {
    return loss.reason().startsWith("not taken");
  }

  /// A capability lends rights as setuid does.
  @Test
  void attributesThatLendRightsAreTakenOnlyWithModes() throws Exception {
    assumeTrue(Programs.isRoot(), "only root may set capabilities");
    for (int keeps : new int[] {Keep.XATTR.bit(), Keep.XATTR.bit() | Keep.MODE.bit()}) {
      String name = "f" + keeps;
      boolean taken = Keep.MODE.isIn(keeps);
      try (TestPlace place = inbox.place(Existing.REFUSE, keeps)) {
        Offered file =
            offers.of(EntryKind.FILE, name).attribute("security.capability", CAPABILITY).offered();
        place.consider(file);
        PlaceContract.put(place, file, new byte[0]);
        assertThat(place.losses())
            .filteredOn(loss -> !isUntaken(loss))
            .extracting(Loss::kind)
            .isEqualTo(taken ? List.of() : List.of(Loss.LossKind.XATTR));
      }
      assertThat(attributes(name).contains("security.capability")).isEqualTo(taken);
    }
  }

  @Test
  void whatTheKernelDoesNotTakeOfAttributesIsALoss() throws Exception {
    try (TestPlace place = inbox.place(Existing.REFUSE, Keep.ALL)) {
      Offered file =
          offers
              .of(EntryKind.FILE, "f")
              .attribute("system.posix_acl_access", new byte[] {1, 2, 3})
              .attribute("system.posix_acl_default", LIST)
              .attribute("nonsense", LIST)
              .attribute("system.nonsense", LIST)
              .offered();
      place.consider(file);
      PlaceContract.put(place, file, new byte[0]);
      assertThat(place.losses()).isNotEmpty();
    }
    assertThat(inbox.names()).containsExactly("f");
  }

  private void arrive(TestPlace place, String name, int mode, int owner) throws Exception {
    Offered file = offers.of(EntryKind.FILE, name).mode(mode).owned(owner, 5678).offered();
    place.consider(file);
    PlaceContract.put(place, file, new byte[0]);
  }

  private String attributes(String name) throws Exception {
    return Programs.run("getfattr", "-h", "-d", "-m", "-", dir.resolve(name).toString());
  }
}
