package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.session.Admission;
import dev.zcp.session.ResumeVerify;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.wire.Attire;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Timestamp;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllowanceTest {

  @Test
  void entriesAreCountedAndNotOneMoreIsTaken() throws Failure {
    Allowance allowance = allowance(Admission.UNLIMITED, 2);
    allowance.count(file(0, 0));
    allowance.count(file(1, 0));
    refuses(() -> allowance.count(file(2, 0)), "--max-files");
  }

  @Test
  void sizesAddUpAndNotOneByteMoreIsTaken() throws Failure {
    Allowance allowance = allowance(10, Admission.UNLIMITED);
    allowance.count(file(0, 4));
    allowance.count(file(1, 6));
    refuses(() -> allowance.count(file(2, 1)), "--max-size");
  }

  @Test
  void aSumPastAllNumbersIsRefused() throws Failure {
    Allowance allowance = allowance(Long.MAX_VALUE - 1, Admission.UNLIMITED);
    allowance.count(file(0, Long.MAX_VALUE - 1));
    refuses(() -> allowance.count(file(1, Long.MAX_VALUE)), "--max-size");
  }

  @Test
  void aStreamIsCountedAsItComes() throws Failure {
    Allowance allowance = allowance(10, Admission.UNLIMITED);
    Offered stream = file(0, Offered.SIZE_UNKNOWN);
    allowance.count(stream);
    allowance.countStreamed(stream, 10);
    allowance.countStreamed(file(1, 10), 10);
    refuses(() -> allowance.countStreamed(stream, 1), "--max-size");
  }

  private static void refuses(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String option) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.DESTINATION))
        .hasMessageContaining(option);
  }

  private static Allowance allowance(long bytesMax, long filesMax) {
    return new Allowance(
        new Admission(Existing.REFUSE, 0, null, ResumeVerify.ALL, bytesMax, filesMax, false));
  }

  private static Offered file(long fileId, long size) {
    Timestamp then = new Timestamp(0, 0);
    return new Offered(
        fileId,
        EntryKind.FILE,
        EntryPath.of(("f" + fileId).getBytes(StandardCharsets.US_ASCII)),
        size,
        new Attire(0644, 0, 0, then, then, 0, List.of()),
        Bytes.of(new byte[Limits.IDENTITY_BYTES]),
        Bytes.of(new byte[0]),
        0);
  }
}
