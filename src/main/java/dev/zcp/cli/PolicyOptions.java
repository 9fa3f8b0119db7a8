package dev.zcp.cli;

import dev.zcp.copy.CopyForm.CopyKind;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.core.Words;
import dev.zcp.place.FormerCopies;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Backup;
import dev.zcp.tree.Policy.Deleting;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.Numbered;
import dev.zcp.tree.Policy.OnChange;
import java.util.List;

/// The options of `zcp copy` that say what is done if a target exists, a source changes, or
/// something cannot be kept.
final class PolicyOptions extends Options {

  private static final String EXISTING = "existing";

  /// The words of cp(1), each with its synonym after it.
  private static final List<String> BACKUPS =
      List.of("none", "off", "simple", "never", EXISTING, "nil", "numbered", "t");

  private static final List<String> UPDATES = List.of("all", "none", "older");
  private static final String SUFFIX = "~";
  private static final String HOW_VARIABLE = "VERSION_CONTROL";
  private static final String SUFFIX_VARIABLE = "SIMPLE_BACKUP_SUFFIX";

  private final Option force;
  private final Option remove;
  private final Option skipSame;
  private final FormerOptions former;
  private final Option backup;
  private final Option plainBackup;
  private final Option suffix;
  private final Option followTargetLinks;
  private final Option inPlace;
  private final Option noResume;
  private final DeleteOptions deletes;
  private final ChangeOptions changes;

  PolicyOptions() {
    force = option("-f, --force");
    remove = option("--remove-destination");
    ordered("-n, --no-clobber");
    ordered("-u");
    ordered("--update[=WHEN]", "older", UPDATES);
    skipSame = option("--skip-same");
    former = group(new FormerOptions());
    ordered("-i, --interactive");
    backup = option("--backup[=HOW]", "", BACKUPS);
    plainBackup = option("-b");
    suffix = option("-S, --suffix=SUFFIX");
    followTargetLinks = option("--follow-target-links");
    inPlace = option("--inplace");
    noResume = option("--no-resume");
    deletes = group(new DeleteOptions());
    changes = group(new ChangeOptions());
  }

  /// The policy of a copy over a network, which makes no backups.
  Policy policy() throws Failure {
    return policy(CopyKind.COPY, (Backup) null);
  }

  /// @param kind what the copies are
  /// @throws Failure USAGE if a word is unknown or a suffix leads elsewhere
  Policy policy(CopyKind kind, Shell shell) throws Failure {
    return policy(kind, backup(shell));
  }

  /// As [DeleteOptions#deleting].
  Deleting deleting() throws Failure {
    return deletes.deleting();
  }

  private Policy policy(CopyKind kind, Backup backup) throws Failure {
    boolean replaces = !kind.isLink() || isSet(force) || isSet(remove) || backup != null;
    return new Policy(
            existing(replaces),
            backup,
            // As with cp(1), --attributes-only follows a target that is a link.
            isSet(followTargetLinks) || kind == CopyKind.ATTRIBUTES && !isSet(remove),
            changes.onChange(),
            changes.strict(),
            isSet(inPlace),
            // -l and -s replace a device or a FIFO, and write nothing into it.
            isSet(remove) || kind.isLink(),
            backup != null && isSet(force),
            isSet(skipSame),
            !isSet(noResume),
            List.of())
        .withFormerCopies(former.copies());
  }

  /// @param replaces whether a target is replaced if no option says otherwise
  private Existing existing(boolean replaces) throws Failure {
    boolean older = false;
    boolean keeps = false;
    boolean asks = false;
    for (Typed each : given) {
      String update =
          switch (each.name()) {
            case "-u" -> "older";
            case "--update" -> oneOf(UPDATES, RawText.printable(each.value()), each.name());
            default -> "";
          };
      older = update.isEmpty() ? older : update.equals("older");
      boolean isToKeep = update.equals("none") || each.name().equals("--no-clobber");
      boolean isToAsk = each.name().equals("--interactive");
      keeps = isToKeep || keeps && !isToAsk;
      asks = isToAsk || asks && !isToKeep;
    }
    if (keeps) {
      return Existing.KEEP;
    }
    if (asks) {
      return older ? Existing.ASK_IF_OLDER : Existing.ASK;
    }
    return older ? Existing.OLDER : replaces ? Existing.REPLACE : Existing.REFUSE;
  }

  private Backup backup(Shell shell) throws Failure {
    if (valueOf(backup) == null && valueOf(suffix) == null && !isSet(plainBackup)) {
      return null;
    }
    Numbered numbered =
        switch (how(shell)) {
          case "none", "off" -> null;
          case "simple", "never" -> Numbered.NEVER;
          case EXISTING, "nil" -> Numbered.IF_BEGUN;
          default -> Numbered.ALWAYS;
        };
    return numbered == null ? null : new Backup(numbered, suffix(shell));
  }

  private String how(Shell shell) throws Failure {
    if (isKnown(backup) && !valueOf(backup).isEmpty()) {
      return oneOf(BACKUPS, printable(backup), backup.longestName());
    }
    String set = shell.nonEmptyVariable(HOW_VARIABLE);
    return set == null ? EXISTING : oneOf(BACKUPS, RawText.printable(set), HOW_VARIABLE);
  }

  private String suffix(Shell shell) throws Failure {
    String set = isKnown(suffix) ? valueOf(suffix) : shell.nonEmptyVariable(SUFFIX_VARIABLE);
    if (set == null) {
      return SUFFIX;
    }
    if (set.isEmpty() || set.indexOf('/') >= 0) {
      throw usage(
          (isKnown(suffix) ? suffix.longestName() : SUFFIX_VARIABLE)
              + ": '"
              + RawText.printable(set)
              + "' must not be empty and must not contain a '/'");
    }
    return set;
  }

  /// The options that say what is deleted in a target.
  static final class DeleteOptions extends Options {

    private final Option delete = option("--delete");
    private final Option maxDelete = option("--max-delete=N");

    /// What `--delete` asks for, or null if it is not given.
    Deleting deleting() throws Failure {
      if (!isSet(delete)) {
        if (isGiven(maxDelete)) {
          throw usage("--max-delete needs --delete");
        }
        return null;
      }
      return new Deleting(
          isGiven(maxDelete) ? number(maxDelete, 0, Long.MAX_VALUE - 1, "") : Deleting.UNLIMITED);
    }
  }

  /// The option that names former copies.
  static final class FormerOptions extends Options {

    private final Option linkDest = several("--link-dest=DIR", null);

    List<RawPath> copies() throws Failure {
      List<RawPath> trees = rawPaths(valuesOf(linkDest));
      if (trees.size() > FormerCopies.TREES_MAX) {
        throw usage(linkDest, "at most " + FormerCopies.TREES_MAX + " trees");
      }
      return trees;
    }
  }

  /// The options that say what is done if a source changes, or something of it cannot be kept.
  static final class ChangeOptions extends Options {

    private final Option onChange = option("--on-change=HOW", "retry", Words.of(OnChange.values()));
    private final Option strict = option("--strict");

    boolean strict() {
      return isSet(strict);
    }

    OnChange onChange() throws Failure {
      return constant(onChange, OnChange.values());
    }
  }
}
