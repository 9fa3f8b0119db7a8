package dev.zcp.bench.count;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// What the machine's counters say at one moment; each is NaN where they cannot be read.
///
/// @param atNs of System.nanoTime
/// @param allTicks time of all processors, whatever they did
/// @param stolenTicks of it, taken by other guests of the host
/// @param busyTicks of it, used by anybody on this machine
/// @param ownTicks of it, used by this process and by children that it has waited for
/// @param clockMhz the fastest processor's clock: idle ones may be slow without harm
/// @param pressureUs time in which some task was ready and had no processor
record NoiseLook(
    long atNs,
    double allTicks,
    double stolenTicks,
    double busyTicks,
    double ownTicks,
    double clockMhz,
    double pressureUs) {

  /// What happened between two looks; each is NaN where it cannot be known.
  ///
  /// @param steal of all processor time, taken by other guests
  /// @param others of all processor time, used by other processes of this machine
  /// @param pressure of the time that went by, in which some task had no processor
  record Shares(double steal, double others, double pressure) {}

  private static final Path PROC = Path.of("/proc");
  private static final Path PROCESSORS = Path.of("/sys/devices/system/cpu");
  private static final String CLOCK = "cpufreq/scaling_cur_freq";

  // Columns of the line "cpu" of proc_stat(5), after its name. Time of guests of this machine is
  // part of user and nice.
  private static final int IDLE = 3;
  private static final int IOWAIT = 4;
  private static final int STEAL = 7;

  // Columns of proc_pid_stat(5) after the command, which may hold blanks and brackets: 14 to 17 of
  // the manual, time of this process and of the children that it has waited for.
  private static final int OWN_USER = 11;
  private static final int OWN_WAITED_FOR = 14;

  static NoiseLook now() {
    return of(
        System.nanoTime(),
        KernelFile.text(PROC.resolve("stat")),
        KernelFile.text(PROC.resolve("self/stat")),
        fastestMhz(),
        KernelFile.text(PROC.resolve("pressure/cpu")));
  }

  /// A look at texts of files of /proc: `stat`, `self/stat`, `pressure/cpu`; any may be empty.
  static NoiseLook of(long atNs, String stat, String self, double clockMhz, String pressure) {
    double[] all =
        numbers(stat.startsWith("cpu ") ? firstLine(stat).substring("cpu ".length()) : "");
    double[] own = numbers(self.substring(self.lastIndexOf(')') + 1));
    double idle = sum(all, IDLE, IOWAIT);
    double stolen = sum(all, STEAL, STEAL);
    double total = sum(all, 0, STEAL);
    return new NoiseLook(
        atNs,
        total,
        stolen,
        total - idle - stolen,
        sum(own, OWN_USER, OWN_WAITED_FOR),
        clockMhz,
        number(firstLine(pressure).replaceFirst(".*total=", "")));
  }

  Shares since(NoiseLook earlier) {
    double all = allTicks - earlier.allTicks;
    double busy = busyTicks - earlier.busyTicks;
    double own = ownTicks - earlier.ownTicks;
    double elapsedUs = (atNs - earlier.atNs) / 1e3;
    return new Shares(
        part(stolenTicks - earlier.stolenTicks, all),
        part(busy - own, all),
        part(pressureUs - earlier.pressureUs, elapsedUs));
  }

  /// The clock by what the kernel set, or by what it told of the processor; NaN where neither can
  /// be read.
  private static double fastestMhz() {
    double fastest = Double.NEGATIVE_INFINITY;
    try (DirectoryStream<Path> processors = Files.newDirectoryStream(PROCESSORS, "cpu[0-9]*")) {
      for (Path processor : processors) {
        fastest =
            Math.max(fastest, number(KernelFile.text(processor.resolve(CLOCK)).strip()) / 1e3);
      }
    } catch (IOException | DirectoryIteratorException e) {
      fastest = Double.NaN;
    }
    return fastest > 0 ? fastest : fastestMhz(KernelFile.text(PROC.resolve("cpuinfo")));
  }

  /// The fastest of the lines `cpu MHz : 2299.998` of `/proc/cpuinfo`; NaN where there is none.
  static double fastestMhz(String cpuinfo) {
    return cpuinfo
        .lines()
        .filter(line -> line.startsWith("cpu MHz"))
        .mapToDouble(line -> number(line.substring(line.indexOf(':') + 1).strip()))
        .max()
        .orElse(Double.NaN);
  }

  /// Counters of different files are not read at one moment, so a little may be missing.
  private static double part(double of, double all) {
    return all > 0 ? Math.max(of, 0) / all : Double.NaN;
  }

  /// From the column `first` to `last`, both included; NaN where there are fewer.
  private static double sum(double[] columns, int first, int last) {
    double sum = 0;
    for (int i = first; i <= last; i++) {
      sum += i < columns.length ? columns[i] : Double.NaN;
    }
    return sum;
  }

  private static double[] numbers(String columns) {
    return columns.isBlank()
        ? new double[0]
        : Stream.of(columns.strip().split("\\s+")).mapToDouble(NoiseLook::number).toArray();
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }
}
