package dev.zcp.cli;

import dev.zcp.copy.CopyRequest;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;
import java.util.List;
import picocli.CommandLine.ParseResult;

/// The options of `zcp copy` that cannot be combined. Checked before anything is opened, so that a
/// script that asks for something impossible learns it on an empty disk too.
final class CopyRules {

  /// None of `ones` can be combined with any of `others`.
  private record Conflict(List<String> ones, List<String> others, String why) {

    Conflict(String one, String other, String why) {
      this(List.of(one), List.of(other), why);
    }
  }

  private static final List<String> BACKUPS = List.of("--backup", "-b", "--suffix");

  private static final List<Conflict> CONFLICTS =
      List.of(
          new Conflict(BACKUPS, List.of("-n"), "-n replaces nothing"),
          new Conflict(
              List.of("--inplace"),
              Options.with("--remove-destination", BACKUPS),
              "the old file is written into, and not kept"),
          new Conflict("--reflink", "--strategy", "both say how the bytes move"),
          new Conflict("--reflink", "--chunk-size", "the blocks are shared as a whole"),
          new Conflict("--parents", "-T", "--parents needs a directory"),
          new Conflict("--parents", "--files-from", "a list has paths of its own"),
          new Conflict("--parents", "--verify-only", "nothing is written"),
          new Conflict("--skip-same", "-n", "-n keeps every target"),
          new Conflict("--delete", "-n", "what exists is kept"),
          new Conflict("--delete", "-i", "what is deleted is not asked for"),
          new Conflict(List.of("--delete"), BACKUPS, "the backups would be deleted"),
          new Conflict("--delete", "--files-from", "what the list does not name would be deleted"),
          new Conflict("--delete", "--parents", "what is beside the sources would be deleted"),
          new Conflict("--delete", "--attributes-only", "nothing is copied"),
          new Conflict("--dry-run", "-i", "nothing is replaced"),
          new Conflict("--dry-run", "--manifest", "nothing is read"),
          new Conflict("--dry-run", "--verify-only", "use one of them"),
          new Conflict(
              List.of("--verify-only"),
              List.of(
                  "-n",
                  "-u",
                  "--update",
                  "--skip-same",
                  "-i",
                  "-b",
                  "--backup",
                  "--suffix",
                  "--delete",
                  "--fsync"),
              "nothing is written"),
          new Conflict(
              List.of("-l", "-s", "--attributes-only"),
              List.of("--verify", "--verify-only", "--manifest", "--inplace", "--sparse"),
              "no bytes are copied"));

  /// What means nothing for a stream of bytes.
  private static final List<String> NOT_OF_STREAMS =
      List.of(
          "-r",
          "-a",
          "-p",
          "-d",
          "-P",
          "-l",
          "-s",
          "--attributes-only",
          "--parents",
          "--remove-destination",
          "--reflink",
          "--preserve",
          "-u",
          "--update",
          "--skip-same",
          "-i",
          "-b",
          "--backup",
          "--suffix",
          "--delete",
          "--on-change",
          "--follow-target-links",
          "--files-from",
          "--manifest",
          "--verify-only",
          "--verify",
          "--fsync",
          "--jobs",
          "--dry-run");

  /// What the end on the other machine cannot do.
  private static final List<String> NOT_REMOTE =
      List.of(
          "-l",
          "-s",
          "--attributes-only",
          "--copy-contents",
          "--parents",
          "--reflink",
          "-i",
          "-b",
          "--backup",
          "--suffix",
          "--remove-destination",
          "--follow-target-links",
          "--inplace",
          "--manifest",
          "--verify-only",
          "--jobs",
          "--dry-run");

  /// What needs an end of the session on this machine.
  private static final List<String> NOT_BETWEEN =
      List.of(
          "--histogram", "--metrics", "--worst", "--report", "--report-file", "--strategy-path");

  private CopyRules() {}

  /// @param isFetch whether the sources are on another machine
  /// @param isBetween whether the target is, too
  /// @throws Failure USAGE if an option was typed that such a copy does not have
  static void checkRemote(
      ParseResult typed, boolean isFetch, boolean isBetween, Selection selection) throws Failure {
    for (String option : NOT_REMOTE) {
      if (typed.hasMatchedOption(option)) {
        throw Options.usage(option + " is not for a remote copy");
      }
    }
    if (isFetch && typed.hasMatchedOption("--files-from")) {
      throw Options.usage("--files-from is not for a copy from another machine");
    }
    for (String option : NOT_BETWEEN) {
      if (isBetween && typed.hasMatchedOption(option)) {
        throw Options.usage(option + " is not for a copy from one other machine to another");
      }
    }
    for (Conflict each : CONFLICTS) {
      check(typed, each);
    }
    if (typed.hasMatchedOption("--delete")) {
      if (typed.hasMatchedOption("-x")) {
        throw conflict(
            "-x", "--delete", "the other machine does not know where other file systems begin");
      }
      checkDeletion(selection);
    }
    if (typed.hasMatchedOption("--relay") && typed.hasMatchedOption("--json")) {
      throw conflict("--relay", "--json", "the bytes take the place of events");
    }
  }

  /// @throws Failure USAGE if what was typed contradicts itself
  static void check(ParseResult typed, CopyRequest request) throws Failure {
    for (Conflict each : CONFLICTS) {
      check(typed, each);
    }
    if (isOfStream(request.sources(), request.target())) {
      for (String option : NOT_OF_STREAMS) {
        if (typed.hasMatchedOption(option)) {
          throw Options.usage(
              option + " cannot be used with '-', which is a stream; a file of that name is ./-");
        }
      }
    }
    if (request.deleting() != null) {
      checkDeletion(request.selection());
    }
    if (request.form().zerosToHoles()) {
      checkHoles(typed, request);
    }
    if (typed.hasMatchedOption("-i")
        && request.selection().names() != null
        && request.selection().names().file().isStandardStream()) {
      throw Options.usage("-i and --files-from=- would both read standard input");
    }
    FilterOptions.check(typed, request.sources(), request.selection());
  }

  private static void check(ParseResult typed, Conflict conflict) throws Failure {
    for (String one : conflict.ones()) {
      for (String other : conflict.others()) {
        if (typed.hasMatchedOption(one) && typed.hasMatchedOption(other)) {
          throw conflict(one, other, conflict.why());
        }
      }
    }
  }

  private static Failure conflict(String one, String other, String why) {
    return Options.usage(one + " and " + other + " cannot be combined: " + why);
  }

  private static void checkDeletion(Selection selection) throws Failure {
    if (!selection.recursive()) {
      throw Options.usage("--delete needs -r or -a");
    }
    if (selection.links() == Links.FOLLOWED) {
      throw Options.usage(
          "--delete cannot follow links, which could lead into the target: -l needs -P, and -L is"
              + " refused");
    }
  }

  /// The engine moves whole ranges, and does not look for zeros in them.
  private static void checkHoles(ParseResult typed, CopyRequest request) throws Failure {
    boolean names = typed.hasMatchedOption("--strategy") && !request.choice().isAuto();
    if (names || typed.hasMatchedOption("--chunk-size")) {
      throw conflict(
          names ? "--strategy" : "--chunk-size",
          "--sparse=always",
          "zeros are found in a buffer, a block at a time");
    }
  }

  /// Whether standard input or output takes part.
  static boolean isOfStream(List<RawPath> sources, RawPath target) {
    boolean isOfStream = target.isStandardStream();
    for (RawPath source : sources) {
      isOfStream |= source.isStandardStream();
    }
    return isOfStream;
  }
}
