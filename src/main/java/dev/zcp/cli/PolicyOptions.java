package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Backup;
import dev.zcp.tree.Policy.Existing;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp copy` that say what is done if a target exists, a source changes, or
/// something cannot be kept.
final class PolicyOptions {

  private static final String NUMBERED = "numbered";
  private static final List<String> BACKUPS = List.of("simple", NUMBERED);
  private static final String SUFFIX = "~";

  private final OrderedOptions asking = new OrderedOptions();
  private final OptionSpec force =
      Options.flag(
          "Replace existing targets. This is the default; -n, -u and -i override it.",
          "-f",
          "--force");
  private final OptionSpec noClobber =
      asking.flag(
          "Never replace an existing target. Overrides -u and an earlier -i.",
          "-n",
          "--no-clobber");
  private final OptionSpec update =
      Options.flag("Replace a target only if it is older than the source.", "-u", "--update");
  private final OptionSpec interactive =
      asking.flag(
          "Ask on the terminal before a target is replaced. Overrides an earlier -n.",
          "-i",
          "--interactive");
  private final OptionSpec backup =
      Options.value(
              "HOW",
              "Keep replaced files: as NAME~ (simple), or as NAME.~1~ with the first"
                  + " free number (numbered). Without HOW: simple.",
              "--backup")
          .arity("0..1")
          .fallbackValue("simple")
          .completionCandidates(BACKUPS)
          .build();
  private final OptionSpec simpleBackup = Options.flag("The same as --backup=simple.", "-b");
  private final OptionSpec suffix =
      Options.value(
              "SUFFIX",
              "Keep replaced files as NAME plus SUFFIX, instead of NAME~.",
              "-S",
              "--suffix")
          .build();
  private final OptionSpec followTargetLinks =
      Options.flag(
          "If a target is a symbolic link, replace the file it points to, not the link.",
          "--follow-target-links");
  private final OptionSpec inPlace =
      Options.flag(
          "Write into an existing file instead of replacing it; its mode, owner and other metadata"
              + " stay. If the copy is interrupted, the file is damaged. For files that cannot be"
              + " replaced, such as a bind mount.",
          "--inplace");
  private final ChangeOptions changes = new ChangeOptions();

  void addTo(CommandSpec spec) {
    for (OptionSpec option :
        List.of(
            force,
            noClobber,
            update,
            interactive,
            backup,
            simpleBackup,
            suffix,
            followTargetLinks,
            inPlace)) {
      spec.addOption(option);
    }
    changes.addTo(spec);
  }

  /// @throws Failure USAGE if a word is unknown or a suffix leads elsewhere
  Policy policy() throws Failure {
    return new Policy(
        existing(),
        backup(),
        Options.isSet(followTargetLinks),
        changes.onChange(),
        changes.strict(),
        Options.isSet(inPlace));
  }

  private Existing existing() {
    Existing last = Options.isSet(update) ? Existing.OLDER : Existing.REPLACE;
    Existing asked = Options.isSet(update) ? Existing.ASK_IF_OLDER : Existing.ASK;
    for (OrderedOptions.Given each : asking.given()) {
      last = each.name().equals("--no-clobber") ? Existing.KEEP : asked;
    }
    return last;
  }

  private Backup backup() throws Failure {
    String how = Options.valueOf(backup);
    String end = Options.valueOf(suffix);
    if (how == null && end == null && !Options.isSet(simpleBackup)) {
      return null;
    }
    boolean numbered =
        how != null
            && Lists.oneOf(BACKUPS, RawText.printable(how), backup.longestName()).equals(NUMBERED);
    if (end != null && (end.isEmpty() || end.indexOf('/') >= 0)) {
      throw Failure.of(
          ExitCode.USAGE,
          "--suffix: '"
              + RawText.printable(end)
              + "' must not be empty and must not contain a '/'");
    }
    return new Backup(numbered, end == null ? SUFFIX : end);
  }
}
