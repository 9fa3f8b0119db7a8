package dev.zcp.bench.count;

import java.util.ArrayList;
import java.util.List;

/// Watches for what else this machine does while a benchmark runs, and says so in words instead of
/// letting a figure look sure.
///
/// A look reads some files of /proc and /sys, which takes some tens of microseconds: not to be had
/// while a clock runs. Belongs to one thread.
public final class NoiseWatch {

  /// Of all processor time, taken by other guests of the host. None should be: one part in a
  /// hundred is already a whole time slice now and then, in the midst of a run.
  static final double STEAL_MAX = 0.01;

  /// Of all processor time, used by others than this process. What the kernel's own threads write
  /// to the disk for us is among it, and does not come near a tenth.
  static final double OTHERS_MAX = 0.10;

  /// Between the slowest and the fastest clock that was seen, in parts of the fastest: more than
  /// the differences that a benchmark is asked to show.
  static final double CLOCK_CHANGE_MAX = 0.10;

  /// Of the time that went by, in which some task was ready and had no processor. Our own threads
  /// are among those that wait, though there are few of them.
  static final double PRESSURE_MAX = 0.10;

  private final NoiseLook first;
  private NoiseLook last;
  private double slowestMhz;
  private double fastestMhz;

  private NoiseWatch(NoiseLook first) {
    this.first = first;
    this.last = first;
    this.slowestMhz = first.clockMhz();
    this.fastestMhz = first.clockMhz();
  }

  /// Watches from now on.
  public static NoiseWatch begin() {
    return of(NoiseLook.now());
  }

  static NoiseWatch of(NoiseLook first) {
    return new NoiseWatch(first);
  }

  /// Looks again: for now and then between runs, since a clock that changed and changed back is
  /// seen in no other way.
  public void look() {
    look(NoiseLook.now());
  }

  void look(NoiseLook now) {
    last = now;
    // Math.min and max give NaN where one is: a clock that nobody can read.
    slowestMhz = Math.min(slowestMhz, now.clockMhz());
    fastestMhz = Math.max(fastestMhz, now.clockMhz());
  }

  /// What made the figures less sure between [#begin] and the last [#look]: phrases for people,
  /// each with what to do; none where the machine was quiet, or where nobody could tell.
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    NoiseLook.Shares shares = last.since(first);
    if (shares.steal() > STEAL_MAX) {
      warnings.add(
          percent(shares.steal())
              + " of the processor time was stolen by other guests of this host: figures may be"
              + " too high");
    }
    if (shares.others() > OTHERS_MAX) {
      warnings.add(
          "other processes used "
              + percent(shares.others())
              + " of the processor time: stop them, or trust the fastest runs only");
    }
    if (slowestMhz < fastestMhz * (1 - CLOCK_CHANGE_MAX)) {
      warnings.add(
          "the processor's clock was between "
              + Math.round(slowestMhz)
              + " and "
              + Math.round(fastestMhz)
              + " MHz: set its governor to performance");
    }
    if (shares.pressure() > PRESSURE_MAX) {
      warnings.add(
          "for "
              + percent(shares.pressure())
              + " of the time something was ready to run and had no processor: figures may be too"
              + " high");
    }
    return warnings;
  }

  private static String percent(double part) {
    return Math.round(part * 100) + " %";
  }
}
