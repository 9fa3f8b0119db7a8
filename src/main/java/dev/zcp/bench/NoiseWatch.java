package dev.zcp.bench;

import dev.zcp.linux.ProcFile;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Watches for what else this machine does while a benchmark runs. A look takes some tens of
/// microseconds: not to be had while a clock runs. Belongs to one thread.
final class NoiseWatch {

  /// Of all processor time, taken by other guests of the host: one part in a hundred is already a
  /// whole time slice now and then.
  private static final double STEAL_MAX = 0.01;

  /// Of all processor time, used by others than this process. What the kernel's own threads write
  /// to the disk for us does not come near it.
  private static final double OTHERS_MAX = 0.10;

  /// Between the slowest and the fastest clock that was seen, in parts of the fastest.
  private static final double CLOCK_CHANGE_MAX = 0.10;

  /// Of the time that went by, in which some task was ready and had no processor.
  private static final double PRESSURE_MAX = 0.10;

  private static final String TOO_HIGH = ": figures may be too high";
  private static final Path PROCESSORS = Path.of("/sys/devices/system/cpu");
  private static final String CLOCK = "cpufreq/scaling_cur_freq";

  private final Look first;
  private Look last;
  private double slowestMhz;
  private double fastestMhz;

  NoiseWatch(Look first) {
    this.first = first;
    this.last = first;
    this.slowestMhz = first.clockMhz();
    this.fastestMhz = first.clockMhz();
  }

  /// Looks again: for now and then between runs, since a clock that changed and changed back is
  /// seen in no other way.
  void look(Look now) {
    last = now;
    // Math.min and max give NaN if one is: a clock that nobody can read.
    slowestMhz = Math.min(slowestMhz, now.clockMhz());
    fastestMhz = Math.max(fastestMhz, now.clockMhz());
  }

  /// What made the figures less sure up to the last [#look], as phrases for people; none if nobody
  /// could tell.
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    Shares shares = last.since(first);
    if (shares.steal() > STEAL_MAX) {
      String what = " of the processor time was stolen by other guests of this host";
      warnings.add(BenchResult.percent(shares.steal()) + what + TOO_HIGH);
    }
    if (shares.others() > OTHERS_MAX) {
      String what =
          "other processes used " + BenchResult.percent(shares.others()) + " of the processor time";
      warnings.add(what + ": stop them, or trust the fastest runs only");
    }
    if (slowestMhz < fastestMhz * (1 - CLOCK_CHANGE_MAX)) {
      String range = Math.round(slowestMhz) + " and " + Math.round(fastestMhz) + " MHz";
      warnings.add(
          "the processor's clock was between " + range + ": set its governor to performance");
    }
    if (shares.pressure() > PRESSURE_MAX) {
      String what = " of the time something was ready to run and had no processor";
      warnings.add("for " + BenchResult.percent(shares.pressure()) + what + TOO_HIGH);
    }
    return warnings;
  }

  /// What happened between two looks, in parts as above; each is NaN if it cannot be known.
  record Shares(double steal, double others, double pressure) {}

  /// What the machine's counters say at one moment; each is NaN if they cannot be read.
  ///
  /// @param atNs of System.nanoTime
  /// @param allTicks time of all processors, whatever they did
  /// @param stolenTicks of it, taken by other guests of the host
  /// @param busyTicks of it, used by anybody on this machine
  /// @param ownTicks of it, used by this process and by children that it has waited for
  /// @param clockMhz the fastest processor's clock: idle ones may be slow without harm
  /// @param pressureUs time in which some task was ready and had no processor
  record Look(
      long atNs,
      double allTicks,
      double stolenTicks,
      double busyTicks,
      double ownTicks,
      double clockMhz,
      double pressureUs) {

    // Columns of the line "cpu" of proc_stat(5), after its name. Time of guests of this machine is
    // part of user and nice.
    private static final int IDLE = 3;
    private static final int IOWAIT = 4;
    private static final int STEAL = 7;

    // Columns of proc_pid_stat(5) after the command, which may hold blanks and brackets: 14 to 17
    // of the manual, time of this process and of the children that it has waited for.
    private static final int OWN_USER = 11;
    private static final int OWN_WAITED_FOR = 14;

    static Look now() {
      return of(
          System.nanoTime(),
          ProcFile.text("/proc/stat"),
          ProcFile.text("/proc/self/stat"),
          clock(),
          ProcFile.text("/proc/pressure/cpu"));
    }

    /// A look at texts of files of /proc: `stat`, `self/stat`, `pressure/cpu`; any may be empty.
    static Look of(long atNs, String stat, String self, double clockMhz, String pressure) {
      double[] all = numbers(stat.startsWith("cpu ") ? firstLine(stat).substring(4) : "");
      double[] own = numbers(self.substring(self.lastIndexOf(')') + 1));
      double idle = sum(all, IDLE, IOWAIT);
      double stolen = sum(all, STEAL, STEAL);
      double total = sum(all, 0, STEAL);
      return new Look(
          atNs,
          total,
          stolen,
          total - idle - stolen,
          sum(own, OWN_USER, OWN_WAITED_FOR),
          clockMhz,
          number(firstLine(pressure).replaceFirst(".*total=", "")));
    }

    Shares since(Look earlier) {
      double all = allTicks - earlier.allTicks;
      double busy = busyTicks - earlier.busyTicks;
      double own = ownTicks - earlier.ownTicks;
      double elapsedUs = (atNs - earlier.atNs) / 1e3;
      return new Shares(
          part(stolenTicks - earlier.stolenTicks, all),
          part(busy - own, all),
          part(pressureUs - earlier.pressureUs, elapsedUs));
    }

    /// The fastest of the lines `cpu MHz : 2299.998` of `/proc/cpuinfo`; NaN if there is none.
    static double fastestMhz(String cpuinfo) {
      return cpuinfo
          .lines()
          .filter(line -> line.startsWith("cpu MHz"))
          .mapToDouble(line -> number(line.substring(line.indexOf(':') + 1).strip()))
          .max()
          .orElse(Double.NaN);
    }

    /// By what the kernel set, or by what it told of the processor; NaN if neither can be read.
    private static double clock() {
      double fastestKhz = Double.NEGATIVE_INFINITY;
      try (DirectoryStream<Path> processors = Files.newDirectoryStream(PROCESSORS, "cpu[0-9]*")) {
        for (Path processor : processors) {
          double khz = number(ProcFile.text(processor.resolve(CLOCK).toString()).strip());
          fastestKhz = Math.max(fastestKhz, khz);
        }
      } catch (IOException | DirectoryIteratorException e) {
        fastestKhz = Double.NaN;
      }
      return fastestKhz > 0 ? fastestKhz / 1e3 : fastestMhz(ProcFile.text("/proc/cpuinfo"));
    }

    /// Counters of different files are not read at one moment, so a little may be missing.
    private static double part(double of, double all) {
      return all > 0 ? Math.max(of, 0) / all : Double.NaN;
    }

    /// From the column `first` to `last`, both included; NaN if there are fewer.
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
          : Stream.of(columns.strip().split("\\s+")).mapToDouble(Look::number).toArray();
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
}
