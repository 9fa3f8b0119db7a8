package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.tree.IgnorePatterns;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.NameLists.NameList;
import dev.zcp.walk.Selection;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// The options of `zcp copy` and `zcp send` that say what of a tree is taken.
final class FilterOptions {

  private static final List<String> OF_TREES = List.of("--exclude", "--include", "--exclude-from");

  private final OrderedOptions sequence = new OrderedOptions();
  private final OptionSpec exclude =
      sequence
          .value(
              "PATTERN",
              "Leave out entries of directories that match PATTERN. It has the syntax of"
                  + " .gitignore, relative to SOURCE. If several patterns of --exclude,"
                  + " --include and --exclude-from match, the last one counts.",
              "--exclude")
          .build();
  private final OptionSpec include =
      sequence
          .value(
              "PATTERN",
              "Include entries that match PATTERN, even if an earlier pattern excludes"
                  + " them. Nothing in an excluded directory can be included.",
              "--include")
          .build();
  private final OptionSpec excludeFrom =
      sequence
          .value("FILE", "Exclude the patterns in FILE, a file like .gitignore.", "--exclude-from")
          .build();
  private final OptionSpec filesFrom =
      Options.value(
              "FILE",
              "Include only the files that FILE lists: each line is a path below SOURCE."
                  + " '-' is standard input.",
              "--files-from")
          .build();
  private final OptionSpec from0 =
      Options.flag(
          "Names in --files-from end with a NUL byte, as find -print0 writes them.", "--from0");
  private final OptionSpec oneFileSystem =
      Options.flag(
          "Skip the content of directories on which another file system is mounted.",
          "-x",
          "--one-file-system");

  void addTo(CommandSpec spec) {
    for (OptionSpec option :
        List.of(exclude, include, excludeFrom, filesFrom, from0, oneFileSystem)) {
      spec.addOption(option);
    }
  }

  boolean oneFileSystem() {
    return Options.isSet(oneFileSystem);
  }

  /// What is left out. Reads the files that were named.
  ///
  /// @throws Failure SOURCE if one cannot be read, USAGE if a pattern is none
  Filter filter() throws Failure {
    if (sequence.given().isEmpty()) {
      return Filter.NONE;
    }
    IgnorePatterns patterns = new IgnorePatterns();
    for (OrderedOptions.Given each : sequence.given()) {
      if (each.name().equals("--exclude-from")) {
        addAll(patterns, RawText.path(each.value()));
      } else {
        patterns.add(RawText.bytes(each.value()), each.name().equals("--exclude"));
      }
    }
    return patterns.filter();
  }

  private static void addAll(IgnorePatterns patterns, RawPath file) throws Failure {
    if (file.isStandardStream()) {
      throw Failure.of(
          ExitCode.USAGE, "--exclude-from needs a file, not '-'; a file of that name is ./-");
    }
    try {
      patterns.addAll(file);
    } catch (IOException e) {
      throw Reasons.source(file, e);
    }
  }

  /// The list, or null if all is taken.
  NameList names() throws Failure {
    String file = Options.valueOf(filesFrom);
    return file == null ? null : new NameList(RawText.path(file), Options.isSet(from0));
  }

  /// What is taken, as the options say.
  Selection selection(TreeOptions trees) throws Failure {
    boolean lists = names() != null;
    return new Selection(
        lists ? trees.isRecursiveNamed() : trees.recursive(),
        trees.recursive(),
        trees.links(),
        oneFileSystem(),
        filter(),
        names());
  }

  /// @throws Failure USAGE if what was typed contradicts itself
  static void check(ParseResult typed, List<RawPath> sources, Selection selection) throws Failure {
    if (typed.hasMatchedOption("--from0") && selection.names() == null) {
      throw Failure.of(ExitCode.USAGE, "--from0 needs --files-from");
    }
    if (selection.names() != null && sources.size() > 1) {
      throw Failure.of(
          ExitCode.USAGE, "--files-from needs exactly one SOURCE, but there are " + sources.size());
    }
    if (!selection.recursive() && selection.names() == null) {
      for (String option : OF_TREES) {
        if (typed.hasMatchedOption(option)) {
          throw Failure.of(ExitCode.USAGE, option + " applies to directories only; add -r or -a");
        }
      }
    }
  }
}
