package dev.zcp.cli;

import dev.zcp.bench.plan.Article;
import dev.zcp.bench.plan.SizeScale;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp bench` for the tables of articles.
final class ArticleOptions {

  private static final String ALL = BenchPlanOptions.ALL;

  private final OptionSpec article =
      Options.values(
              "LIST",
              "Run the tables of these articles, with their sizes, and set their figures beside"
                  + " ours: A1 (read), A2 (copy), A3, B and D (send), C (read, write, force), E"
                  + " (write, copy), or all.",
              "--article")
          .completionCandidates(Lists.with(ALL, Article.words()))
          .build();
  private final OptionSpec sizeScale =
      Options.value(
              "N",
              "Multiply the articles' file sizes by N: 0.1 takes about a tenth of the time. Calls"
                  + " keep their size.",
              "--size-scale")
          .build();

  void addTo(CommandSpec spec) {
    spec.addOption(article);
    spec.addOption(sizeScale);
  }

  /// @throws Failure USAGE where one is not known, or there is none to scale
  List<Article> articles() throws Failure {
    List<String> typed = Lists.words(article);
    if (typed.isEmpty() && Options.isGiven(sizeScale)) {
      throw Failure.of(
          ExitCode.USAGE, "--size-scale is for --article; --size gives experiments their size");
    }
    List<Article> articles = new ArrayList<>();
    for (String word : Lists.someOf(Article.words(), ALL, typed, article.longestName())) {
      articles.add(Article.valueOf(word));
    }
    return articles;
  }

  /// @throws Failure USAGE where it is no number, or out of bounds
  SizeScale scale() throws Failure {
    String typed = Options.valueOf(sizeScale);
    if (typed == null) {
      return SizeScale.FULL;
    }
    double factor = decimal(typed);
    if (!SizeScale.isPossible(factor)) {
      throw Failure.of(
          ExitCode.USAGE,
          sizeScale.longestName(),
          "'"
              + RawText.printable(typed)
              + "' is no factor: give one such as 0.1 or 2, at most "
              + (int) SizeScale.FACTOR_MAX);
    }
    return new SizeScale(factor);
  }

  /// Digits and at most one point, or NaN: Java would also take `1e3`, `0x1p3` and `1d`.
  private static double decimal(String typed) {
    int digits = 0;
    int points = 0;
    for (int i = 0; i < typed.length(); i++) {
      char c = typed.charAt(i);
      digits += c >= '0' && c <= '9' ? 1 : 0;
      points += c == '.' ? 1 : 0;
    }
    boolean isDecimal = digits > 0 && points <= 1 && digits + points == typed.length();
    return isDecimal ? Double.parseDouble(typed) : Double.NaN;
  }
}
