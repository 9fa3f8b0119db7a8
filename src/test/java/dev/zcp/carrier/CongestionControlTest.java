package dev.zcp.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.linux.Congestion;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

class CongestionControlTest {

  @Test
  void oneThatTheKernelDoesNotHaveIsRefusedWithThoseThatItHas() throws IOException {
    Failure refused = assertThrows(Failure.class, () -> CongestionControl.requireKnown("pigeon"));

    assertEquals(ExitCode.USAGE, refused.exitCode());
    assertTrue(
        refused.getMessage().startsWith("--congestion=pigeon: this kernel has "),
        refused.getMessage());
    assertTrue(refused.getMessage().contains(Congestion.available().getFirst()));
  }

  @Test
  void eachOneThatTheKernelHasIsTakenByASocket() throws Exception {
    for (String name : Congestion.available()) {
      CongestionControl.requireKnown(name);
      try (SocketChannel socket = SocketChannel.open()) {
        CongestionControl.ask(socket, name);
      }
    }
  }

  @Test
  void aSocketThatTheKernelWillNotGiveItToSaysWhy() throws IOException {
    try (SocketChannel socket = SocketChannel.open()) {
      Failure refused = assertThrows(Failure.class, () -> CongestionControl.ask(socket, "pigeon"));

      assertEquals(
          "--congestion=pigeon: no such file or directory", refused.getMessage().toLowerCase());
    }
  }

  @Test
  void nobodyAskedAndNothingIsDone() throws Exception {
    CongestionControl.requireKnown(null);
    CongestionControl.ask(null, null);
  }
}
