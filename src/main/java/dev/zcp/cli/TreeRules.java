package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.walk.Selection;
import java.util.List;
import picocli.CommandLine.ParseResult;

/// What of the words about trees does not go together. Told before anything is opened.
final class TreeRules {

  private static final List<String> OF_TREES = List.of("--exclude", "--include", "--exclude-from");

  private TreeRules() {}

  /// What is taken, as the options say.
  static Selection selection(TreeOptions trees, FilterOptions filters) throws Failure {
    boolean lists = filters.names() != null;
    return new Selection(
        lists ? trees.isRecursiveNamed() : trees.recursive(),
        trees.recursive(),
        trees.links(),
        filters.oneFileSystem(),
        filters.filter(),
        filters.names());
  }

  /// @throws Failure USAGE where what was typed contradicts itself
  static void check(ParseResult typed, List<RawPath> sources, Selection selection) throws Failure {
    if (typed.hasMatchedOption("--from0") && selection.names() == null) {
      throw Failure.of(ExitCode.USAGE, "--from0 says how --files-from is read, which is missing");
    }
    if (selection.names() != null && sources.size() > 1) {
      throw Failure.of(
          ExitCode.USAGE,
          "--files-from lists what is taken of one SOURCE, and there are " + sources.size());
    }
    if (!selection.recursive() && selection.names() == null) {
      for (String option : OF_TREES) {
        if (typed.hasMatchedOption(option)) {
          throw Failure.of(
              ExitCode.USAGE, option + " is about what is in directories; add -r or -a");
        }
      }
    }
  }
}
