package dev.zcp.bench.count;

import dev.zcp.bench.result.Machine;
import dev.zcp.core.Printable;
import dev.zcp.profile.Mounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads off this machine what makes figures comparable: proc(5).
public final class MachineReader {

  private static final Path PROC = Path.of("/proc");

  /// Keys of `/proc/cpuinfo` that name the processor: x86, Arm boards, RISC-V.
  private static final List<String> MODEL_KEYS =
      List.of("model name", "Model", "Hardware", "uarch");

  private static final Pattern KIBIBYTES = Pattern.compile("(\\d{1,15}) kB");
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
        fileSystem(directory));
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

  /// 0 where the kernel does not tell, or not in this form.
  static long memoryBytes(String meminfo) {
    Matcher total = KIBIBYTES.matcher(value(meminfo, "MemTotal"));
    return total.matches() ? Long.parseLong(total.group(1)) * KIB : 0;
  }

  private static String fileSystem(Path directory) {
    try {
      return Printable.ofPhrase(Mounts.read().describe(directory));
    } catch (IOException e) {
      return "";
    }
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

  private static String text(String name) {
    return KernelFile.text(PROC.resolve(name)).stripTrailing();
  }
}
