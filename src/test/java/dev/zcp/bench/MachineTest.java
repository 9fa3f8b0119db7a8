package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {

  @TempDir Path folder;

  @Test
  void thisMachineIsWhatOtherProgramsSayItIs() throws Exception {
    Machine machine = Machine.read(folder);
    assertThat(machine.kernel()).isEqualTo(Programs.run("uname", "-sr"));
    assertThat(machine.processor()).isNotBlank();
    assertThat(machine.processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(machine.memoryBytes()).isGreaterThan(1 << 20);
    assertThat(machine.java()).contains(Integer.toString(Runtime.version().feature()));
    assertThat(machine.fileSystem()).startsWith(Files.getFileStore(folder).type() + " on ");
  }

  @Test
  void memoryIsMountedAsTmpfsHere() {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isDirectory(memory), "there is no " + memory);
    assertThat(Machine.read(memory).fileSystem()).matches("tmpfs on \\S+ \\(rw.*\\)");
    assertThat(Machine.read(Path.of("/nowhere/at/all")).fileSystem()).isEmpty();
  }

  @Test
  void theProcessorIsNamedByWhateverKeyItsKindHas() {
    assertThat(Machine.processor("processor\t: 0\nmodel\t\t: 207\nmodel name\t: A Xeon\n"))
        .isEqualTo("A Xeon");
    assertThat(Machine.processor("processor : 0\nuarch : sifive,u74-mc\n"))
        .isEqualTo("sifive,u74-mc");
    assertThat(Machine.processor("processor : 0\nBogoMIPS : 50.00\n"))
        .isEqualTo(System.getProperty("os.arch"));
  }

  @Test
  void memoryIsInKibibytes() {
    assertThat(Machine.memoryBytes("MemTotal:       16384 kB\nMemFree: 1 kB\n"))
        .isEqualTo(16 << 20);
    assertThat(Machine.memoryBytes("")).isZero();
    assertThat(Machine.memoryBytes("MemTotal: 16 MB\n")).isZero();
  }
}
