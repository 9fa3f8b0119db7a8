package dev.zcp.cli;

import dev.zcp.copy.CopyRequest;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import java.util.List;
import picocli.CommandLine.ParseResult;

/// What of the command line of `zcp copy` does not go together. Told before anything is opened,
/// since a script that asks for two things of which one is impossible should learn it on an empty
/// disk too.
final class CopyRules {

  /// Two options, and why not both.
  private record Pair(String one, String other, String why) {}

  private static final String NOTHING_IS_WRITTEN = "nothing is written";

  private static final List<Pair> PAIRS =
      List.of(
          new Pair("--backup", "-n", "what is there stays"),
          new Pair("-b", "-n", "what is there stays"),
          new Pair("--suffix", "-n", "what is there stays"),
          new Pair("--dry-run", "-i", "nothing is replaced"),
          new Pair("--dry-run", "--manifest", "nothing is read"),
          new Pair("--dry-run", "--verify-only", "choose one of them"),
          new Pair("--verify-only", "-n", NOTHING_IS_WRITTEN),
          new Pair("--verify-only", "-u", NOTHING_IS_WRITTEN),
          new Pair("--verify-only", "-i", NOTHING_IS_WRITTEN),
          new Pair("--verify-only", "--backup", NOTHING_IS_WRITTEN),
          new Pair("--verify-only", "-b", NOTHING_IS_WRITTEN),
          new Pair("--verify-only", "--suffix", NOTHING_IS_WRITTEN),
          new Pair("--verify-only", "--fsync", NOTHING_IS_WRITTEN));

  /// What says something of files that a stream of bytes is not.
  private static final List<String> NOT_OF_STREAMS =
      List.of(
          "-r",
          "-a",
          "-p",
          "-d",
          "-P",
          "--preserve",
          "-u",
          "-i",
          "-b",
          "--backup",
          "--suffix",
          "--on-change",
          "--follow-target-links",
          "--files-from",
          "--manifest",
          "--verify-only",
          "--verify",
          "--fsync",
          "--jobs",
          "--dry-run");

  private CopyRules() {}

  /// @throws Failure USAGE where what was typed contradicts itself
  static void check(ParseResult typed, CopyRequest request) throws Failure {
    for (Pair pair : PAIRS) {
      if (typed.hasMatchedOption(pair.one()) && typed.hasMatchedOption(pair.other())) {
        throw Failure.of(
            ExitCode.USAGE,
            pair.one() + " and " + pair.other() + " do not go together: " + pair.why());
      }
    }
    if (request.target().isStandardStream() || holdsStream(request.sources())) {
      for (String option : NOT_OF_STREAMS) {
        if (typed.hasMatchedOption(option)) {
          throw Failure.of(
              ExitCode.USAGE,
              option + " does not go with '-', which is a stream; a file of that name is ./-");
        }
      }
    }
    if (typed.hasMatchedOption("-i")
        && request.selection().names() != null
        && request.selection().names().file().isStandardStream()) {
      throw Failure.of(ExitCode.USAGE, "-i and --files-from=- would both read standard input");
    }
    TreeRules.check(typed, request.sources(), request.selection());
  }

  private static boolean holdsStream(List<RawPath> sources) {
    for (RawPath source : sources) {
      if (source.isStandardStream()) {
        return true;
      }
    }
    return false;
  }
}
