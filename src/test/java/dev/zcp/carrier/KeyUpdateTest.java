package dev.zcp.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class KeyUpdateTest {

  @Test
  void keysAreChangedInBothDirectionsWhileBytesGoBothWays() throws Exception {
    String said =
        Programs.run(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djavax.net.debug=ssl:handshake",
            // BoringSSL begins no key update, so the JDK does here, as if there were no library.
            "-Dos.arch=unknown",
            "-cp",
            System.getProperty("java.class.path"),
            KeyUpdateProbe.class.getName());
    assertThat(said).contains("read 41943040 and 41943040");
    assertThat(said.split("Consuming KeyUpdate", -1).length).isGreaterThan(40);
  }
}
