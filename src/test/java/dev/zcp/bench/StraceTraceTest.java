package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StraceTraceTest {

  @Test
  void countsWhatStandsBetweenTheMarksByName() throws Exception {
    String trace =
        """
        close(-7)                               = -1 EBADF (Bad file descriptor)
        read(4, ""..., 99)                      = 99
        close(-7)                               = -1 EBADF (Bad file descriptor)
        pread64(4, ""..., 8192, 0)              = 8192
        pread64(4, "", 8192, 8192)              = 0
        read(5, 0x7f00, 10)                     = -1 EAGAIN (Resource temporarily unavailable)
        read(5, 0x7f00, 10)                     = ? ERESTARTSYS (To be restarted if SA_RESTART is set)
        --- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_USER, si_pid=1, si_uid=0} ---
        rt_sigreturn({mask=[]})                 = 0
        writev(6, [{iov_base=""..., iov_len=5}], 1) = 5
        sendfile(6, 4, [0] => [100], 100)       = 100
        mmap(NULL, 4096, PROT_READ, MAP_SHARED, 4, 0) = 0x7f0000001000
        close(-8)                               = -1 EBADF (Bad file descriptor)
        write(6, ""..., 77)                     = 77
        +++ exited with 0 +++
        """;
    assertThat(between(trace))
        .isEqualTo(
            Map.of(
                "pread64",
                2L,
                "read",
                2L,
                "rt_sigreturn",
                1L,
                "writev",
                1L,
                "sendfile",
                1L,
                "mmap",
                1L));
  }

  @Test
  void aTraceThatBreaksOffCountsNothing() {
    for (String trace :
        List.of(
            "close(-7) = -1 EBADF\nread(4, \"\"..., 99) = 99\n", "", "close(-8) = -1 EBADF\n")) {
      assertThatThrownBy(() -> between(trace))
          .isInstanceOf(Strace.UnavailableException.class)
          .hasMessage("strace ended before the work did");
    }
  }

  private static Map<String, Long> between(String trace) throws Exception {
    return Strace.between("close(-7)", "close(-8)", new BufferedReader(new StringReader(trace)));
  }
}
