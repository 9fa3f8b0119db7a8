package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Network;
import dev.zcp.core.ProcessTimes;
import dev.zcp.insight.Bottleneck;
import dev.zcp.insight.Bottleneck.EndFacts;
import dev.zcp.insight.Bottleneck.Judgement;
import dev.zcp.insight.Bottleneck.TimeShare;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.SessionName;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Result.Findings;
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
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PeerTimingsTest {

  private static final double[] PERCENTS = {50, 90, 99, 99.9, 100};

  private final Insight own = insight("receive");
  private final Insight peer = insight("send");

  @Test
  void latenciesArriveAsTheyWereCounted() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 5000; i++) {
      own.sample(Stage.WRITE, (long) Math.exp(random.nextDouble(20)));
    }
    own.sample(Stage.PUBLISH, 123_456_789);

    Findings heard = heard(PeerTimings.of(own));

    assertThat(heard.peerStages()).containsOnlyKeys(Stage.WRITE, Stage.PUBLISH);
    Latencies written = own.finish().stages().get(Stage.WRITE);
    Latencies told = heard.peerStages().get(Stage.WRITE);
    assertThat(told.count()).isEqualTo(5000);
    assertThat(told.minNs()).isEqualTo(written.minNs());
    assertThat(told.maxNs()).isEqualTo(written.maxNs());
    assertThat(told.totalNs()).isEqualTo(written.totalNs());
    assertThat(told.busiestNs()).isEqualTo(written.busiestNs());
    for (double percent : PERCENTS) {
      assertThat(told.percentileNs(percent))
          .as("seed %d", seed)
          .isEqualTo(written.percentileNs(percent));
    }
  }

  @Test
  void tooManyDifferentTimesAreRoundedUpUntilTheyFit() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (Stage stage : Stage.values()) {
      for (int i = 0; i < 20_000; i++) {
        own.sample(stage, (long) Math.exp(random.nextDouble(35)));
      }
    }
    Timings said = PeerTimings.of(own);

    int bytes = TimingRecords.stageBytes(said.stages());
    assertThat(bytes).isBetween(Limits.STAGES_BYTES_MAX / 4, Limits.STAGES_BYTES_MAX);
    Findings heard = heard(said);
    own.finish()
        .stages()
        .forEach(
            (stage, exact) -> {
              Latencies told = heard.peerStages().get(stage);
              assertThat(told.count()).isEqualTo(20_000);
              long medianNs = exact.percentileNs(50);
              assertThat(told.percentileNs(50))
                  .as("seed %d", seed)
                  .isBetween(medianNs, medianNs + medianNs / 16);
            });
  }

  @Test
  void theReceiverIsNotToldWhereTheSendersFilesAre() {
    FileLog file = peer.begin("/secret/place/photo", "photo", 10, Stage.SEND);
    file.moved("heap", 64, 10, 5_000);
    Timings said = PeerTimings.of(peer);

    assertThat(said.slowest()).hasSize(1);
    assertThat(said.slowest().getFirst().path()).isEqualTo("photo");
    assertThat(peer.finish().findings().worst().getFirst().path()).isEqualTo("/secret/place/photo");
  }

  @Test
  void whatAPeerMakesUpIsShownAndHarmless() {
    List<TimeCell> cells =
        List.of(new TimeCell(0, 1), new TimeCell(Limits.CELLS_MAX - 1, Long.MAX_VALUE - 1));
    StageTimes strange = new StageTimes("write", 5, 6, Long.MAX_VALUE, Long.MAX_VALUE, cells);
    StageTimes unknown = new StageTimes("teleport", 5, 6, 7, 8, cells);
    SlowOperation odd = new SlowOperation("write", "a\u001b[2J", 0, 0, 1, Long.MAX_VALUE);
    SlowOperation other = new SlowOperation("teleport", "", 0, 0, 1, 0);

    Findings heard =
        heard(new Timings(1, ProcessTimes.UNKNOWN, List.of(strange, unknown), List.of(odd, other)));

    assertThat(heard.peerStages()).containsOnlyKeys(Stage.WRITE);
    Latencies told = heard.peerStages().get(Stage.WRITE);
    assertThat(told.percentileNs(1)).isEqualTo(6);
    assertThat(told.percentileNs(100)).isEqualTo(6);
    assertThat(heard.worst()).extracting(WorstOperation::path).containsExactly("a\\x1b[2J");
    assertThat(heard.worst()).extracting(WorstOperation::side).containsExactly(WorkSide.RECEIVER);
  }

  @Test
  void bothEndsSayInTheSameWordsWhatLimitedTheSession() {
    List<TimeShare> shares =
        List.of(
            new TimeShare("network", null, 93),
            new TimeShare("processor", WorkSide.SENDER, 12),
            new TimeShare("pace", null, 7));
    Network network = new Network(1, 950_000_000, 1, 2, 30_000_000, 20_000_000, 4);
    Judgement found = new Judgement(1_000_000_000, true, shares, network);

    PeerTimings.tell(own, PeerTimings.said(found));

    assertThat(own.finish().findings().bottleneck())
        .isEqualTo(Bottleneck.of(found, EndFacts.UNKNOWN));
  }

  @Test
  void aVerdictWithAWordThatThisEndDoesNotKnowCountsForNothing() {
    List<ShareOfTime> shares =
        List.of(new ShareOfTime("teleport", null, 93), new ShareOfTime("write", Side.RECEIVER, 60));
    PeerTimings.tell(own, new LimitedBy(1_000_000_000, true, shares, Network.NONE));
    assertThat(own.finish().findings().bottleneck().isKnown()).isFalse();
  }

  private Findings heard(Timings said) {
    PeerTimings.tell(peer, said, WorkSide.RECEIVER);
    return peer.finish().findings();
  }

  private static Insight insight(String command) {
    return new Insight(command, "auto", new Wanting(1000), new SessionName(1, "peer"));
  }

  private record Wanting(int worstWanted) implements Event.Listener {

    @Override
    public void on(Event event) {}
  }
}
