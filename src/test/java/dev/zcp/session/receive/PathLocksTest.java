package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.wire.EntryPath;
import org.junit.jupiter.api.Test;

class PathLocksTest {

  private static final EntryPath A = EntryPath.of(Offers.bytes("t/a"));
  private static final EntryPath B = EntryPath.of(Offers.bytes("t/b"));

  private final PathLocks pathLocks = new PathLocks();
  private final PathLocks.Holder one = () -> false;
  private final PathLocks.Holder other = () -> false;

  @Test
  void aFileIsOneSessionsUnderOneId() {
    assertThat(pathLocks.take(A, one, 1)).isTrue();
    assertThat(pathLocks.take(A, one, 1)).as("asked again").isTrue();
    assertThat(pathLocks.take(A, one, 2)).as("the same name twice").isFalse();
    assertThat(pathLocks.take(A, other, 1)).isFalse();
    assertThat(pathLocks.take(B, other, 1)).isTrue();
  }

  @Test
  void whatIsGivenUpIsFree() {
    pathLocks.take(A, one, 1);
    pathLocks.release(A, other, 1);
    pathLocks.release(A, one, 2);
    pathLocks.release(B, one, 1);
    assertThat(pathLocks.take(A, other, 1)).as("nobody gives up what is another's").isFalse();
    pathLocks.release(A, one, 1);
    assertThat(pathLocks.take(A, other, 1)).isTrue();
  }

  @Test
  void aFileThatIsBeingLetGoOfIsWaitedFor() {
    PathLocks.Holder ending =
        new PathLocks.Holder() {
          @Override
          public boolean giveWay() {
            return false;
          }

          @Override
          public boolean isLettingGo(long fileId) {
            pathLocks.release(A, this, 1);
            return fileId == 1;
          }
        };
    pathLocks.take(A, ending, 1);
    assertThat(pathLocks.take(A, ending, 2)).isTrue();
    assertThat(pathLocks.take(A, ending, 3)).isFalse();
  }

  @Test
  void aSessionThatGivesWayLosesItsFile() {
    PathLocks.Holder[] orphan = new PathLocks.Holder[1];
    orphan[0] =
        () -> {
          pathLocks.release(A, orphan[0], 1);
          return true;
        };
    pathLocks.take(A, orphan[0], 1);
    assertThat(pathLocks.take(A, one, 5)).isTrue();
  }

  /// Were it believed for ever, who wants the file would wait for ever.
  @Test
  void aSessionThatOnlySaysSoKeepsItsFile() {
    pathLocks.take(A, () -> true, 1);
    assertThat(pathLocks.take(A, one, 5)).isFalse();
  }
}
