package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.bench.CellResult.CallCount;
import dev.zcp.core.Width;
import dev.zcp.engine.Choice;
import dev.zcp.testing.Golden;
import dev.zcp.testing.SampleBench;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BenchTableTest {

  private static final long SIZE = 64 << 20;

  @Test
  void anArticlesTableACopyAndASweep() throws IOException {
    Golden.check("table.txt", BenchTable.of(SampleBench.result(), false, true));
  }

  @Test
  void theSameWithAllCountsInAscii() throws IOException {
    String text = BenchTable.of(SampleBench.result(), true, false);
    Golden.check("table-verbose-ascii.txt", text);
    assertThat(text).matches("\\p{ASCII}*");
  }

  @Test
  void whoJustWantsToKnowGetsATableOfWordsAndTheAnswerInASentence() {
    String text =
        BenchTable.of(
            result(
                List.of(
                    cell("heap", 110, 112, 114, 116),
                    cell("stream", 220, 222, 224, 226),
                    cell("direct", 100, 101, 102, 103),
                    cell("mmap", 101.5, 102, 103, 104))),
            false,
            false);
    assertThat(text)
        .startsWith(
            """
            copy 64 MiB
              strategy  a call  time ms  rate MiB/s  CPU ms
              heap          1M      113         566     107  1.11 times as long
              stream        1M      223         287     212  2.20 times as long
            * direct        1M      102         631      96  fastest
            ~ mmap          1M      103         624      97  as fast, or nearly
            """)
        .contains("time: the median of at most 4 runs.")
        .endsWith(
            "On this machine, direct with 1M a call and mmap with 1M a call are the fastest\n"
                + "  to copy a file of 64.0 MiB: 1.11 times as fast as heap with 1M a call.\n");
    assertThat(text.lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void tooFewRunsGiveNoSureAnswer() {
    assertThat(BenchTable.of(result(List.of(cell("heap", 110), cell("direct", 100))), false, false))
        .contains(
            "\nWith too few runs to be sure, direct with 1M a call is the fastest to copy a\n");
  }

  @Test
  void theFastestIsMarkedAndWhatIsWithinItsNoiseAndNothingElse() {
    List<String> lines =
        table(
            cell("heap", 110, 112, 114, 116),
            cell("direct", 100, 101, 102, 103),
            cell("stream", 101.5, 102, 103, 104));
    assertThat(lines.get(2)).startsWith("  heap ");
    assertThat(lines.get(3)).startsWith("* direct ");
    assertThat(lines.get(4)).startsWith("~ stream ");
  }

  @Test
  void forcesAreCountedAndTimedWhereThereAreSome() {
    Cell.ForceRule often = new Cell.ForceRule(1 << 20, true);
    CellResult forcing =
        SampleBench.of(Experiment.FORCE, "direct", 65536, SIZE)
            .forces(often, 2_000_000, 3_000_000, 9_000_000)
            .measured();
    CellResult never = SampleBench.of(Experiment.FORCE, "direct", 65536, SIZE).measured();
    assertThat(table(forcing, never))
        .anyMatch(line -> line.matches("one force +chunk +force +a run +p50 +max"))
        .anyMatch(line -> line.matches("direct +64K +1M beside +3 +3.00 ms +9.00 ms"))
        .contains("What one run used is of the thread that writes, not of one that forces beside");
    assertThat(table(never)).noneMatch(line -> line.contains("one force"));
  }

  @Test
  void whatNobodySawCopiedIsNotCalledNothing() {
    CellResult received =
        SampleBench.of(Experiment.RECEIVE, "transferTo", Choice.ADAPTIVE, SIZE)
            .unseenCopies()
            .measured();
    assertThat(table(received)).anyMatch(line -> line.matches("receive +transferTo .* - +[0-9.]+"));
    assertThat(table(received)).noneMatch(line -> line.contains("0x"));
  }

  @Test
  void aCellThatIsAloneHasWonNothing() {
    assertThat(table(cell("heap", 1, 1, 1, 1)))
        .noneMatch(line -> line.startsWith("*"))
        .noneMatch(line -> line.contains("fastest"));
  }

  @Test
  void aFailedCellStandsInItsPlaceAndARefusedOneBelow() {
    List<String> lines =
        table(
            new CellResult.Refused(cell("splice", 1).cell(), "no pipe"),
            new CellResult.Failed(cell("mmap", 1).cell(), "2 of 3 bytes"),
            cell("heap", 1, 1, 1, 1));
    assertThat(lines.get(2)).isEqualTo("! mmap         1M  FAILED: 2 of 3 bytes");
    assertThat(lines.get(3)).startsWith("  heap ");
    assertThat(lines.get(4)).isEqualTo("not here: splice 1M: no pipe");
  }

  @Test
  void aBenchmarkOfWhichNothingCouldBeMeasuredSaysWhy() {
    assertThat(table(new CellResult.Refused(cell("splice", 1).cell(), "no pipe")))
        .contains("not here: splice 1M: no pipe")
        .noneMatch(line -> line.contains("model"))
        .anyMatch(line -> line.contains("seed 4711"));
  }

  @Test
  void threeRunsAreTooFewToTellChanceAndFourAreNot() {
    String warning = "With fewer than 4 runs of a cell, what looks faster may be chance.";
    assertThat(table(cell("heap", 1, 1, 1), cell("direct", 2, 2, 2, 2))).contains(warning);
    assertThat(table(cell("heap", 1, 1, 1, 1), cell("direct", 2, 2, 2, 2))).doesNotContain(warning);
  }

  @Test
  void switchesOfModeAreToldOnlyWhereAllSystemCallsWereCounted() {
    for (CallCount.CountedBy count : CallCount.CountedBy.values()) {
      CellResult.Measurement measured =
          SampleBench.of(Experiment.SEND, "direct", 1 << 20, SIZE)
              .systemCalls(128, count)
              .measured();
      boolean all = count == CallCount.CountedBy.TRACEPOINT || count == CallCount.CountedBy.STRACE;
      assertThat(measured.modeSwitchesPerMib())
          .as(count.name())
          .isEqualTo(all ? Double.valueOf(4) : Double.valueOf(Double.NaN));
    }
  }

  @Test
  void theModelShowsTheFastestCellOfEachStrategyUnlessAllAreAskedFor() {
    assertThat(GroupTables.best(SampleBench.result().measured()).stream().map(cell -> name(cell)))
        .containsExactly(
            "read stream 200000",
            "read heap 200000",
            "read direct 512K",
            "read mmap whole",
            "copy copyFileRange own",
            "copy direct 512K",
            "write direct 8M",
            "write mmap 8M");
  }

  @Test
  void noOrdinaryTableIsWiderThanItsColumns() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    String[] names = {"stream", "copyFileRange", "mmap", "transferTo", "randomAccessFile"};
    long[] chunks = {32, 200_000, 512 << 10, Choice.WHOLE, Choice.ADAPTIVE};
    for (int round = 0; round < 300; round++) {
      List<CellResult> cells = new ArrayList<>();
      boolean sockets = random.nextBoolean();
      // The longest is of an experiment that reads no file, and so is always warm.
      int namesUsed = sockets ? 5 : 4;
      double scale = Math.exp(random.nextDouble(-5, 5));
      for (int i = 0; i < 8; i++) {
        double cellMs = scale * Math.exp(random.nextDouble(6));
        double[] runsMs = new double[1 + random.nextInt(10)];
        for (int run = 0; run < runsMs.length; run++) {
          runsMs[run] = cellMs * (1 + random.nextDouble());
        }
        SampleBench.Of of =
            SampleBench.of(
                    Experiment.COPY,
                    names[random.nextInt(namesUsed)],
                    chunks[random.nextInt(5)],
                    SIZE)
                .ms(runsMs[0] * 2, runsMs)
                .calls(random.nextLong(1 << 30), random.nextLong(1L << 36))
                .systemCalls(random.nextLong(1L << 32), CallCount.CountedBy.READS_AND_WRITES)
                .faults(random.nextLong(1 << 25))
                .socketBuffer(sockets ? random.nextInt(1 << 30) : 0);
        // What goes by a socket is always warm.
        cells.add((!sockets && random.nextBoolean() ? of.cold() : of).measured());
      }
      String text = BenchTable.of(result(cells), true, random.nextBoolean());
      assertThat(text.lines())
          .as("seed %d", seed)
          .allMatch(line -> Width.of(line) <= BenchTable.COLUMNS);
    }
  }

  @Test
  void anArticlesMeanStandsBesideOurMeanAndItsProcessorTimeBesideOurs() {
    SampleBench.Of of = SampleBench.of(Experiment.WRITE, "heap", 100, SIZE).ms(9, 1, 1, 1, 5);
    assertThat(table(of.claim("A 1", "9 ms, then 2 ms", 2).measured()))
        .anyMatch(line -> line.matches("article +strategy +chunk +first +mean +the article's.*"))
        .anyMatch(line -> line.matches("A 1 +heap +100 +9.00 +2.00 +9 ms, then 2 ms"));
    assertThat(table(of.claim("E 1", "3 s (user 1, system 2)", 3000).measured()))
        .anyMatch(line -> line.matches("article .* first +mean +user +sys +the article's figures"))
        .anyMatch(line -> line.matches("E 1 +heap +100 +9.00 +2.00 +0.40 +1.50 +3 s .*"));
  }

  @Test
  void theSpreadStandsBesideTheTimes() {
    assertThat(table(cell("heap", 100, 100, 104, 104)))
        .anyMatch(line -> line.matches(".* first +median +min +max +\\+-% +ratio .*"))
        .anyMatch(line -> line.matches(" +heap +1M +100 +102 +100 +104 +4 +1.00 .*"))
        .anyMatch(line -> line.startsWith("+-% how far apart the middle half"));
  }

  @Test
  void aCellThatWasCutShortIsNamedWithItsRuns() {
    assertThat(table(cell("heap", 1, 1, 1, 1), cell("direct", 1, 1), cell("stream", 2)))
        .contains("fewer runs than the 4 of others: 2 of direct 1M; 1 of stream 1M");
    assertThat(table(cell("heap", 1, 1), cell("direct", 1, 1)))
        .noneMatch(line -> line.startsWith("fewer runs"))
        .anyMatch(line -> line.contains("at most 2 runs of each"));
    List<BenchResult.Group> groups =
        List.of(
            new BenchResult.Group("long", "", List.of(cell("heap", 9), cell("direct", 9))),
            new BenchResult.Group("short", "", List.of(cell("heap", 1, 1, 1, 1))));
    assertThat(BenchTable.of(SampleBench.result(groups), false, false))
        .contains("runs: 1 of each cell here, up to 4 in other tables");
  }

  @Test
  void whatTheKernelGaveASocketStandsBelowTheTable() {
    CellResult small = socket("heap", 208 << 10);
    assertThat(table(small, socket("direct", 208 << 10))).contains("socket buffer: 208 KiB");
    assertThat(table(small, socket("direct", 4 << 20)))
        .contains("socket buffer: 208 KiB of heap own; 4.00 MiB of direct own");
    assertThat(table(cell("heap", 1, 1))).noneMatch(line -> line.contains("socket buffer"));
  }

  @Test
  void linesOfTheModelThatWouldBeCalledTheSameAreToldApart() {
    SampleBench.Of warm = SampleBench.of(Experiment.COPY, "heap", 1 << 20, SIZE);
    SampleBench.Of cold = SampleBench.of(Experiment.COPY, "heap", 1 << 20, SIZE).cold();
    String text = BenchTable.of(result(List.of(warm.measured(), cold.measured())), true, false);
    assertThat(text.substring(text.indexOf("The model beside")))
        .containsPattern("copy +heap +1M +warm ")
        .containsPattern("copy +heap +1M +cold ");
    assertThat(BenchPage.of(result(List.of(warm.measured(), cold.measured()))))
        .containsPattern("(?s)The model beside.*warm.*cold");
  }

  private static CellResult socket(String name, int bufferBytes) {
    return SampleBench.of(Experiment.SEND, name, Choice.ADAPTIVE, SIZE)
        .socketBuffer(bufferBytes)
        .measured();
  }

  @Test
  void aNameThatWouldMoveTheCursorIsEscaped() {
    String name = "a\u001b[2J\r\nb\u202e\0";
    for (boolean verbose : new boolean[] {false, true}) {
      String text = BenchTable.of(SampleBench.hostile(name), verbose, true);
      assertThat(text).contains("a\\x1b[2J\\r\\nb\\u{202e}\\x00");
      assertThat(text.replace("\n", "").chars())
          .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT);
    }
  }

  @Test
  void aMessageThatIsPrintableAlreadyIsNotEscapedTwice() {
    assertThat(table(new CellResult.Failed(cell("mmap", 1).cell(), "a\\x1bb: no such file")))
        .anyMatch(line -> line.endsWith("FAILED: a\\x1bb: no such file"));
  }

  private static String name(CellResult row) {
    return row.cell().experiment().word()
        + " "
        + String.join(" ", GroupTables.Trait.tellApart(row.cell(), List.of()));
  }

  private static CellResult.Measurement cell(String name, double... runsMs) {
    return SampleBench.of(Experiment.COPY, name, 1 << 20, SIZE).ms(runsMs[0], runsMs).measured();
  }

  private static BenchResult result(List<CellResult> cells) {
    return SampleBench.result(List.of(new BenchResult.Group("copy 64 MiB", "", cells)));
  }

  private static List<String> table(CellResult... cells) {
    return BenchTable.of(result(List.of(cells)), true, false).lines().toList();
  }
}
