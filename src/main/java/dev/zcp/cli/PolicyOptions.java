package dev.zcp.cli;

import dev.zcp.cli.Manual.Variable;
import dev.zcp.copy.CopyForm.CopyKind;
import dev.zcp.core.Failure;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Backup;
import dev.zcp.tree.Policy.Deleting;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.Numbered;
import dev.zcp.tree.Policy.OnChange;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

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

  /// Those of cp(1).
  static final List<Variable> VARIABLES =
      List.of(
          new Variable(HOW_VARIABLE, "HOW backups are kept if --backup does not say."),
          new Variable(SUFFIX_VARIABLE, "The suffix of backups if --suffix is not given."));

  private final OptionSpec force;
  private final OptionSpec remove;
  private final OptionSpec skipSame;
  private final OptionSpec backup;
  private final OptionSpec plainBackup;
  private final OptionSpec suffix;
  private final OptionSpec followTargetLinks;
  private final OptionSpec inPlace;
  private final OptionSpec delete;
  private final OptionSpec maxDelete;
  private final ChangeOptions changes;

  PolicyOptions() {
    force =
        option(
            "-f, --force",
            "Replace existing targets. This is the default, but for -l and -s; -n, -u and -i"
                + " override it.");
    remove =
        option(
            "--remove-destination",
            "Replace a target whatever it is: also a device, or another name of the source.");
    ordered(
        "-n, --no-clobber", "Never replace an existing target. Overrides -u and an earlier -i.");
    ordered("-u", "The same as --update=older.");
    ordered(
        "--update[=WHEN]",
        "Replace a target always (all), never (none), or only if it is older than the source"
            + " (older). Without WHEN: older.",
        "older",
        UPDATES);
    skipSame =
        option(
            "--skip-same",
            "Keep a target, unread, if its size and modification time are those of the source."
                + " -p or -a gives a copy the time of its source.");
    ordered(
        "-i, --interactive",
        "Ask before a target is replaced, and read a line of standard input: y or yes replaces it."
            + " Overrides an earlier -n.");
    backup =
        option(
            "--backup[=HOW]",
            "Keep replaced files: as NAME~ (simple, never), as NAME.~1~ with the first free number"
                + " (numbered, t), as the latter if there is a NAME.~1~ (existing, nil), or not"
                + " (none, off). Without HOW: what VERSION_CONTROL says, else existing.",
            "",
            BACKUPS);
    plainBackup = option("-b", "The same as --backup.");
    suffix =
        option(
            "-S, --suffix=SUFFIX",
            "Keep replaced files as NAME plus SUFFIX, instead of NAME~ or what"
                + " SIMPLE_BACKUP_SUFFIX says.");
    followTargetLinks =
        option(
            "--follow-target-links",
            "If a target is a symbolic link, replace the file it points to, not the link.");
    inPlace =
        option(
            "--inplace",
            "Write into an existing file instead of replacing it; its mode, owner and other"
                + " metadata stay. If the copy is interrupted, the file is damaged. For files that"
                + " cannot be replaced, such as a bind mount.");
    delete =
        option(
            "--delete",
            "When everything is copied, delete what a target directory has and the source directory"
                + " that was merged into it has not. Excluded entries stay. If anything failed,"
                + " nothing is deleted. Needs -r or -a.");
    maxDelete =
        option(
            "--max-delete=N",
            "With --delete: if more than N entries would be deleted, delete none and fail.");
    changes = group(new ChangeOptions());
  }

  /// The policy of a copy over a network, which makes no backups.
  ///
  /// @throws Failure USAGE if a word is unknown
  Policy policy() throws Failure {
    return policy(CopyKind.COPY, (Backup) null);
  }

  /// @param kind what the copies are
  /// @throws Failure USAGE if a word is unknown or a suffix leads elsewhere
  Policy policy(CopyKind kind, Shell shell) throws Failure {
    return policy(kind, backup(shell));
  }

  /// What `--delete` asks for, or null if it is not given.
  ///
  /// @throws Failure USAGE if `--max-delete` is given without it, or is no number
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
        isSet(skipSame));
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

  /// The options that say what is done if a source changes, or something of it cannot be kept.
  static final class ChangeOptions extends Options {

    /// In the order of [OnChange].
    private static final List<String> ON_CHANGE = List.of("fail", "retry", "accept");

    private final OptionSpec onChange =
        option(
            "--on-change=HOW",
            "What to do if a source changes while it is read: fail, retry (once, then"
                + " fail), or accept what was read.",
            "retry",
            ON_CHANGE);
    private final OptionSpec strict =
        option(
            "--strict",
            "Fail if a target cannot keep an attribute that should be preserved."
                + " Without --strict this is only reported, once for each kind.");

    boolean strict() {
      return isSet(strict);
    }

    OnChange onChange() throws Failure {
      return OnChange.values()[indexOf(onChange, ON_CHANGE)];
    }
  }
}
