package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.plan.PlanStatus;
import dev.zcp.plan.Shard;
import dev.zcp.ssh.ServeRequest.FilterRule;
import dev.zcp.ssh.ServeRequest.FilterRule.RuleKind;
import dev.zcp.tree.IgnorePatterns;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.NameLists.ListUse;
import dev.zcp.walk.NameLists.NameList;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ParseResult;

/// The options of `zcp copy` and `zcp send` that say what of a tree is taken.
final class FilterOptions extends Options {

  private static final List<String> OF_TREES = List.of("--exclude", "--include", "--exclude-from");

  /// What means nothing for a shard, or would have the shards of a plan differ in what they make.
  static final OptionConflict OF_SHARD =
      OptionConflict.of(
          "-r -L -H -x -T -t -n -u --update -i -b --backup --suffix -l -s --attributes-only"
              + " --copy-contents --parents --remove-destination --inplace --delete --exclude"
              + " --include --exclude-from --files-from --from0 --verify-only --dry-run --listen"
              + " --once",
          "--shard",
          "a shard is copied as its plan has it");

  // Null if no list says what is taken.
  private final Option shardList;
  private final Option filesFrom;
  private final Option from0;

  private final Option oneFileSystem;

  /// Null until it is read.
  private Shard shard;

  FilterOptions() {
    this(true);
  }

  /// @param takesLists whether a list or a plan may say what is taken
  FilterOptions(boolean takesLists) {
    ordered("--exclude=PATTERN");
    ordered("--include=PATTERN");
    ordered("--exclude-from=FILE");
    filesFrom = takesLists ? option("--files-from=FILE") : null;
    from0 = takesLists ? option("--from0") : null;
    shardList = takesLists ? option("--shard=DIR/I") : null;
    oneFileSystem = option("-x, --one-file-system");
  }

  /// The shard to be copied, or null if none was named. Reads its plan.
  ///
  /// @throws Failure USAGE if the plan has no such shard, SOURCE if it cannot be read
  Shard shard() throws Failure {
    if (shard == null && shardList != null && isGiven(shardList)) {
      shard = Shard.at(pathOf(shardList));
      if (shard.isOfDirectories()) {
        requireDone(shard);
      }
    }
    return shard;
  }

  private static void requireDone(Shard directories) throws Failure {
    PlanStatus status = PlanStatus.of(directories.directory());
    if (!status.isDone()) {
      throw Failure.of(
              ExitCode.SOME_FAILED,
              directories.directory(),
              "these shards are not done: " + PlanCommand.ranges(status.rest()))
          .with("copy them first");
    }
  }

  /// What is left out. Reads the files that were named.
  ///
  /// @throws Failure SOURCE if one cannot be read, USAGE if a pattern is none
  private Filter filter() throws Failure {
    if (given.isEmpty()) {
      return Filter.NONE;
    }
    IgnorePatterns patterns = new IgnorePatterns();
    for (Typed each : given) {
      if (each.name().equals("--exclude-from")) {
        RawPath file = RawText.path(each.value());
        patterns.addLines(content(file), file.toString());
      } else {
        patterns.add(RawText.bytes(each.value()), each.name().equals("--exclude"));
      }
    }
    return patterns.filter();
  }

  /// What the [selection][#selection] leaves out, for the other machine to leave out. Reads the
  /// files that were named.
  ///
  /// @throws Failure SOURCE if one cannot be read
  List<FilterRule> rules() throws Failure {
    List<FilterRule> rules = new ArrayList<>();
    for (Typed each : given) {
      rules.add(
          switch (each.name()) {
            case "--exclude" -> new FilterRule(RuleKind.EXCLUDE, RawText.bytes(each.value()));
            case "--include" -> new FilterRule(RuleKind.INCLUDE, RawText.bytes(each.value()));
            default -> new FilterRule(RuleKind.FILE, content(RawText.path(each.value())));
          });
    }
    return rules;
  }

  private static byte[] content(RawPath file) throws Failure {
    if (file.isStandardStream()) {
      throw usage("--exclude-from needs a file, not '-'; a file of that name is ./-");
    }
    try {
      return IgnorePatterns.contentOf(file);
    } catch (IOException e) {
      throw Reasons.source(file, e);
    }
  }

  /// A whole tree.
  Selection selection() throws Failure {
    return new Selection(true, true, Links.KEPT, isSet(oneFileSystem), filter(), null);
  }

  Selection selection(TreeOptions trees) throws Failure {
    if (shard() != null) {
      ListUse use = shard.isOfDirectories() ? ListUse.FINISH : ListUse.SHARD;
      NameList list = new NameList(shard.list(), true, use, shard.checksum());
      return new Selection(false, true, Links.KEPT, false, Filter.NONE, list);
    }
    RawPath file = pathOf(filesFrom);
    return new Selection(
        file != null ? trees.isRecursiveNamed() : trees.recursive(),
        trees.specials(),
        trees.links(),
        isSet(oneFileSystem),
        filter(),
        file == null ? null : new NameList(file, isSet(from0)));
  }

  static void check(ParseResult typed, List<RawPath> sources, Selection selection) throws Failure {
    if (typed.hasMatchedOption("--from0") && selection.names() == null) {
      throw usage("--from0 needs --files-from");
    }
    if (selection.names() != null && sources.size() > 1) {
      throw usage("--files-from needs exactly one SOURCE, but there are " + sources.size());
    }
    if (!selection.recursive() && selection.names() == null) {
      for (String option : OF_TREES) {
        if (typed.hasMatchedOption(option)) {
          throw usage(option + " applies to directories only; add -r or -a");
        }
      }
    }
  }
}
