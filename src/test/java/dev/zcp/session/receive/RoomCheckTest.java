package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.session.Admission;
import dev.zcp.session.ResumeVerify;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whether there is room, told before the first byte, and what becomes of a file where there turns
/// out to be none.
class RoomCheckTest {

  private static final int MIB = 1 << 20;
  private static final int ROOM_MIB = 16;

  @TempDir Path dir;

  private final Offers offers = new Offers();

  @Test
  void whatFitsIsAdmittedAndWhatCannotIsRefusedWithWhatIsMissing() throws Exception {
    try (Mounted small = small();
        Inbox inbox = new Inbox(small.path());
        TestPlace place = inbox.unadmitted(Inbox.admission(Existing.REFUSE, 0))) {
      place.admit(Inbox.manifest(10, 15L * MIB));
      assertThatThrownBy(() -> place.admit(Inbox.manifest(10, 32L * MIB)))
          .isInstanceOfSatisfying(
              Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.DESTINATION))
          .hasMessage(small.path() + ": no space left (32.0 MiB needed, 16.0 MiB free)");
      place.admit(Inbox.manifest(Manifest.UNKNOWN, Manifest.UNKNOWN));
    }
  }

  /// As ramfs does, and some network file systems: statfs(2) has 0 blocks.
  @Test
  void aFileSystemThatDoesNotTellItsRoomHasRoom() throws Exception {
    try (Mounted silent = Mounted.inMemory(dir, "ramfs");
        Inbox inbox = new Inbox(silent.path());
        TestPlace place = inbox.unadmitted(Inbox.admission(Existing.REFUSE, 0))) {
      place.admit(Inbox.manifest(10, 15L * MIB));
      place.admit(Inbox.manifest(10, Long.MAX_VALUE));
    }
  }

  @Test
  void moreFilesThanThereAreInodesAreRefused() throws Exception {
    try (Mounted small = small();
        Inbox inbox = new Inbox(small.path());
        TestPlace place = inbox.unadmitted(Inbox.admission(Existing.REFUSE, 0))) {
      Programs.run("mount", "-o", "remount,nr_inodes=20", small.path().toString());
      place.admit(Inbox.manifest(15, 0));
      Files.createFile(small.path().resolve("a"));
      assertThatThrownBy(() -> place.admit(Inbox.manifest(21, 0)))
          .hasMessageContaining("no inodes left (21 needed, 18 free, 1 there already)");
    }
  }

  /// Of a transfer that was interrupted, or is repeated: no names are known yet.
  @Test
  void whatIsThereAlreadyNeedsNoRoomTwice() throws Exception {
    byte[] content = PlaceContract.random(10 * MIB);
    try (Mounted small = small();
        Inbox inbox = new Inbox(small.path())) {
      try (TestPlace place = inbox.place(Existing.REFUSE, 0)) {
        Offered file = offers.file("t/a", content);
        place.consider(file);
        PlaceContract.block(place.landing(file), content, new Span(0, 9 * MIB));
      }
      Files.write(small.path().resolve("b"), new byte[2 * MIB]);
      try (TestPlace place = inbox.unadmitted(Inbox.admission(Existing.REFUSE, 0))) {
        place.admit(Inbox.manifest(3, 12L * MIB));
        assertThatThrownBy(() -> place.admit(Inbox.manifest(3, 20L * MIB)))
            .hasMessageContaining("20.0 MiB needed")
            .hasMessageContaining("11.0 MiB there already");
      }
    }
  }

  @Test
  void whatIsThrownAwayNeedsRoomForOneFileOnly() throws Exception {
    try (Mounted small = small();
        Inbox inbox = new Inbox(small.path());
        TestPlace place =
            inbox.unadmitted(
                new Admission(
                    Existing.REFUSE,
                    0,
                    null,
                    ResumeVerify.ALL,
                    Admission.UNLIMITED,
                    Admission.UNLIMITED,
                    true))) {
      assertThatCode(() -> place.admit(Inbox.manifest(10, 32L * MIB))).doesNotThrowAnyException();
    }
  }

  @Test
  void aSmallFileThatDoesNotFitLeavesNothing() throws Exception {
    try (Mounted small = small();
        Inbox inbox = new Inbox(small.path());
        TestPlace place = inbox.place(Existing.REFUSE, 0)) {
      Programs.run(
          "fallocate", "-l", (ROOM_MIB - 1) + "M", small.path().resolve("full").toString());
      Offered file = offers.file("a", new byte[3 * MIB]);
      place.consider(file);
      assertThatThrownBy(() -> PlaceContract.put(place, file, new byte[3 * MIB]))
          .hasMessage("a: no space left on device");
      assertThat(inbox.names()).containsExactly("full");
    }
  }

  @Test
  void aLargeFileThatDoesNotFitKeepsWhatIsThere() throws Exception {
    byte[] content = PlaceContract.random(20 * MIB);
    try (Mounted small = small();
        Inbox inbox = new Inbox(small.path());
        TestPlace place = inbox.place(Existing.REFUSE, 0)) {
      Offered file = offers.file("a", content);
      place.consider(file);
      Landing landing = place.landing(file);
      PlaceContract.block(landing, content, new Span(0, 12 * MIB));
      ByteBuffer rest = ByteBuffer.allocateDirect(8 * MIB);
      assertThatThrownBy(
              () -> {
                while (rest.hasRemaining()) {
                  landing.sink().write(rest, 12L * MIB + rest.position());
                }
              })
          .hasMessage("No space left on device");
      assertThat(landing.keep()).isEqualTo(12 * MIB);
      assertThat(inbox.names()).hasSize(2);
      place.forget(file);
      assertThat(place.consider(file).held()).hasSize(1);
    }
  }

  private Mounted small() throws Exception {
    Mounted mounted = Mounted.inMemory(dir, "tmpfs");
    Programs.run("mount", "-o", "remount,size=" + ROOM_MIB + "m", mounted.path().toString());
    return mounted;
  }
}
