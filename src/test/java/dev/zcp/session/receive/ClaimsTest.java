package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.wire.EntryPath;
import org.junit.jupiter.api.Test;

class ClaimsTest {

  private static final EntryPath A = EntryPath.of(Offers.bytes("t/a"));
  private static final EntryPath B = EntryPath.of(Offers.bytes("t/b"));

  private final Claims claims = new Claims();
  private final Claims.Holder one = () -> false;
  private final Claims.Holder other = () -> false;

  @Test
  void aFileIsOneSessionsUnderOneId() {
    assertThat(claims.take(A, one, 1)).isTrue();
    assertThat(claims.take(A, one, 1)).as("asked again").isTrue();
    assertThat(claims.take(A, one, 2)).as("the same name twice").isFalse();
    assertThat(claims.take(A, other, 1)).isFalse();
    assertThat(claims.take(B, other, 1)).isTrue();
  }

  @Test
  void whatIsGivenUpIsFree() {
    claims.take(A, one, 1);
    claims.release(A, other, 1);
    claims.release(A, one, 2);
    claims.release(B, one, 1);
    assertThat(claims.take(A, other, 1)).as("nobody gives up what is another's").isFalse();
    claims.release(A, one, 1);
    assertThat(claims.take(A, other, 1)).isTrue();
  }

  @Test
  void aFileThatIsBeingLetGoOfIsWaitedFor() {
    Claims.Holder ending =
        new Claims.Holder() {
          @Override
          public boolean giveWay() {
            return false;
          }

          @Override
          public boolean isLettingGo(long fileId) {
            claims.release(A, this, 1);
            return fileId == 1;
          }
        };
    claims.take(A, ending, 1);
    assertThat(claims.take(A, ending, 2)).isTrue();
    assertThat(claims.take(A, ending, 3)).isFalse();
  }

  @Test
  void aSessionThatGivesWayLosesItsFile() {
    Claims.Holder[] orphan = new Claims.Holder[1];
    orphan[0] =
        () -> {
          claims.release(A, orphan[0], 1);
          return true;
        };
    claims.take(A, orphan[0], 1);
    assertThat(claims.take(A, one, 5)).isTrue();
  }

  /// Were it believed for ever, who wants the file would wait for ever.
  @Test
  void aSessionThatOnlySaysSoKeepsItsFile() {
    claims.take(A, () -> true, 1);
    assertThat(claims.take(A, one, 5)).isFalse();
  }
}
