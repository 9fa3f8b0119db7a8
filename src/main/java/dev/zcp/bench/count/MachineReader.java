package dev.zcp.bench.count;

import dev.zcp.bench.result.Machine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Reads off this machine what makes figures comparable: proc(5).
public final class MachineReader {

  private static final Path PROC = Path.of("/proc");

  /// Keys of `/proc/cpuinfo` that name the processor: x86, Arm boards, RISC-V.
  private static final List<String> MODEL_KEYS =
      List.of("model name", "Model", "Hardware", "uarch");

  private static final long KIB = 1024;

  private MachineReader() {}

  /// This machine, and the file system that `directory` is on.
  public static Machine read(Path directory) {
    return new Machine(
        processor(text("cpuinfo")),
        Runtime.getRuntime().availableProcessors(),
        memoryBytes(text("meminfo")),
        (System.getProperty("os.name") + " " + text("sys/kernel/osrelease")).strip(),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        MountTable.parse(text("self/mountinfo")).describe(directory));
  }

  static String processor(String cpuinfo) {
    for (String key : MODEL_KEYS) {
      String model = value(cpuinfo, key);
      if (!model.isEmpty()) {
        return model;
      }
    }
    return System.getProperty("os.arch");
  }

  static long memoryBytes(String meminfo) {
    String total = value(meminfo, "MemTotal").replace(" kB", "");
    return total.isEmpty() ? 0 : Long.parseLong(total) * KIB;
  }

  /// What stands after the first `key`, blanks and a colon; empty where there is no such line.
  static String value(String text, String key) {
    return text.lines()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(key.length()).strip())
        .filter(rest -> rest.startsWith(":"))
        .map(rest -> rest.substring(1).strip())
        .findFirst()
        .orElse("");
  }

  /// A file of /proc, each byte a character; empty where it cannot be read.
  private static String text(String name) {
    try {
      return Files.readString(PROC.resolve(name), StandardCharsets.ISO_8859_1).stripTrailing();
    } catch (IOException e) {
      return "";
    }
  }
}
