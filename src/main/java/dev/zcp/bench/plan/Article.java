package dev.zcp.bench.plan;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/// The tables of five articles on moving files in Java, to be run again here. Their figures stand
/// beside ours with the machine they were taken on; they are no aims.
///
/// Where an article says MB or GB of a file and not which, its note says what it is taken for: 10^6
/// bytes on the Mac of A, whose system counts so, and 2^20 and 2^30 elsewhere.
///
/// What all of them have in common is said here and not in a note: sources are in the page cache
/// after the first run; every run is checked, so none can end early; and calls are asked for by
/// strategies of this product where it has them, which read and write at offsets of their own;
/// streams are those of `java.io` itself, as in the articles.
public enum Article {
  A1("A close look at zero copy in Java: a file of 290 MB read", ArticleA::reading),
  A2("the same article: the file copied", ArticleA::copying),
  A3("the same article: the file sent to a local socket", ArticleA::sending),
  B("Three zero copies compared: 8 MB sent, read 2048 bytes at a time", ArticleB::sending),
  C("MappedByteBuffer against FileChannel: 1 GB in calls of all sizes", ArticleC::tables),
  D("Efficient data transfer through zero copy: 21 MB to 1 GB sent", ArticleD::sending),
  E("FileChannel against streams: small writes, and a copy", ArticleE::tables);

  private final String summary;
  private final Function<SizeScale, List<Plan.Group>> groups;

  Article(String summary, Function<SizeScale, List<Plan.Group>> groups) {
    this.summary = summary;
    this.groups = groups;
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(Article::name).toList();
  }

  /// Its title in English, and what it measured.
  public String summary() {
    return summary;
  }

  /// Its tables in its own order, rows in their order.
  public List<Plan.Group> groups(SizeScale scale) {
    return groups.apply(scale);
  }
}
