package dev.zcp.bench;

import static dev.zcp.engine.Choice.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.zcp.bench.BenchRequest.CellGroup;
import dev.zcp.engine.Strategies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The articles' tables are those of the articles: their rows, sizes and figures in their order.
class ArticleTest {

  private static final long MIB = 1L << 20;

  @Test
  void a1ReadsAFileOf290MillionBytesInSevenWays() {
    assertThat(lines(Article.A1, 1))
        .containsExactly(
            "A1 1.1: read 290000000 fileStream whole: 556 ms, then 472 ms = 472",
            "A1 1.2: read 290000000 fileStream 200000: 176 ms, then 92 ms = 92",
            "A1 1.3: read 290000000 heap 200000: 107 ms, then 85 ms = 85",
            "A1 2.1: read 290000000 direct whole: 282 ms, then 285 ms = 285",
            "A1 2.2: read 290000000 direct 200000: 21 ms, then 0 ms = 0",
            "A1 3.1: read 290000000 mmap whole: 35 ms, then 20 ms = 20",
            "A1 3.2: read 290000000 mmap 200000: no end in more than 10 s = -");
  }

  @Test
  void a2CopiesItAndAddsTheSpliceThatJavaHasNot() {
    assertThat(lines(Article.A2, 1))
        .containsExactly(
            "A2 1.1: copy 290000000 fileStream whole: 1216 ms, then 941 ms = 941",
            "A2 1.2: copy 290000000 fileStream 200000: 392 ms, then 336 ms = 336",
            "A2 1.3: copy 290000000 heap 200000: 26 ms, then 0 ms = 0",
            "A2 2.1: copy 290000000 direct whole: 549 ms, then 495 ms = 495",
            "A2 2.2: copy 290000000 direct 200000: 23 ms, then 0 ms = 0",
            "A2 mmap: copy 290000000 mmap whole: 290 ms, then 262 ms = 262",
            "A2 transferTo: copy 290000000 transferTo whole: 290 ms, then 253 ms = 253",
            "A2 splice: copy 290000000 splice whole:  = -");
  }

  @Test
  void a3SendsIt() {
    assertThat(lines(Article.A3, 1))
        .containsExactly(
            "A3 1.1: send 290000000 fileStream whole: 566 ms, then 566 ms = 566",
            "A3 stream 10000: send 290000000 fileStream 10000: 215 ms, then 200 ms = 200",
            "A3 stream 200000: send 290000000 fileStream 200000: 165 ms, then 116 ms = 116",
            "A3 heap: send 290000000 heap 200000: 13 ms, then 0 ms = 0",
            "A3 direct whole: send 290000000 direct whole: 215 ms, then 200 ms = 200",
            "A3 direct 200000: send 290000000 direct 200000: 16 ms, then 0 ms = 0",
            "A3 mmap: send 290000000 mmap whole: 16 ms, then 0 ms = 0",
            "A3 transferTo: send 290000000 transferTo whole: 16 ms, then 10 ms = 10",
            "A3 splice: send 290000000 splice whole:  = -");
  }

  @Test
  void bSendsToAServerThatReads2048BytesAndWritesAFile() {
    assertThat(lines(Article.B, 1))
        .containsExactly(
            "B stream: send 8388608 fileStream 2048: 46 ms = 46",
            "B mmap: send 8388608 mmap whole: 32 ms = 32",
            "B direct: send 8388608 direct whole: 26 ms = 26",
            "B transferTo: send 8388608 transferTo whole: 18 ms = 18");
    assertThat(cells(Article.B, 1)).extracting(Cell::peer).containsOnly(new Cell.Peer(2048, true));
  }

  @Test
  void cReadsAndWritesAGigabyteInCallsFrom32BytesToTheWhole() {
    for (Experiment experiment : List.of(Experiment.READ, Experiment.WRITE)) {
      List<CellGroup> groups =
          Article.C.groups(1).stream()
              .filter(group -> group.cells().getFirst().experiment() == experiment)
              .toList();
      assertThat(groups)
          .extracting(group -> group.cells().getFirst().chunkBytes())
          .startsWith(32L, 64L)
          .contains(4096L)
          .endsWith(WHOLE)
          .isSorted();
      assertThat(groups)
          .allSatisfy(
              group -> {
                assertThat(group.cells())
                    .extracting(Cell::contender)
                    .containsExactly("mappedOnce", "direct", "randomAccessFile", "fileStream");
                assertThat(group.cells())
                    .extracting(Cell::chunkBytes)
                    .containsOnly(group.cells().getFirst().chunkBytes());
                assertThat(group.cells()).extracting(Cell::fileBytes).containsOnly(1024 * MIB);
              });
    }
  }

  @Test
  void cSaysThatTheMappingIsAheadBelow4KibToReadAndBelow64BytesToWrite() {
    assertThat(aheadIn("read", "mappedOnce")).containsExactly(32L, 64L, 128L, 512L, 1024L, 2048L);
    assertThat(aheadIn("read", "direct")).startsWith(4096L, 16384L).endsWith(WHOLE);
    assertThat(aheadIn("write", "mappedOnce")).containsExactly(32L);
    assertThat(aheadIn("write", "direct")).startsWith(64L, 128L).endsWith(WHOLE);
  }

  @Test
  void cForcesAMappingAndAChannelNeverOftenAndOnce() {
    Cell.ForceRule often = new Cell.ForceRule(16 << 10, true);
    List<Cell> cells =
        cells(Article.C, 1).stream().filter(cell -> cell.experiment() == Experiment.FORCE).toList();
    assertThat(cells)
        .extracting(Cell::contender)
        .containsExactly("mappedOnce", "mappedOnce", "mappedOnce", "direct", "direct", "direct");
    assertThat(cells)
        .extracting(Cell::forcing)
        .containsExactly(
            Cell.ForceRule.NEVER,
            often,
            Cell.ForceRule.AT_THE_END,
            Cell.ForceRule.NEVER,
            often,
            Cell.ForceRule.AT_THE_END);
    assertThat(cells)
        .extracting(cell -> cell.claim().meanMs())
        .containsExactly(1500.0, 4000.0, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    assertThat(cells)
        .filteredOn(cell -> cell.forcing().equals(Cell.ForceRule.AT_THE_END))
        .extracting(cell -> cell.claim().figures())
        .containsOnly("about 800 ms for the force alone");
  }

  @Test
  void dSendsSevenSizesIn4KibAndByTransferTo() {
    assertThat(lines(Article.D, 1))
        .containsExactly(
            "D 21 MB traditional: send " + 21 * MIB + " fileStream 4096: 337 ms = 337",
            "D 21 MB transferTo: send " + 21 * MIB + " transferTo whole: 128 ms = 128",
            "D 63 MB traditional: send " + 63 * MIB + " fileStream 4096: 843 ms = 843",
            "D 63 MB transferTo: send " + 63 * MIB + " transferTo whole: 387 ms = 387",
            "D 98 MB traditional: send " + 98 * MIB + " fileStream 4096: 1320 ms = 1320",
            "D 98 MB transferTo: send " + 98 * MIB + " transferTo whole: 617 ms = 617",
            "D 200 MB traditional: send " + 200 * MIB + " fileStream 4096: 2124 ms = 2124",
            "D 200 MB transferTo: send " + 200 * MIB + " transferTo whole: 1150 ms = 1150",
            "D 350 MB traditional: send " + 350 * MIB + " fileStream 4096: 3631 ms = 3631",
            "D 350 MB transferTo: send " + 350 * MIB + " transferTo whole: 1762 ms = 1762",
            "D 700 MB traditional: send " + 700 * MIB + " fileStream 4096: 13498 ms = 13498",
            "D 700 MB transferTo: send " + 700 * MIB + " transferTo whole: 4422 ms = 4422",
            "D 1 GB traditional: send " + 1024 * MIB + " fileStream 4096: 18399 ms = 18399",
            "D 1 GB transferTo: send " + 1024 * MIB + " transferTo whole: 8537 ms = 8537");
    assertThat(cells(Article.D, 1)).extracting(Cell::peer).containsOnly(new Cell.Peer(4096, false));
    assertThat(Article.D.groups(1)).hasSize(7);
  }

  @Test
  void eWrites100BytesAnd1KibAtATimeAndCopies() {
    assertThat(lines(Article.E, 1))
        .containsExactly(
            "E 100 B stream: write 524288000 fileStream 100: 13 s (user 3, system 10) = 13000",
            "E 100 B heap: write 524288000 heap 100: 8 s (user 3.5, system 5) = 8000",
            "E 100 B direct: write 524288000 direct 100: 8 s (user 2.7, system 5.4) = 8000",
            "E 100 B mmap: write 524288000 mappedOnce 100: 0.5 s (user 0.38, system 0.15) = 500",
            "E 100 B mmap buffer: write 524288000 mappedBuffer 100: 1 s (user 0.8, system 0.2)"
                + " = 1000",
            "E 1 KB stream: write 524288000 fileStream 1024: 2.3 s (user 0.5, system 0.7) = 2300",
            "E 1 KB heap: write 524288000 heap 1024: 2.1 s (user 1.3, system 0.7) = 2100",
            "E 1 KB direct: write 524288000 direct 1024: 1.7 s (user 0.8, system 0.7) = 1700",
            "E 1 KB mmap: write 524288000 mappedOnce 1024: 0.5 s (user 0.3, system 0.2) = 500",
            "E 1 KB mmap buffer: write 524288000 mappedBuffer 1024: 0.8 s (user 0.6, system"
                + " 0.2) = 800",
            "E copy stream: copy 1073741824 fileStream 1048576: 3 s (user 0.27, system 1.5) = 3000",
            "E copy stream 10 MB: copy 1073741824 fileStream 10485760: slower than 1 MB = -",
            "E copy transferFrom: copy 1073741824 transferTo 1048576: 2.2 s (user 0.11, system"
                + " 1.3) = 2200",
            "E copy mmap: copy 1073741824 mmap 1048576: 2.4 s (user 0.8, system 1.3) = 2400");
  }

  @ParameterizedTest
  @EnumSource
  void everyRowIsOfItsArticleAndNoCellStandsTwiceInAGroup(Article article) {
    for (CellGroup group : article.groups(1)) {
      assertThat(group.cells()).isNotEmpty();
      assertThat(group.cells())
          .allSatisfy(cell -> assertThat(cell.claim().row()).startsWith(article + " "));
      List<Cell> unclaimed = group.cells().stream().map(ArticleTest::withoutClaim).toList();
      assertThat(unclaimed).doesNotHaveDuplicates();
      assertThat(group.cells())
          .extracting(Cell::fileBytes, Cell::experiment)
          .containsOnly(
              tuple(group.cells().getFirst().fileBytes(), group.cells().getFirst().experiment()));
    }
    assertThat(article.groups(1)).extracting(CellGroup::title).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void theFirstNoteTellsTheMachineAndHowItsUnitsAreTaken(Article article) {
    assertThat(article.groups(1).getFirst().note())
        .containsPattern("machine")
        .containsPattern("taken for| is 290");
  }

  @ParameterizedTest
  @EnumSource
  void everyContenderOfAnArticleIsKnownAndIsNotRefusedAtOnce(Article article) throws Exception {
    Strategies strategies = Strategies.load(List.of());
    for (Cell cell : cells(article, 1)) {
      boolean serves =
          BenchOnly.named(cell.contender()).map(own -> own.serves(cell.experiment())).orElse(false)
              || ExperimentPlanTest.planOf(cell.experiment()).groups(strategies.all()).stream()
                  .flatMap(group -> group.cells().stream())
                  .anyMatch(other -> other.contender().equals(cell.contender()));
      assertThat(serves).as(cell.toString()).isTrue();
    }
  }

  @Test
  void aScaleMultipliesFilesToTheNearestByteAndLeavesCallsAlone() {
    Cell full = cells(Article.A1, 1).get(1);
    assertThat(cells(Article.A1, 0.5).get(1).fileBytes()).isEqualTo(145_000_000);
    assertThat(cells(Article.A1, 0.0123456789).get(1).fileBytes()).isEqualTo(3_580_247);
    assertThat(cells(Article.A1, 2).get(1).fileBytes()).isEqualTo(580_000_000);
    assertThat(cells(Article.A1, 0.5).get(1).chunkBytes()).isEqualTo(full.chunkBytes());
    assertThat(Article.A1.groups(0.5).getFirst().note()).contains("0.5 times");
    assertThat(Article.A1.groups(1).getFirst().note()).doesNotContain("times the");
  }

  @Test
  void aClaimIsOfTheArticlesOwnSizeWhateverTheScale() {
    Cell full = cells(Article.A1, 1).get(1);
    Cell half = cells(Article.A1, 0.5).get(1);
    assertThat(full.claim().fileBytes()).isEqualTo(full.fileBytes());
    assertThat(half.claim()).isEqualTo(full.claim());
    assertThat(half.claim().fileBytes()).isNotEqualTo(half.fileBytes());
  }

  @Test
  void noFileGetsSmallerThan64KibAndAtAHundredthTheSizesOfDStayApart() {
    assertThat(cells(Article.B, 0.0078125)).extracting(Cell::fileBytes).containsOnly(65536L);
    assertThat(cells(Article.B, 0.000001)).extracting(Cell::fileBytes).containsOnly(65536L);
    assertThat(new HashSet<>(cells(Article.D, 0.01).stream().map(Cell::fileBytes).toList()))
        .hasSize(7);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 1000.1, Double.NaN, Double.POSITIVE_INFINITY})
  void aFactorIsGreaterThan0AndAtMost1000(double factor) {
    assertThat(Article.isPossible(factor)).isFalse();
    assertThat(Article.isPossible(1000)).isTrue();
    assertThat(Article.isPossible(Double.MIN_VALUE)).isTrue();
  }

  private static Cell withoutClaim(Cell cell) {
    return new Cell(
        cell.experiment(),
        cell.contender(),
        cell.chunkBytes(),
        cell.fileBytes(),
        cell.cache(),
        cell.forcing(),
        cell.peer(),
        cell.socketBufferBytes(),
        Cell.ArticleClaim.NONE);
  }

  private static List<Long> aheadIn(String experiment, String contender) {
    List<Long> sizes = new ArrayList<>();
    for (Cell cell : cells(Article.C, 1)) {
      if (cell.experiment().word().equals(experiment)
          && cell.contender().equals(contender)
          && cell.claim().figures().startsWith("ahead")) {
        sizes.add(cell.chunkBytes());
      }
    }
    return sizes;
  }

  private static List<Cell> cells(Article article, double scale) {
    return article.groups(scale).stream().flatMap(group -> group.cells().stream()).toList();
  }

  private static List<String> lines(Article article, double scale) {
    return cells(article, scale).stream().map(ArticleTest::line).toList();
  }

  private static String line(Cell cell) {
    double ms = cell.claim().meanMs();
    return cell.claim().row()
        + ": "
        + cell.experiment().word()
        + " "
        + cell.fileBytes()
        + " "
        + cell.contender()
        + " "
        + (cell.chunkBytes() == WHOLE ? "whole" : cell.chunkBytes())
        + ": "
        + cell.claim().figures()
        + " = "
        + (Double.isNaN(ms) ? "-" : String.valueOf((long) ms));
  }
}
