package dev.zcp.cli;

import dev.zcp.cli.OptionConflict.Use;
import dev.zcp.copy.CopyRequest;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ParseResult;

/// What `zcp copy` cannot do. Checked before anything is opened, so that a script that asks for
/// something impossible learns it on an empty disk too.
final class CopyRules {

  private static final String BACKUPS = "--backup -b --suffix";
  private static final String ONE_KIND = "a file becomes one thing";

  /// Those of options that `zcp sync` has, too.
  static final List<OptionConflict> OF_EVERY_COPY =
      List.of(
          OptionConflict.of("--relay", "--json --dry-run", "standard output carries the bytes"),
          OptionConflict.of(Use.HERE, "--stall-timeout --compress -z --delta --whole-file"),
          SavingOptions.CONFLICT,
          SavingOptions.DELTA_CONFLICT,
          OptionConflict.of(
              Use.REMOTE,
              "-x",
              "--delete",
              "the other machine does not know where other file systems begin"),
          OptionConflict.of(
              Use.BETWEEN, "--histogram --metrics --worst --report --report-file --strategy-path"));

  private static final List<OptionConflict> OF_COPY =
      List.of(
          OptionConflict.of(BACKUPS, "-n", "-n replaces nothing"),
          OptionConflict.of(
              "--inplace",
              "--remove-destination " + BACKUPS,
              "the old file is written into, and not kept"),
          OptionConflict.of(Use.SHARED, "--strategy --chunk-size --limit-rate"),
          OptionConflict.of(Use.UNSHARED, "--strategy"),
          OptionConflict.of("-t", "-T", "-t names a directory, and -T the copy itself"),
          OptionConflict.of("--parents", "-T", "--parents needs a directory"),
          OptionConflict.of("--parents", "--files-from", "a list has paths of its own"),
          OptionConflict.of("--parents", "--verify-only", "nothing is written"),
          OptionConflict.of("--skip-same", "-n", "-n keeps every target"),
          OptionConflict.of(
              "--link-dest",
              "-l -s --attributes-only --inplace --follow-target-links --verify-only",
              "the files of DIR must stay as they are"),
          OptionConflict.of("--delete", "-n", "what exists is kept"),
          OptionConflict.of("--delete", "-i", "what is deleted is not asked for"),
          OptionConflict.of("--delete", BACKUPS, "the backups would be deleted"),
          OptionConflict.of(
              "--delete", "--files-from", "what the list does not name would be deleted"),
          OptionConflict.of("--delete", "--parents", "what is beside the sources would be deleted"),
          OptionConflict.of("--delete", "--attributes-only", "nothing is copied"),
          OptionConflict.of("--dry-run", "-i", "nothing is replaced"),
          OptionConflict.of("--dry-run", "--manifest", "nothing is read"),
          OptionConflict.of("--dry-run", "--verify-only", "use one of them"),
          OptionConflict.of(
              "--verify-only",
              "-n -u --update --skip-same -i -b --backup --suffix --delete --fsync",
              "nothing is written"),
          OptionConflict.of("-l", "-s --attributes-only", ONE_KIND),
          OptionConflict.of("-s", "--attributes-only", ONE_KIND),
          OptionConflict.of(
              "-l -s --attributes-only",
              "--verify --verify-only --manifest --inplace --sparse --limit-rate",
              "no bytes are copied"),
          FilterOptions.OF_SHARD,
          OptionConflict.of(
              Use.STREAM,
              "-r -a -p -d -P -l -s --attributes-only --parents --remove-destination --reflink"
                  + " --preserve -u --update --skip-same --link-dest -i -b --backup --suffix"
                  + " --delete --on-change --follow-target-links --files-from --manifest"
                  + " --verify-only --verify --fsync --no-resume --jobs --dry-run"),
          OptionConflict.of(
              Use.REMOTE,
              "-l -s --attributes-only --copy-contents --parents --reflink -i -b --backup --suffix"
                  + " --remove-destination --follow-target-links --inplace --manifest --verify-only"
                  + " --no-resume --jobs"),
          OptionConflict.of(Use.FETCH, "--files-from"));

  private CopyRules() {}

  static List<OptionConflict> ofCopy() {
    List<OptionConflict> all = new ArrayList<>(OF_COPY);
    all.addAll(OF_EVERY_COPY);
    return all;
  }

  static void check(ParseResult typed, CopyRequest request) throws Failure {
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

  static void checkDeletion(Selection selection) throws Failure {
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
      throw Options.usage(
          (names ? "--strategy" : "--chunk-size")
              + " and --sparse=always cannot be combined: zeros are found in a buffer, a block at"
              + " a time");
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
