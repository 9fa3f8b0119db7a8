package dev.zcp.bench;

import dev.zcp.core.Elapsed;
import dev.zcp.engine.Choice;
import dev.zcp.report.Axis;
import dev.zcp.report.Chart;
import dev.zcp.report.HtmlPage;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The pictures of bench/ARTICLES.md, one for each claim: how long a kept run of `zcp bench
/// --article=all` took, and what the article says.
final class ArticleCharts {

  private static final String WIDTH_PX = "760";

  /// Of the style sheet of pages: the colours by day and by night, and the rules for pictures.
  private static final Pattern STYLE =
      Pattern.compile(
          "^:root \\{.*?^\\}"
              + "|^@media \\(prefers-color-scheme: dark\\) \\{.*?^\\}"
              + "|^svg [^\n]*",
          Pattern.MULTILINE | Pattern.DOTALL);

  private static final String FONT =
      "svg { background: var(--page); font: 13px system-ui, \"DejaVu Sans\", sans-serif; }";

  /// A comma that is not within quotes.
  private static final String COMMA = ",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)";

  /// What a claim is about.
  ///
  /// @param claims the beginnings of what [#claim] gives, each up to the end of a word
  private record Picture(String name, String title, List<String> claims) {

    Picture(String name, String title, String... claims) {
      this(name, title, List.of(claims));
    }

    boolean has(Cell cell) {
      return claims.stream().anyMatch(each -> (claim(cell) + ' ').startsWith(each + ' '));
    }
  }

  private static final List<Picture> PICTURES =
      List.of(
          new Picture(
              "no-time",
              "290 MB read, copied and sent with a buffer of 200000 bytes",
              "A1 2.2",
              "A2 1.3",
              "A2 2.2",
              "A3 heap",
              "A3 direct 200000"),
          new Picture("mapping-reads", "290 MB read", "A1 2.2", "A1 3.1", "A1 3.2"),
          new Picture(
              "whole-array",
              "290 MB read and copied with one array, and with one of 200000 bytes",
              "A1 1.1",
              "A1 1.2",
              "A2 1.1",
              "A2 1.2"),
          new Picture(
              "file-to-file",
              "290 MB copied from file to file",
              "A2 2.2",
              "A2 mmap",
              "A2 transferTo",
              "A2 splice"),
          new Picture(
              "file-to-socket",
              "290 MB sent to a socket of this machine",
              "A3 1.1",
              "A3 stream 200000",
              "A3 direct 200000",
              "A3 mmap",
              "A3 transferTo",
              "A3 splice"),
          new Picture("slow-server", "8 MB sent to a server that reads 2048 bytes at a time", "B"),
          new Picture("sizes", "21 MB to 1 GB sent with calls of 4 KB, and by transferTo", "D"),
          new Picture("reading-calls", "1 GB read with calls of five sizes", sweep("read")),
          new Picture("writing-calls", "1 GB written with calls of five sizes", sweep("write")),
          new Picture(
              "forces", "1 GB written and forced to the device", "C mapping,", "C channel,"),
          new Picture("small-writes", "500 MB written with small calls", "E 100 B", "E 1 KB"),
          new Picture("copies", "1 GB copied", "E copy"));

  private ArticleCharts() {}

  /// A picture of a file.
  ///
  /// @param articles whose rows it has, as `zcp bench --article` takes them
  record Drawn(String fileName, List<Article> articles, String svg) {}

  /// @param runs the lines of the file raw.csv of a folder of bench/runs
  static List<Drawn> of(List<String> runs) {
    Map<String, Summary> times = timesNs(runs);
    List<Drawn> pictures = new ArrayList<>();
    for (Picture each : PICTURES) {
      Map<Cell, Article> cells = new LinkedHashMap<>();
      for (Article article : Article.values()) {
        article.groups(1).stream()
            .flatMap(group -> group.cells().stream())
            .filter(each::has)
            .forEach(cell -> cells.put(cell, article));
      }
      List<Article> articles = cells.values().stream().distinct().toList();
      String svg = draw(each.title, List.copyOf(cells.keySet()), times);
      pictures.add(new Drawn(each.name + ".svg", articles, svg));
    }
    return pictures;
  }

  /// `A1 1.2 fileStream`: the article, its row, and what moved the bytes.
  private static String claim(Cell cell) {
    return cell.claim().row() + ' ' + cell.contender();
  }

  /// Of the runs that count, by [#claim].
  private static Map<String, Summary> timesNs(List<String> runs) {
    return runs.stream()
        .skip(1)
        .map(line -> line.split(COMMA))
        .filter(fields -> !fields[6].replace("\"", "").equals("first"))
        .collect(
            Collectors.groupingBy(
                fields -> (fields[1] + ' ' + fields[3]).replace("\"", ""),
                Collectors.collectingAndThen(
                    Collectors.toList(),
                    lines ->
                        Summary.of(
                            lines.stream()
                                .mapToDouble(fields -> Double.parseDouble(fields[7]) * 1e6)
                                .toArray()))));
  }

  private static String draw(String title, List<Cell> cells, Map<String, Summary> times) {
    DoubleSummaryStatistics ns = new DoubleSummaryStatistics();
    for (Cell cell : cells) {
      Summary time = times.get(claim(cell));
      ns.accept(time.min());
      ns.accept(time.max());
      ns.accept(cell.claim().meanMs() > 0 ? cell.claim().meanMs() * 1e6 : time.min());
    }
    HtmlPage page = new HtmlPage(title);
    Axis axis = Axis.forBars(ns.getMin(), ns.getMax());
    Chart chart = new Chart(page, axis, cells.size(), title, "here", "article");
    for (Cell cell : cells) {
      Summary time = times.get(claim(cell));
      chart.row(label(cell), "", text(time.median()), articleText(cell.claim().meanMs()));
      if (axis.isLogarithmic()) {
        chart.span(time.min(), time.max(), 7, "whisker").dot(time.median(), 7, 5, "bar");
      } else {
        chart.bar(time.median(), 1, 12, "bar").span(time.min(), time.max(), 7, "whisker");
      }
      if (cell.claim().meanMs() > 0) {
        chart.bar(cell.claim().meanMs() * 1e6, 15, 5, "ghost");
      }
      chart.end();
    }
    chart.close();
    return svg(page.html());
  }

  private static String label(Cell cell) {
    // The rows of C name it already.
    String calls =
        cell.chunkBytes() == Choice.WHOLE
            ? ", whole"
            : cell.claim().row().startsWith("C ") ? "" : ", " + cell.chunkBytes() + " B a call";
    return cell.claim().row() + ": " + cell.contender() + calls;
  }

  private static String text(double ns) {
    return new Elapsed(Math.round(ns)).toString();
  }

  private static String articleText(double ms) {
    return Double.isNaN(ms) ? "-" : ms == 0 ? "0" : text(ms * 1e6);
  }

  /// The picture of a page, as a file of its own: with a width in pixels, since it has no page, and
  /// with the style of pages.
  private static String svg(String html) {
    String picture = html.substring(html.indexOf("<svg "), html.indexOf("</svg>") + 6);
    String style =
        STYLE.matcher(html).results().map(MatchResult::group).collect(Collectors.joining("\n"));
    return picture
            .replaceFirst("width=\"100%\"", "width=\"" + WIDTH_PX + "\"")
            .replaceFirst("</title>", "</title><style>\n" + style + "\n" + FONT + "\n</style>")
        + "\n";
  }

  private static String[] sweep(String experiment) {
    List<String> claims = new ArrayList<>();
    for (String size : List.of("32 B", "512 B", "4 KiB", "64 KiB", "1 MiB")) {
      for (String contender : List.of("mappedOnce", "direct", "randomAccessFile")) {
        claims.add("C " + experiment + ' ' + size + ' ' + contender);
      }
    }
    return claims.toArray(String[]::new);
  }
}
