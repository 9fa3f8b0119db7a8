package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Backup;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.OnChange;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp copy` that say what is done if a target exists, a source changes, or
/// something cannot be kept.
final class PolicyOptions extends Options {

  private static final String NUMBERED = "numbered";
  private static final List<String> BACKUPS = List.of("simple", NUMBERED);
  private static final String SUFFIX = "~";

  private final OptionSpec update;
  private final OptionSpec backup;
  private final OptionSpec simpleBackup;
  private final OptionSpec suffix;
  private final OptionSpec followTargetLinks;
  private final OptionSpec inPlace;
  private final ChangeOptions changes;

  PolicyOptions() {
    option(
        "-f, --force", "Replace existing targets. This is the default; -n, -u and -i override it.");
    ordered(
        "-n, --no-clobber", "Never replace an existing target. Overrides -u and an earlier -i.");
    update = option("-u, --update", "Replace a target only if it is older than the source.");
    ordered(
        "-i, --interactive",
        "Ask on the terminal before a target is replaced. Overrides an earlier -n.");
    backup =
        option(
            "--backup[=HOW]",
            "Keep replaced files: as NAME~ (simple), or as NAME.~1~ with the first"
                + " free number (numbered). Without HOW: simple.",
            "simple",
            BACKUPS);
    simpleBackup = option("-b", "The same as --backup=simple.");
    suffix =
        option("-S, --suffix=SUFFIX", "Keep replaced files as NAME plus SUFFIX, instead of NAME~.");
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
    changes = group(new ChangeOptions());
  }

  /// @throws Failure USAGE if a word is unknown or a suffix leads elsewhere
  Policy policy() throws Failure {
    return new Policy(
        existing(),
        backup(),
        isSet(followTargetLinks),
        changes.onChange(),
        changes.strict(),
        isSet(inPlace));
  }

  private Existing existing() {
    Existing last = isSet(update) ? Existing.OLDER : Existing.REPLACE;
    Existing asked = isSet(update) ? Existing.ASK_IF_OLDER : Existing.ASK;
    for (Typed each : given) {
      last = each.name().equals("--no-clobber") ? Existing.KEEP : asked;
    }
    return last;
  }

  private Backup backup() throws Failure {
    String how = valueOf(backup);
    String end = valueOf(suffix);
    if (how == null && end == null && !isSet(simpleBackup)) {
      return null;
    }
    boolean numbered = how != null && BACKUPS.get(indexOf(backup, BACKUPS)).equals(NUMBERED);
    if (end != null && (end.isEmpty() || end.indexOf('/') >= 0)) {
      throw usage(
          "--suffix: '"
              + RawText.printable(end)
              + "' must not be empty and must not contain a '/'");
    }
    return new Backup(numbered, end == null ? SUFFIX : end);
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

    /// @throws Failure USAGE if the word is unknown
    OnChange onChange() throws Failure {
      return OnChange.values()[indexOf(onChange, ON_CHANGE)];
    }
  }
}
