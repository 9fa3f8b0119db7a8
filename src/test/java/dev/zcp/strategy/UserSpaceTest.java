package dev.zcp.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.Step;
import dev.zcp.testing.TestRoute;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserSpaceTest {

  @TempDir Path folder;

  @Test
  void aCallThatMovedNothingIsTheEndOnlyWhereAReadFindsIt() throws Exception {
    for (Kind from : Kind.values()) {
      try (TestRoute route = TestRoute.open(from, Kind.FILE, new byte[0], folder)) {
        assertThat(UserSpace.afterNothing("call", route.source(), route.sink(), 0))
            .isInstanceOf(Step.Exhausted.class);
        assertThat(route.arrived()).isEmpty();
      }
    }
  }

  @Test
  void aFileThatGoesOnIsDeclinedAndAByteOfAStreamReachesTheTarget() throws Exception {
    byte[] content = {42, 43};
    for (Kind from : Kind.values()) {
      try (TestRoute route = TestRoute.open(from, Kind.FILE, content, folder)) {
        Step step = UserSpace.afterNothing("call", route.source(), route.sink(), 0);
        if (from == Kind.FILE) {
          assertThat(step).isInstanceOf(Step.Declined.class);
          assertThat(route.arrived()).isEmpty();
        } else {
          assertThat(step).isEqualTo(new Step.Moved(1));
          assertThat(route.arrived()).containsExactly(42);
        }
      }
    }
  }

  @Test
  void aBufferThereIsNoMemoryForIsAnErrorWithAWayOut() {
    assertThatThrownBy(
            () ->
                UserSpace.grown(
                    new byte[0],
                    0,
                    1 << 20,
                    size -> {
                      throw new OutOfMemoryError("none left");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("smaller chunk size");
  }
}
