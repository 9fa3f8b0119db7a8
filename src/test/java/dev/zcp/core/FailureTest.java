package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class FailureTest {

  @Test
  void aMessageNamesItsSubjectThenTheReasonThenTheWayOut() {
    Failure failure = Failure.of(ExitCode.SOURCE, "a.raw", "no such file");
    assertThat(failure).hasMessage("a.raw: no such file");
    assertThat(failure.reason()).isEqualTo("no such file");
    assertThat(failure.exitCode()).isEqualTo(ExitCode.SOURCE);

    Failure mended = failure.with("give another");
    assertThat(mended).hasMessage("a.raw: no such file (give another)");
    assertThat(mended.reason()).isEqualTo("no such file (give another)");
    assertThat(mended.exitCode()).isEqualTo(ExitCode.SOURCE);
  }

  @Test
  void aFailureOfNothingInParticularIsItsReasonAlone() {
    assertThat(Failure.of(ExitCode.USAGE, "nothing to copy")).hasMessage("nothing to copy");
    assertThat(Failure.of(ExitCode.USAGE, "nothing").with("say what"))
        .hasMessage("nothing (say what)");
  }

  @Test
  void theCauseStaysBehindItWhateverIsAdded() {
    IOException cause = new IOException("No space left on device");
    Failure failure = Failure.of(ExitCode.DESTINATION, "b", "no space left on device");
    assertThat(failure).hasNoCause();
    assertThat(failure.because(cause).with("make room")).hasCause(cause);
    assertThat(failure.with("make room").because(cause))
        .hasCause(cause)
        .hasMessage("b: no space left on device (make room)");
  }
}
