package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.session.Admission;
import dev.zcp.session.ResumeVerify;
import dev.zcp.session.receive.Allowance.SessionAllowance;
import dev.zcp.tree.Policy.Existing;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class AllowanceTest {

  @Test
  void entriesOfAllSessionsAreCountedAndNotOneMoreIsTaken() throws Failure {
    Allowance allowance = allowance(Admission.UNLIMITED, 2);
    allowance.new SessionAllowance().use("f0", 0);
    SessionAllowance other = allowance.new SessionAllowance();
    other.use("f1", 0);
    refuses(
        () -> other.use("f2", 0),
        "f2: is one entry too many (--max-files allows 2 in all, 0 left)");
  }

  @Test
  void sizesOfAllSessionsAddUpAndNotOneByteMoreIsTaken() throws Failure {
    Allowance allowance = allowance(10, Admission.UNLIMITED);
    allowance.new SessionAllowance().use("f0", 4);
    SessionAllowance other = allowance.new SessionAllowance();
    refuses(() -> other.use("f1", 7), "f1: is too large (--max-size allows 10 B in all, 6 B left)");
    other.use("f1", 6);
    refuses(
        () -> other.useBytes("f1", 1),
        "f1: is too large (--max-size allows 10 B in all, 0 B left)");
  }

  @Test
  void aSumPastAllNumbersIsRefused() throws Failure {
    Allowance allowance = allowance(Long.MAX_VALUE - 1, Admission.UNLIMITED);
    SessionAllowance session = allowance.new SessionAllowance();
    session.use("f0", Long.MAX_VALUE - 1);
    refuses(() -> session.use("f1", Long.MAX_VALUE), "--max-size");
  }

  /// A file system may have files of so many bytes, all of them holes.
  @Test
  void withoutALimitAnySumFits() throws Failure {
    Allowance allowance = allowance(Admission.UNLIMITED, Admission.UNLIMITED);
    for (int i = 0; i < 3; i++) {
      SessionAllowance session = allowance.new SessionAllowance();
      session.reserve("inbox", Long.MAX_VALUE, Long.MAX_VALUE);
      session.use("f", Long.MAX_VALUE);
      session.use("g", Long.MAX_VALUE);
      session.release(true);
    }
  }

  @Test
  void whatIsAnnouncedIsReserved() throws Failure {
    Allowance allowance = allowance(10, 3);
    SessionAllowance one = allowance.new SessionAllowance();
    SessionAllowance other = allowance.new SessionAllowance();
    one.reserve("inbox", 6, 2);
    one.reserve("inbox", 6, 2);
    refuses(
        () -> other.reserve("inbox", 5, 1),
        "inbox: the sender has 5 B (--max-size allows 10 B in all, 4 B left)");
    refuses(
        () -> other.reserve("inbox", 4, 2),
        "inbox: the sender has 2 entries (--max-files allows 3 in all, 1 left)");
    refuses(() -> other.use("f", 5), "4 B left");
    one.use("f", 4);
    one.release(false);
    other.reserve("inbox", 6, 2);
  }

  @Test
  void whatWasNotMadeIsGivenBack() throws Failure {
    Allowance allowance = allowance(10, 1);
    SessionAllowance one = allowance.new SessionAllowance();
    one.reserve("inbox", 10, 1);
    one.use("f", 8);
    one.useBytes("f", 2);
    one.giveBack(10);
    SessionAllowance other = allowance.new SessionAllowance();
    other.reserve("inbox", 10, 1);
    other.use("f", 10);
  }

  @Test
  void whatABrokenSessionHadMayBeAnnouncedAgainButNotBroughtAgain() throws Failure {
    Allowance allowance = allowance(10, 10);
    SessionAllowance broken = allowance.new SessionAllowance();
    broken.reserve("inbox", 10, 2);
    broken.use("f", 6);
    broken.release(true);
    broken.release(true);
    SessionAllowance next = allowance.new SessionAllowance();
    refuses(() -> next.reserve("inbox", 11, 2), "4 B left");
    next.reserve("inbox", 10, 2);
    next.use("g", 4);
    refuses(() -> next.use("h", 1), "0 B left");
  }

  private static void refuses(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.DESTINATION))
        .hasMessageContaining(message);
  }

  private static Allowance allowance(long bytesMax, long filesMax) {
    return new Allowance(
        new Admission(Existing.REFUSE, 0, null, ResumeVerify.ALL, bytesMax, filesMax, false));
  }
}
