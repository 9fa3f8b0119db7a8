package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UmaskTest {

  @ParameterizedTest
  @ValueSource(strings = {"0000", "0077", "0027", "0777"})
  void itIsThatOfTheProcess(String mask) throws IOException {
    String printed =
        Programs.run(
            "sh",
            "-c",
            "umask " + mask + "; exec \"$@\"",
            "sh",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            UmaskProbe.class.getName());
    assertThat(printed).isEqualTo(Integer.toOctalString(Integer.parseInt(mask, 8)));
  }

  @Test
  void itIsThatOfTheShellThisProcessCameFrom() throws IOException {
    assertThat(Integer.toOctalString(OwnProcess.umask()))
        .isEqualTo(Integer.toOctalString(Integer.parseInt(Programs.run("sh", "-c", "umask"), 8)));
  }
}
