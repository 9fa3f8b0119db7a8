package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection.Links;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp copy` and `zcp send` that say whether directories are taken, and what a copy
/// has of its source besides the bytes. Of those that contradict each other the last one counts, as
/// with cp(1).
final class TreeOptions {

  private static final String ALL = "all";

  /// In the order of the components of [Preserve].
  private static final List<String> KEPT =
      List.of("mode", "owner", "times", "xattr", "acl", "links", "sparse");

  private static final List<String> KEPT_OR_ALL = Lists.with(ALL, KEPT);
  private static final List<String> SPARSE = List.of("auto", "never");

  private static final int MODE = 1;
  private static final int OWNER = 1 << 1;
  private static final int TIMES = 1 << 2;
  private static final int XATTR = 1 << 3;
  private static final int ACL = 1 << 4;
  private static final int LINKS = 1 << 5;
  private static final int HOLES = 1 << 6;

  /// What `-p` adds. The lists are in it since the group's permissions of a file that has one are
  /// no more than a mask: a copy without the list would open the file to its group.
  private static final int BASIC = MODE | ACL | OWNER | TIMES;

  private static final int EVERYTHING = (1 << 7) - 1;

  /// What is kept by default: [Preserve#USUAL].
  private static final int USUAL = HOLES;

  private final OrderedOptions sequence = new OrderedOptions();
  private final OptionSpec recursive =
      Options.flag(
          "Include directories with everything in them. Symbolic links stay links;"
              + " FIFOs and devices are created anew.",
          "-r",
          "-R",
          "--recursive");
  private final OptionSpec archive =
      sequence.flag(
          "Include directories and preserve everything: the same as -r -P --preserve=all.",
          "-a",
          "--archive");
  private final OptionSpec basic =
      sequence.flag("The same as --preserve=mode,acl,owner,times.", "-p");
  private final OptionSpec preserve =
      sequence
          .value(
              "LIST",
              "Preserve the attributes in LIST: mode, owner, times, xattr, acl, links"
                  + " (hard links), sparse (holes), or all. Without LIST: mode,acl,owner,times."
                  + " mode includes acl. If you add --no-preserve=acl, the group gets all"
                  + " permissions that the mask of an ACL allows.",
              "--preserve")
          .arity("0..1")
          .fallbackValue("mode,acl,owner,times")
          .completionCandidates(KEPT_OR_ALL)
          .build();
  private final OptionSpec noPreserve =
      sequence
          .value(
              "LIST",
              "Do not preserve the attributes in LIST; see --preserve. Without mode, a new file"
                  + " gets 0666 less the umask.",
              "--no-preserve")
          .completionCandidates(KEPT_OR_ALL)
          .build();
  private final OptionSpec sparse =
      sequence
          .value(
              "WHEN",
              "Keep the holes of sparse files (auto), or fill them with zeros (never)."
                  + " Holes are kept by default.",
              "--sparse")
          .completionCandidates(SPARSE)
          .build();
  private final OptionSpec keepLinks =
      sequence.flag("Keep symbolic links as links. The default with -r.", "-P", "--no-dereference");
  private final OptionSpec followLinks =
      sequence.flag("Follow symbolic links. The default without -r.", "-L", "--dereference");
  private final OptionSpec followNamed =
      sequence.flag(
          "Follow symbolic links that are operands, but not those inside directories.", "-H");
  private final OptionSpec linksOnly = sequence.flag("The same as -P --preserve=links.", "-d");

  void addTo(CommandSpec spec) {
    for (OptionSpec option :
        List.of(
            recursive,
            archive,
            basic,
            preserve,
            noPreserve,
            sparse,
            keepLinks,
            followLinks,
            followNamed,
            linksOnly)) {
      spec.addOption(option);
    }
  }

  boolean recursive() {
    boolean all = false;
    for (OrderedOptions.Given each : sequence.given()) {
      all |= each.name().equals("--archive");
    }
    return all || Options.isSet(recursive);
  }

  /// Whether `-r` was typed. A list of files is mostly that of find(1), with each directory and all
  /// that is in it: `-a` alone would copy it again for each directory above it, so it takes what is
  /// listed and no more, as with rsync(1).
  boolean isRecursiveNamed() {
    return Options.isSet(recursive);
  }

  Links links() {
    boolean trees = recursive();
    Links links = trees ? Links.KEPT : Links.FOLLOWED;
    for (OrderedOptions.Given each : sequence.given()) {
      links =
          switch (each.name()) {
            case "--archive", "--no-dereference", "-d" -> Links.KEPT;
            case "--dereference" -> Links.FOLLOWED;
            // Without directories there are no links but those that were named.
            case "-H" -> trees ? Links.FOLLOWED_IF_NAMED : Links.FOLLOWED;
            default -> links;
          };
    }
    return links;
  }

  /// @throws Failure USAGE if something to preserve is unknown
  Preserve preserve() throws Failure {
    int kept = USUAL;
    boolean newMode = false;
    for (OrderedOptions.Given each : sequence.given()) {
      kept =
          switch (each.name()) {
            case "--archive" -> EVERYTHING;
            case "-p" -> kept | BASIC;
            case "-d" -> kept | LINKS;
            case "--preserve" -> kept | withLists(named(each));
            case "--no-preserve" -> kept & ~named(each);
            case "--sparse" -> isNever(each) ? kept & ~HOLES : kept | HOLES;
            default -> kept;
          };
      boolean takesModeBack = each.name().equals("--no-preserve") && (named(each) & MODE) != 0;
      newMode = (newMode || takesModeBack) && (kept & MODE) == 0;
    }
    return kept == USUAL && !newMode
        ? Preserve.USUAL
        : new Preserve(
            (kept & MODE) != 0,
            (kept & OWNER) != 0,
            (kept & TIMES) != 0,
            (kept & XATTR) != 0,
            (kept & ACL) != 0,
            (kept & LINKS) != 0,
            (kept & HOLES) != 0,
            newMode);
  }

  /// As with cp(1), the mode brings the lists, for the reason at [#BASIC].
  private static int withLists(int kept) {
    return (kept & MODE) == 0 ? kept : kept | ACL;
  }

  private static int named(OrderedOptions.Given list) throws Failure {
    int named = 0;
    for (String word : Lists.words(list.name(), list.value())) {
      String known = Lists.oneOf(KEPT_OR_ALL, ownWord(word), list.name());
      named |= known.equals(ALL) ? EVERYTHING : 1 << KEPT.indexOf(known);
    }
    return named;
  }

  /// The word here for one of cp's.
  private static String ownWord(String word) {
    return switch (word) {
      case "ownership" -> "owner";
      case "timestamps" -> "times";
      default -> word;
    };
  }

  private static boolean isNever(OrderedOptions.Given sparse) throws Failure {
    return Lists.oneOf(SPARSE, RawText.printable(sparse.value()), sparse.name()).equals("never");
  }
}
