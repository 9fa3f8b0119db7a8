package dev.zcp.bench.plan;

import static dev.zcp.engine.Choice.WHOLE;

import java.util.ArrayList;
import java.util.List;

/// Efficient data transfer through zero copy, after an article of IBM developerWorks of 2008: a
/// client that reads 4 KB and writes it to a socket, against one that calls transferTo, for seven
/// sizes; the server reads 4 KB at a time and keeps nothing. It claims about 65 % less time.
final class ArticleD {

  private static final int BUFFER_BYTES = 4 << 10;

  private static final String NOTE =
      "The article's machine: Linux 2.6 and no more is said; MB is taken for MiB. It claims about"
          + " 65 % less time by transferTo, over all these sizes.";

  /// @param megabytes the size of the file, and `label` as the article has it
  private record Row(String label, int megabytes, int traditionalMs, int transferToMs) {}

  private static final List<Row> ROWS =
      List.of(
          new Row("21 MB", 21, 337, 128),
          new Row("63 MB", 63, 843, 387),
          new Row("98 MB", 98, 1320, 617),
          new Row("200 MB", 200, 2124, 1150),
          new Row("350 MB", 350, 3631, 1762),
          new Row("700 MB", 700, 13498, 4422),
          new Row("1 GB", 1024, 18399, 8537));

  private ArticleD() {}

  static List<Plan.Group> sending(SizeScale scale) {
    Peer server = new Peer(BUFFER_BYTES, false);
    List<Plan.Group> groups = new ArrayList<>();
    for (Row row : ROWS) {
      groups.add(
          new ArticleTable("D", Experiment.SEND, (long) row.megabytes() << 20, scale, server)
              .row(
                  row.label() + " traditional",
                  BenchOnly.FILE_STREAM.word(),
                  BUFFER_BYTES,
                  row.traditionalMs())
              .row(row.label() + " transferTo", "transferTo", WHOLE, row.transferToMs())
              .group(
                  "article D: send " + row.label() + " to a server that reads 4 KB at a time",
                  groups.isEmpty() ? scale.note(NOTE) : ""));
    }
    return groups;
  }
}
