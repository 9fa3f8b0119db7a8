package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SystemCallTest {

  @Test
  void theTwoHalvesOfAnInterruptedLineAreOneCall() {
    List<SystemCall> calls =
        SystemCall.parse(
            List.of(
                "10 sendfile(6<socket:[4]>, 9</a/b>, [0] <unfinished ...>",
                "11 pread64(9</a/b>, \"\"..., 262144, 0) = 262144",
                "10 <... sendfile resumed> => [4096], 8192) = 4096"));
    assertThat(calls).extracting(SystemCall::name).containsExactly("pread64", "sendfile");
    SystemCall sendfile = calls.getLast();
    assertThat(sendfile.result()).isEqualTo(4096);
    assertThat(sendfile.file(0)).isEqualTo("socket:[4]");
    assertThat(sendfile.file(1)).isEqualTo("/a/b");
    assertThat(sendfile.file(2)).isEmpty();
  }

  @Test
  void aFailureHasTheNameOfItsErrorAndASuccessHasNone() {
    List<SystemCall> calls =
        SystemCall.parse(
            List.of(
                "10 ioctl(3</a/(b)>(deleted), FICLONE, 4</c>)     = -1 EOPNOTSUPP (Not supported)",
                "10 mmap(NULL, 4096, PROT_READ, MAP_SHARED, 4</c>, 0) = 0x7f1234567000",
                "10 openat(AT_FDCWD</d>, \"e\", O_RDONLY) = 5</d/e>",
                "10 +++ exited with 0 +++",
                "10 --- SIGSEGV {si_signo=SIGSEGV} ---"));
    assertThat(calls).extracting(SystemCall::error).containsExactly("EOPNOTSUPP", "", "");
    assertThat(calls.getFirst().file(0)).isEqualTo("/a/(b)");
    assertThat(calls.get(1).result()).isEqualTo(0x7f1234567000L);
    assertThat(calls.get(2).result()).isEqualTo(5);
  }
}
