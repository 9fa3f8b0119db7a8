package dev.zcp.report;

import dev.zcp.core.Scale;
import dev.zcp.insight.Latencies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// An axis of time from the left to the right of a chart.
public final class Axis {

  /// Beyond this ratio the short bars of a linear axis could not be told from nothing.
  private static final double LINEAR_MAX = 40;

  private static final int TICKS_MAX = 6;

  private final double fromNs;
  private final double toNs;

  /// Whether equal distances are equal ratios.
  private final boolean logarithmic;

  private Axis(double fromNs, double toNs, boolean logarithmic) {
    this.fromNs = fromNs;
    this.toNs = toNs;
    this.logarithmic = logarithmic;
  }

  /// For bars: from zero, unless the times are too far apart.
  public static Axis forBars(double lowestNs, double highestNs) {
    return highestNs > lowestNs * LINEAR_MAX && lowestNs > 0
        ? logarithmic(lowestNs, highestNs)
        : new Axis(0, Math.max(1, highestNs * 1.02), false);
  }

  /// For the percentiles of operations.
  static Axis ofLatencies(Collection<Latencies> all) {
    double lowestNs = all.stream().mapToDouble(each -> each.percentileNs(50)).min().orElse(1);
    return logarithmic(lowestNs, all.stream().mapToDouble(Latencies::maxNs).max().orElse(1));
  }

  static Axis logarithmic(double lowestNs, double highestNs) {
    return new Axis(Math.max(0.5, lowestNs / 1.6), Math.max(1, highestNs * 1.25), true);
  }

  public boolean isLogarithmic() {
    return logarithmic;
  }

  /// Where a time is, in percent of the chart's width, from 0 to 100.
  double percent(double ns) {
    double part =
        logarithmic ? Math.log(Math.max(ns, fromNs) / fromNs) / Math.log(toNs / fromNs) : ns / toNs;
    return Math.clamp(part * 100, 0, 100);
  }

  /// Round times along the axis, ascending.
  List<Double> ticksNs() {
    List<Double> ticks = logarithmic ? logarithmicTicks() : linearTicks();
    while (ticks.size() > TICKS_MAX) {
      List<Double> everySecond = new ArrayList<>();
      for (int i = 0; i < ticks.size(); i += 2) {
        everySecond.add(ticks.get(i));
      }
      ticks = everySecond;
    }
    return ticks;
  }

  private List<Double> linearTicks() {
    double step = step(toNs, TICKS_MAX - 1);
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i * step <= toNs; i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  private List<Double> logarithmicTicks() {
    boolean wide = toNs / fromNs > 50;
    double[] steps = wide ? new double[] {1} : new double[] {1, 2, 3, 5};
    List<Double> ticks = new ArrayList<>();
    int decade = (int) Math.floor(Math.log10(fromNs));
    for (double base = Math.pow(10, decade); base <= toNs; base = Math.pow(10, ++decade)) {
      for (double step : steps) {
        if (base * step >= fromNs && base * step <= toNs) {
          ticks.add(base * step);
        }
      }
    }
    return ticks;
  }

  /// The largest of 10, 5, 2, 1, 0.5 ... that `to` has so many times.
  static double step(double to, double timesMin) {
    double step = Math.pow(10, Math.floor(Math.log10(to)));
    for (int i = 0; to / step < timesMin; i++) {
      step /= i % 3 == 1 ? 2.5 : 2;
    }
    return step;
  }

  /// `0`, `50 ms`, `2.5 s`.
  static String text(double ns) {
    if (ns < 1e3) {
      return ns == 0 ? "0" : Scale.plain(ns) + " ns";
    }
    if (ns < 1e6) {
      return Scale.plain(ns / 1e3) + " µs";
    }
    return ns < 1e9 ? Scale.plain(ns / 1e6) + " ms" : Scale.plain(ns / 1e9) + " s";
  }
}
