package dev.zcp.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.spi.Route;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import org.junit.jupiter.api.Test;

/// What `auto` comes to when it takes the lowest estimate.
class CostOrderTest {

  private static final long TINY = 1024;
  private static final long SMALL = 64 << 10;
  private static final long LARGE = 1L << 30;

  @Test
  void betweenFilesTheJdksTransferToLeadsAndATinyOneGoesThroughABuffer() {
    assertThat(best(Kind.FILE, Kind.FILE, TINY)).isEqualTo("direct");
    assertThat(best(Kind.FILE, Kind.FILE, LARGE)).isIn("transferTo", "copyFileRange");
  }

  /// There copy_file_range(2) fails with EXDEV, and transferTo goes on by sendfile(2).
  @Test
  void acrossFileSystemsTransferToLeadsAndATinyFileGoesThroughABuffer() {
    Route across = new Route(traits(Kind.FILE), new Route.Traits(Kind.FILE, true, false, 2));
    assertThat(best(across, TINY)).isEqualTo("direct");
    assertThat(best(across, LARGE)).isEqualTo("transferTo");
  }

  @Test
  void toASocketTransferToLeadsAndATinyFileGoesThroughABuffer() {
    assertThat(best(Kind.FILE, Kind.SOCKET, TINY)).isEqualTo("direct");
    assertThat(best(Kind.FILE, Kind.SOCKET, LARGE)).isEqualTo("transferTo");
  }

  @Test
  void fromASocketALargeFileIsSplicedAndATinyOneIsNot() {
    assertThat(best(Kind.SOCKET, Kind.FILE, TINY)).isEqualTo("direct");
    assertThat(best(Kind.SOCKET, Kind.FILE, LARGE)).isEqualTo("splice");
  }

  /// sendfile into a pipe is a splice in all but name, and needs no binding.
  @Test
  void intoAPipeTransferToLeadsAndATinyFileGoesThroughABuffer() {
    assertThat(best(Kind.FILE, Kind.PIPE, TINY)).isEqualTo("direct");
    assertThat(best(Kind.FILE, Kind.PIPE, LARGE)).isEqualTo("transferTo");
  }

  @Test
  void outOfAPipeALargeFileIsSplicedAndATinyOneIsNot() {
    assertThat(best(Kind.PIPE, Kind.FILE, TINY)).isEqualTo("direct");
    assertThat(best(Kind.PIPE, Kind.FILE, LARGE)).isEqualTo("splice");
  }

  @Test
  void aStreamGoesThroughADirectBuffer() {
    assertThat(best(Kind.STREAM, Kind.FILE, SMALL)).isEqualTo("direct");
    assertThat(best(Kind.FILE, Kind.STREAM, LARGE)).isEqualTo("direct");
  }

  /// It may cost the process its life, so it is never the default.
  @Test
  void mappingIsNeverTheBest() {
    for (Kind from : Kind.values()) {
      for (Kind to : Kind.values()) {
        assertThat(best(from, to, SMALL)).isNotEqualTo("mmap");
        assertThat(best(from, to, LARGE)).isNotEqualTo("mmap");
      }
    }
  }

  private static String best(Kind from, Kind to, long bytes) {
    return best(new Route(traits(from), traits(to)), bytes);
  }

  private static String best(Route route, long bytes) {
    String best = "none";
    double leastNs = Double.MAX_VALUE;
    for (TransferStrategy strategy : BuiltIn.strategies()) {
      if (strategy.judge(route) instanceof Verdict.Usable usable
          && usable.cost().estimateNs(bytes) < leastNs) {
        leastNs = usable.cost().estimateNs(bytes);
        best = strategy.name();
      }
    }
    return best;
  }

  private static Route.Traits traits(Kind kind) {
    return new Route.Traits(kind, kind != Kind.STREAM, false, kind == Kind.FILE ? 1 : -1);
  }
}
