package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

class ErrnoTest {

  @Test
  void aSentenceIsWhatAUserReads() {
    assertThat(Errno.sentence(Errno.ENOSPC)).isEqualTo("no space left on device");
    assertThat(Errno.sentence(Errno.EIO)).isEqualTo("input/output error");
    assertThat(Errno.sentence(4711)).isEqualTo("error number 4711");
  }

  @Test
  void aMessageLeadsBackToItsNumber() {
    for (int errno : new int[] {Errno.EPERM, Errno.EINVAL, Errno.ENOSPC, Errno.EDQUOT}) {
      assertThat(Errno.ofMessage(Errno.failure(errno).getMessage())).isEqualTo(errno);
    }
    assertThat(Errno.ofMessage("Success")).isZero();
    assertThat(Errno.ofMessage(null)).isZero();
  }

  @Test
  void theTextIsTheOneTheJdkGives() throws Exception {
    Throwable full = catchThrowable(() -> write(Path.of("/dev/full")));
    assertThat(Errno.ofMessage(full.getMessage())).isEqualTo(Errno.ENOSPC);
  }

  private static void write(Path path) throws Exception {
    assertThat(Files.exists(path)).isTrue();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1));
    }
  }
}
