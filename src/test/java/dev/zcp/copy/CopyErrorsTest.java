package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.linux.Errno;
import dev.zcp.place.Partials;
import dev.zcp.tree.Reasons;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CopyErrorsTest {

  private final List<String> told = new ArrayList<>();
  private final Insight insight = new Insight("copy", "auto", this::hear);
  private final CopyErrors errors = new CopyErrors(insight, new Partials());

  private void hear(Event event) {
    switch (event) {
      case Event.FileFailed(Object name, Failure failure) -> told.add(failure.getMessage());
      case Event.Failed(Failure failure) -> told.add(failure.getMessage());
      default -> {}
    }
  }

  /// One thread tells that the disk is full, and the other one meets with it a moment later.
  @Test
  void whatMeetsWithTheFullTargetAfterItWasToldCountsAsNotCopiedAndNotAsFailed() {
    errors.tell("a", full("t/a"));
    errors.tell("b", full("t/b"));
    errors.left();
    errors.tellEnd();
    Result result = insight.finish();
    assertThat(told)
        .containsExactly(
            "t/a: no space left on device",
            "the copy ended early, since nothing can be written to the target (what was copied is"
                + " complete; 2 more entries, with all that is in them, were not copied)");
    assertThat(result.filesFailed()).isEqualTo(1);
    assertThat(result.exitCode()).isEqualTo(ExitCode.DESTINATION);
  }

  private static Failure full(String target) {
    return Reasons.destination(target, Errno.failure(Errno.ENOSPC));
  }
}
