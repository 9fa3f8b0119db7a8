package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.zcp.bench.BenchRequest.CellGroup;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.testing.SampleBench;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What is measured when little or nothing is said.
class ExperimentPlanTest {

  /// Some four seconds for each cell make a minute.
  private static final int CELLS_MAX = 16;

  @ParameterizedTest
  @EnumSource
  void anExperimentHasOneGroupOfFewCells(Experiment experiment) throws Exception {
    List<CellGroup> groups = plan(planOf(experiment));
    assertThat(groups).hasSize(1);
    assertThat(groups.getFirst().cells())
        .hasSizeBetween(10, CELLS_MAX)
        .doesNotHaveDuplicates()
        .allMatch(cell -> cell.experiment() == experiment)
        .allMatch(cell -> cell.cache() == Cell.Cache.WARM)
        .allMatch(cell -> cell.claim().equals(Cell.ArticleClaim.NONE))
        .noneMatch(cell -> cell.contender().equals("singleByte"));
  }

  @Test
  void aCopyIsMeasuredByAutoAndEveryStrategyWithItsOwnSize() throws Exception {
    assertThat(plan(planOf(Experiment.COPY)).getFirst().cells())
        .filteredOn(cell -> cell.chunkBytes() == Choice.ADAPTIVE)
        .extracting(Cell::contender)
        .containsExactly(
            "auto",
            "copyFileRange",
            "direct",
            "heap",
            "mmap",
            "reflink",
            "splice",
            "stream",
            "transferTo");
  }

  @Test
  void whatCannotServeIsLeftOut() throws Exception {
    assertThat(names(Experiment.READ))
        .containsOnly(
            "direct", "heap", "mmap", "stream", "fileStream", "randomAccessFile", "mappedOnce");
    assertThat(names(Experiment.SEND))
        .contains("splice", "transferTo", "fileStream")
        .doesNotContain("reflink", "copyFileRange", "mappedOnce", "randomAccessFile");
    assertThat(names(Experiment.RECEIVE)).contains("splice").doesNotContain("fileStream");
  }

  @Test
  void aSingleByteAndAMappedBufferAreMeasuredOnlyForWhomAsks() throws Exception {
    assertThat(names(Experiment.WRITE))
        .contains("mappedOnce")
        .doesNotContain("singleByte", "mappedBuffer");
    assertThat(BenchOnly.MAPPED_BUFFER.serves(Experiment.WRITE)).isTrue();
  }

  @Test
  void whatCannotServeIsThereWhereItIsNamed() throws Exception {
    assertThat(plan(selection(List.of("reflink", "singleByte"), List.of(4096L))).getFirst().cells())
        .extracting(Cell::contender, Cell::chunkBytes)
        .containsExactly(tuple("reflink", 4096L), tuple("singleByte", Choice.ADAPTIVE));
  }

  @Test
  void namedStrategiesHaveEverySize() throws Exception {
    List<Cell> cells = plan(selection(List.of("heap", "mmap"), List.of())).getFirst().cells();
    assertThat(cells).hasSize(10);
    assertThat(cells.subList(0, 5))
        .extracting(Cell::chunkBytes)
        .containsExactly(Choice.ADAPTIVE, 4096L, 65536L, 1048576L, Choice.WHOLE);
  }

  @Test
  void givenSizesAreOfAllThatServe() throws Exception {
    List<Cell> cells = plan(selection(List.of(), List.of(512L, Choice.WHOLE))).getFirst().cells();
    assertThat(cells).extracting(Cell::chunkBytes).containsOnly(512L, Choice.WHOLE);
    assertThat(cells)
        .extracting(Cell::contender)
        .startsWith("direct", "direct", "heap", "heap")
        .endsWith("mappedOnce", "mappedOnce");
  }

  @Test
  void aGroupIsOfOneExperimentOneSizeAndOneStateOfTheCache() throws Exception {
    ExperimentPlan selection =
        new ExperimentPlan(
            List.of(Experiment.WRITE, Experiment.COPY),
            List.of("direct"),
            List.of(4096L),
            List.of(1L << 20, 3L << 20),
            null,
            List.of(Cell.Cache.COLD, Cell.Cache.WARM));
    assertThat(plan(selection))
        .extracting(CellGroup::title)
        .containsExactly(
            "write 1.00 MiB",
            "write 3.00 MiB",
            "copy 1.00 MiB, cold",
            "copy 1.00 MiB, warm",
            "copy 3.00 MiB, cold",
            "copy 3.00 MiB, warm");
    assertThat(plan(selection))
        .flatExtracting(CellGroup::cells)
        .extracting(Cell::cache)
        .containsExactly(
            Cell.Cache.WARM,
            Cell.Cache.WARM,
            Cell.Cache.COLD,
            Cell.Cache.WARM,
            Cell.Cache.COLD,
            Cell.Cache.WARM);
  }

  @Test
  void forcingIsComparedWithNoneAndAllElseNeverForces() throws Exception {
    assertThat(plan(planOf(Experiment.FORCE)).getFirst().cells())
        .filteredOn(cell -> cell.contender().equals("mappedOnce"))
        .extracting(Cell::forcing)
        .startsWith(Cell.ForceRule.NEVER, Cell.ForceRule.AT_THE_END)
        .hasSize(5)
        .doesNotHaveDuplicates();
    for (Experiment experiment : Experiment.values()) {
      if (experiment != Experiment.FORCE) {
        assertThat(plan(planOf(experiment)).getFirst().cells())
            .extracting(Cell::forcing)
            .containsOnly(Cell.ForceRule.NEVER);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"16777217, 5", "16777216, 4", "1048577, 4", "1048576, 2", "1, 2"})
  void forcingsThatComeToTheSameAreOne(long fileBytes, int forcings) throws Exception {
    ExperimentPlan selection =
        new ExperimentPlan(
            List.of(Experiment.FORCE),
            List.of("direct"),
            List.of(),
            List.of(fileBytes),
            null,
            List.of());
    assertThat(plan(selection).getFirst().cells()).hasSize(forcings).doesNotHaveDuplicates();
  }

  @Test
  void theBenchmarksOwnAreNamedWithoutRegardToCaseAndHyphens() {
    assertThat(BenchOnly.named("MAPPED-once")).contains(BenchOnly.MAPPED_ONCE);
    assertThat(BenchOnly.named("mmap")).isEmpty();
  }

  @Test
  void aSocketBufferIsOfCellsWithASocketAlone() {
    Cell send = SampleBench.cell(Experiment.SEND, "direct", 0, 1);
    Cell read = SampleBench.cell(Experiment.READ, "direct", 0, 1);
    assertThat(send.withSocketBuffer(4096).socketBufferBytes()).isEqualTo(4096);
    assertThat(read.withSocketBuffer(4096)).isEqualTo(read);
  }

  private static List<String> names(Experiment experiment) throws Exception {
    return plan(planOf(experiment)).getFirst().cells().stream().map(Cell::contender).toList();
  }

  private static ExperimentPlan selection(List<String> contenders, List<Long> chunks) {
    return new ExperimentPlan(
        List.of(Experiment.READ), contenders, chunks, List.of(), null, List.of());
  }

  private static List<CellGroup> plan(ExperimentPlan selection) throws Exception {
    return selection.groups(Strategies.load(List.of()).all());
  }

  /// What is measured unasked.
  static ExperimentPlan planOf(Experiment experiment) {
    return new ExperimentPlan(
        List.of(experiment), List.of(), List.of(), List.of(), null, List.of());
  }
}
