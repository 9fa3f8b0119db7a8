package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastRunTest {

  @TempDir private Path folder;

  @Test
  void aRunThatTookTimeIsKeptForItsUserAloneAndShownAgain() throws Exception {
    Cli.Result nothing = run(InputStream.nullInputStream(), "report", "last");
    assertThat(nothing.exitCode()).isEqualTo(3);
    assertThat(nothing.err())
        .isEqualTo("zcp: last: no run was kept (those of 2 s or more are, without --no-keep)\n");
    Path kept = folder.resolve("state/zcp/last.json");
    String target = folder.resolve("target").toString();

    assertThat(run(slow(), "copy", "--no-keep", "-", target).exitCode()).isZero();
    assertThat(kept).doesNotExist();

    assertThat(run(slow(), "copy", "-", target).exitCode()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
        .isEqualTo("rw-------");
    Cli.Result told = run(InputStream.nullInputStream(), "report", "last");
    assertThat(told.out()).matches("(?s)20..-.*Z: zcp copy - .*copied 1 file, 2 B in 2.*");
  }

  @Test
  void aHomeThatNobodyMadeIsNotMadeForThat() {
    Path home = folder.resolve("home");
    String target = folder.resolve("target").toString();
    Map<String, String> environment = Map.of("HOME", home.toString());

    assertThat(Cli.run(Arguments.of("copy", "-", target), slow(), environment).exitCode()).isZero();

    assertThat(home).doesNotExist();
  }

  private Cli.Result run(InputStream in, String... arguments) {
    Map<String, String> environment =
        Map.of("XDG_STATE_HOME", folder.resolve("state").toString(), "LC_ALL", "C.UTF-8");
    return Cli.run(Arguments.of(arguments), in, environment);
  }

  /// Two bytes, the second of which comes late.
  private static InputStream slow() {
    return new InputStream() {
      private int given;

      @Override
      public int read() {
        if (given++ == 1) {
          LockSupport.parkNanos(2_050_000_000);
        }
        return given <= 2 ? 'x' : -1;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int next = read();
        if (next < 0) {
          return -1;
        }
        bytes[offset] = (byte) next;
        return 1;
      }
    };
  }
}
