package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection.Links;
import java.util.List;

/// The options of `zcp copy` and `zcp send` that say whether directories are taken, and what a copy
/// has of its source besides the bytes. Of those that contradict each other the last one counts, as
/// with cp(1).
final class TreeOptions extends Options {

  private static final String ALL = "all";

  /// In the order of the components of [Preserve].
  private static final List<String> KEPT =
      List.of("mode", "owner", "times", "xattr", "acl", "links", "sparse");

  private static final List<String> KEPT_OR_ALL = with(ALL, KEPT);
  private static final String NEVER = "never";
  private static final String ALWAYS = "always";
  private static final List<String> SPARSE = List.of("auto", NEVER);
  private static final List<String> SPARSE_ON_ONE_MACHINE = with(ALWAYS, SPARSE);

  private static final int MODE = 1;
  private static final int OWNER = 1 << 1;
  private static final int TIMES = 1 << 2;
  private static final int XATTR = 1 << 3;
  private static final int ACL = 1 << 4;
  private static final int LINKS = 1 << 5;
  private static final int HOLES = 1 << 6;

  /// What `-p` adds. It includes ACLs: the group permissions of a file with an ACL are only a mask,
  /// so a copy without the ACL would give its group more than the source does.
  private static final int BASIC = MODE | ACL | OWNER | TIMES;

  private static final int EVERYTHING = (1 << 7) - 1;

  private static final int USUAL = HOLES;

  private final Option recursive;

  /// Null for `zcp send`.
  private final FormOptions forms;

  /// Those of `zcp send`.
  TreeOptions() {
    this(null);
  }

  /// @param forms the options that only `zcp copy` has, or null
  TreeOptions(FormOptions forms) {
    this.forms = forms;
    recursive = option("-r, -R, --recursive");
    ordered("-a, --archive");
    ordered("-p");
    ordered("--preserve[=LIST]", "mode,acl,owner,times", KEPT_OR_ALL);
    ordered("--no-preserve=LIST", null, KEPT_OR_ALL);
    ordered("--sparse=WHEN", null, forms == null ? SPARSE : SPARSE_ON_ONE_MACHINE);
    ordered("-P, --no-dereference");
    ordered("-L, --dereference");
    ordered("-H");
    ordered("-d");
    if (forms != null) {
      group(forms);
    }
  }

  /// Makes `-a` the first of what was typed.
  void implyArchive() {
    given.addFirst(new Typed("--archive", null));
  }

  boolean recursive() {
    boolean all = false;
    for (Typed each : given) {
      all |= each.name().equals("--archive");
    }
    return all || isSet(recursive);
  }

  boolean specials() {
    return recursive() && (forms == null || !forms.copiesContents());
  }

  /// Whether `-r` was typed. With a list of files, `-a` alone is not recursive, as with rsync(1):
  /// find(1) lists each directory and all that is in it, so that a file would be copied again for
  /// each directory above it.
  boolean isRecursiveNamed() {
    return isSet(recursive);
  }

  Links links() {
    boolean trees = recursive();
    // As with cp(1), -l follows a symbolic link and links what it leads to, also in trees.
    boolean keeps = trees && (forms == null || !forms.linksHard());
    Links links = keeps ? Links.KEPT : Links.FOLLOWED;
    for (Typed each : given) {
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

  Preserve preserve() throws Failure {
    int kept = USUAL;
    boolean newMode = false;
    for (Typed each : given) {
      kept =
          switch (each.name()) {
            case "--archive" -> EVERYTHING;
            case "-p" -> kept | BASIC;
            case "-d" -> kept | LINKS;
            case "--preserve" -> kept | withLists(named(each));
            case "--no-preserve" -> kept & ~named(each);
            case "--sparse" -> sparse(each).equals(NEVER) ? kept & ~HOLES : kept | HOLES;
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

  /// As with cp(1), the mode brings the ACLs, for the reason at [#BASIC].
  private static int withLists(int kept) {
    return (kept & MODE) == 0 ? kept : kept | ACL;
  }

  private static int named(Typed list) throws Failure {
    int named = 0;
    for (String word : words(list.name(), list.value())) {
      String known = oneOf(KEPT_OR_ALL, ownWord(word), list.name());
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

  private String sparse(Typed sparse) throws Failure {
    List<String> words = forms == null ? SPARSE : SPARSE_ON_ONE_MACHINE;
    return oneOf(words, RawText.printable(sparse.value()), sparse.name());
  }

  /// The last word of `--sparse`.
  String sparse() throws Failure {
    String last = SPARSE.getFirst();
    for (Typed each : given) {
      last = each.name().equals("--sparse") ? sparse(each) : last;
    }
    return last;
  }

  /// Whether blocks of zeros become holes.
  boolean zerosToHoles() throws Failure {
    return sparse().equals(ALWAYS);
  }
}
