package dev.zcp.bench.plan;

import java.util.ArrayList;
import java.util.List;

/// A table of an article as it grows, row by row in the article's order: a group of cells that do
/// the same work.
final class ArticleTable {

  private final String name;
  private final Experiment experiment;
  private final long articleBytes;
  private final long fileBytes;
  private final Peer peer;
  private final List<Cell> cells = new ArrayList<>();

  /// @param name what the claim of each row begins with: `A1`
  /// @param articleBytes the size of the file in the article
  ArticleTable(String name, Experiment experiment, long articleBytes, SizeScale scale, Peer peer) {
    this.name = name;
    this.experiment = experiment;
    this.articleBytes = articleBytes;
    this.fileBytes = scale.bytes(articleBytes);
    this.peer = peer;
  }

  ArticleTable(String name, Experiment experiment, long articleBytes, SizeScale scale) {
    this(name, experiment, articleBytes, scale, Peer.FAST);
  }

  /// A row with a first run and the mean of the next ten, in milliseconds.
  ArticleTable row(String row, String contender, long chunkBytes, int firstMs, int meanMs) {
    return row(row, contender, chunkBytes, firstMs + " ms, then " + meanMs + " ms", meanMs);
  }

  /// A row with one time, in milliseconds.
  ArticleTable row(String row, String contender, long chunkBytes, int ms) {
    return row(row, contender, chunkBytes, ms + " ms", ms);
  }

  /// A row of which the article gives no time.
  ///
  /// @param figures what it says instead; may be empty
  ArticleTable row(String row, String contender, long chunkBytes, String figures) {
    return row(row, contender, chunkBytes, figures, Double.NaN);
  }

  ArticleTable row(String row, String contender, long chunkBytes, String figures, double ms) {
    return row(row, contender, chunkBytes, Forcing.NEVER, figures, ms);
  }

  ArticleTable row(
      String row, String contender, long chunkBytes, Forcing forcing, String figures, double ms) {
    Claim claim = new Claim(name + " " + row, figures, ms, articleBytes);
    cells.add(
        new Cell(
            experiment, contender, chunkBytes, fileBytes, Cache.WARM, forcing, peer, 0, claim));
    return this;
  }

  Plan.Group group(String title, String note) {
    return new Plan.Group(title, note, cells);
  }
}
