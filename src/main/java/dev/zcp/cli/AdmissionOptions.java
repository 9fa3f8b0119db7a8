package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Verified;
import dev.zcp.session.Admission;
import dev.zcp.session.ResumeVerify;
import dev.zcp.tree.Policy.Existing;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp receive` that say what it takes.
final class AdmissionOptions {

  private static final String ALL = "all";

  /// More than this no session has.
  private static final long FILES_MAX = 1L << 32;

  private final OptionSpec accept =
      Options.values(
              "LIST",
              "Also accept what LIST names: links (symbolic links), hardlinks, specials"
                  + " (FIFOs and devices), mode (setuid, setgid, sticky, and permissions that"
                  + " the umask removes), owner, xattr, acl, or all. Files, directories, their"
                  + " permissions and their times are always accepted.",
              "--accept")
          .completionCandidates(Lists.with(ALL, Admission.KEEP_WORDS))
          .build();
  private final OptionSpec overwrite =
      Options.flag("Replace existing files. Without this option they are refused.", "--overwrite");
  private final OptionSpec sizeMax =
      Options.value(
              "SIZE",
              "Refuse a sender that wants to send more than SIZE, before the first byte.",
              "--max-size")
          .build();
  private final OptionSpec filesMax =
      Options.value(
              "N",
              "Refuse a sender that wants to send more than N files, directories and"
                  + " other entries.",
              "--max-files")
          .build();
  private final OptionSpec discard =
      Options.flag(
          "Receive and verify files as usual, then delete each instead of naming it."
              + " For testing a link.",
          "--discard");

  void addTo(CommandSpec spec) {
    for (OptionSpec option : List.of(accept, overwrite, sizeMax, filesMax, discard)) {
      spec.addOption(option);
    }
  }

  /// @param into where it goes
  /// @throws Failure USAGE if what was typed is no list or number, or contradicts itself
  Admission admission(RawPath into, Verified verify, ResumeVerify resumeVerify) throws Failure {
    refuseDiscardWith(into);
    return new Admission(
        Options.isSet(overwrite) ? Existing.REPLACE : Existing.REFUSE,
        keeps(),
        verify,
        resumeVerify,
        Options.isGiven(sizeMax) ? Numbers.bytes(sizeMax, 0) : Admission.UNLIMITED,
        Options.isGiven(filesMax)
            ? Numbers.between(filesMax, 1, FILES_MAX, "")
            : Admission.UNLIMITED,
        Options.isSet(discard));
  }

  private int keeps() throws Failure {
    int keeps = 0;
    for (String word :
        Lists.someOf(Admission.KEEP_WORDS, ALL, Lists.words(accept), accept.longestName())) {
      keeps |= Admission.keepOf(word);
    }
    return keeps;
  }

  private void refuseDiscardWith(RawPath into) throws Failure {
    if (!Options.isSet(discard)) {
      return;
    }
    if (Options.isSet(overwrite)) {
      throw Failure.of(
          ExitCode.USAGE, "--discard keeps no file, so --overwrite has nothing to replace");
    }
    if (into.isStandardStream()) {
      throw Failure.of(ExitCode.USAGE, "--discard needs a directory, not '-'");
    }
  }
}
