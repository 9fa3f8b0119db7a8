package dev.zcp.bench;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Printable;
import dev.zcp.core.Prose;
import dev.zcp.linux.ProcFile;
import dev.zcp.profile.Mounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where a benchmark ran: what makes figures comparable. Each is a phrase for people; empty if the
/// system does not tell.
///
/// @param processors how many this process may use
/// @param kernel as `uname -sr` prints it
/// @param fileSystem the type of the file system of the files, and how it is mounted
public record Machine(
    String processor,
    int processors,
    long memoryBytes,
    String kernel,
    String java,
    String fileSystem) {

  /// Keys of `/proc/cpuinfo` that name the processor: x86, Arm boards, RISC-V.
  private static final List<String> MODEL_KEYS =
      List.of("model name", "Model", "Hardware", "uarch");

  private static final Pattern KIBIBYTES = Pattern.compile("(\\d{1,15}) kB");

  static Machine read(Path directory) {
    return new Machine(
        processor(ProcFile.text("/proc/cpuinfo")),
        Runtime.getRuntime().availableProcessors(),
        memoryBytes(ProcFile.text("/proc/meminfo")),
        (System.getProperty("os.name") + " " + ProcFile.text("/proc/sys/kernel/osrelease")).strip(),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        fileSystem(directory));
  }

  /// `AMD EPYC 7B13, 4 processors, 16.0 GiB, Linux 6.1.0, Java 25, ext4`: one line.
  String sentence() {
    List<String> words = new ArrayList<>();
    words.add(processor);
    words.add(processors > 0 ? Prose.count(processors, "processor") : "");
    words.add(memoryBytes > 0 ? new ByteSize(memoryBytes).toString() : "");
    words.add(kernel);
    words.add(java.isEmpty() ? "" : "Java " + java);
    words.add(fileSystem);
    words.removeIf(String::isEmpty);
    return Printable.ofPhrase(String.join(", ", words));
  }

  static String processor(String cpuinfo) {
    return MODEL_KEYS.stream()
        .map(key -> value(cpuinfo, key))
        .filter(model -> !model.isEmpty())
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }

  /// 0 if the kernel does not tell, or not in this form.
  static long memoryBytes(String meminfo) {
    Matcher total = KIBIBYTES.matcher(value(meminfo, "MemTotal"));
    return total.matches() ? Long.parseLong(total.group(1)) << 10 : 0;
  }

  /// What stands after `key`, blanks and a colon; empty if there is no such line.
  static String value(String text, String key) {
    Matcher line = Pattern.compile("(?m)^" + key + "[ \\t]*:(.*)$").matcher(text);
    return line.find() ? line.group(1).strip() : "";
  }

  private static String fileSystem(Path directory) {
    try {
      return Printable.ofPhrase(Mounts.read().describe(directory));
    } catch (IOException e) {
      return "";
    }
  }
}
