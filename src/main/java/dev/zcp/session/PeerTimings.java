package dev.zcp.session;

import dev.zcp.core.Printable;
import dev.zcp.insight.Bottleneck.Judgement;
import dev.zcp.insight.Bottleneck.TimeShare;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Insight.MeasuredEnd;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Stage;
import dev.zcp.insight.WorkSide;
import dev.zcp.insight.WorstOperation;
import dev.zcp.wire.LimitedBy;
import dev.zcp.wire.LimitedBy.ShareOfTime;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Side;
import dev.zcp.wire.TimingRecords;
import dev.zcp.wire.Timings;
import dev.zcp.wire.Timings.SlowOperation;
import dev.zcp.wire.Timings.StageTimes;
import dev.zcp.wire.Timings.TimeCell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What an end has measured, on its way into the report of the other one.
public final class PeerTimings {

  private PeerTimings() {}

  /// As this end says it, no longer than the wire takes. If all stages have too many cells, two
  /// neighbours become one, and so on: percentiles lose a bit of accuracy each time, upwards.
  public static Timings of(Insight insight) {
    MeasuredEnd measured = insight.measured();
    List<StageTimes> stages = stages(measured.stages(), 0);
    for (int bits = 1; TimingRecords.stageBytes(stages) > Limits.STAGES_BYTES_MAX; bits++) {
      stages = stages(measured.stages(), bits);
    }
    return new Timings(measured.elapsedNs(), measured.process(), stages, slowest(measured.worst()));
  }

  /// Has the report tell what the other end says.
  ///
  /// @param side the other end
  public static void tell(Insight insight, Timings said, WorkSide side) {
    Map<Stage, Latencies> stages = new LinkedHashMap<>();
    for (StageTimes times : said.stages()) {
      Stage stage = Stage.ofWord(times.stage());
      if (stage != null) {
        stages.put(stage, latencies(times));
      }
    }
    List<WorstOperation> worst = new ArrayList<>();
    for (SlowOperation slow : said.slowest()) {
      Stage stage = Stage.ofWord(slow.stage());
      if (stage != null) {
        worst.add(
            new WorstOperation(
                stage,
                side,
                Printable.of(slow.path()),
                slow.offset(),
                slow.bytes(),
                slow.elapsedNs(),
                slow.startedMs()));
      }
    }
    insight.peerMeasured(new MeasuredEnd(said.elapsedNs(), said.process(), stages, worst));
  }

  /// What limited the session, as the sender finds it now; null if it was too short to tell.
  public static LimitedBy judge(Insight insight) {
    Judgement found = insight.judge();
    return found == null ? null : said(found);
  }

  static LimitedBy said(Judgement found) {
    List<ShareOfTime> shares = new ArrayList<>();
    for (TimeShare each : found.shares()) {
      shares.add(new ShareOfTime(each.word(), side(each.side()), each.percent()));
    }
    return new LimitedBy(found.elapsedNs(), found.isSure(), shares, found.network());
  }

  /// Has the report of the receiver tell what limited the session, unless that is something that
  /// this end does not know.
  public static void tell(Insight insight, LimitedBy said) {
    List<TimeShare> shares = new ArrayList<>();
    for (ShareOfTime each : said.shares()) {
      TimeShare share = TimeShare.of(each.word(), side(each.side()), each.percent());
      if (share == null) {
        return;
      }
      shares.add(share);
    }
    insight.judged(new Judgement(said.elapsedNs(), said.isSure(), shares, said.network()));
  }

  private static Side side(WorkSide side) {
    return side == null ? null : side == WorkSide.SENDER ? Side.SENDER : Side.RECEIVER;
  }

  private static WorkSide side(Side side) {
    return side == null ? null : side == Side.SENDER ? WorkSide.SENDER : WorkSide.RECEIVER;
  }

  /// @param bits how many of the low ones of a cell's index do not count
  private static List<StageTimes> stages(Map<Stage, Latencies> all, int bits) {
    List<StageTimes> stages = new ArrayList<>();
    for (Map.Entry<Stage, Latencies> each : all.entrySet()) {
      Latencies latencies = each.getValue();
      List<TimeCell> cells = new ArrayList<>();
      latencies.eachCell((index, samples) -> add(cells, index | (1 << bits) - 1, samples));
      stages.add(
          new StageTimes(
              each.getKey().word(),
              latencies.minNs(),
              latencies.maxNs(),
              latencies.totalNs(),
              latencies.busiestNs(),
              cells));
    }
    return stages;
  }

  private static void add(List<TimeCell> cells, int index, long samples) {
    boolean isSame = !cells.isEmpty() && cells.getLast().index() == index;
    long before = isSame ? cells.removeLast().count() : 0;
    cells.add(new TimeCell(index, before + samples));
  }

  private static List<SlowOperation> slowest(List<WorstOperation> worst) {
    List<SlowOperation> slowest = new ArrayList<>();
    int bytes = 0;
    for (WorstOperation each : worst) {
      SlowOperation slow =
          new SlowOperation(
              each.stage().word(),
              each.path(),
              each.offset(),
              each.bytes(),
              each.elapsedNs(),
              Math.max(0, each.startedMs()));
      bytes += TimingRecords.slowBytes(slow);
      if (bytes > Limits.SLOWEST_BYTES_MAX) {
        break;
      }
      slowest.add(slow);
    }
    return slowest;
  }

  private static Latencies latencies(StageTimes times) {
    int[] indexes = new int[times.cells().size()];
    long[] samples = new long[indexes.length];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = times.cells().get(i).index();
      samples[i] = times.cells().get(i).count();
    }
    return Latencies.told(
        indexes, samples, times.leastNs(), times.greatestNs(), times.totalNs(), times.busiestNs());
  }
}
