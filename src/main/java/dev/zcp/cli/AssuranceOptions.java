package dev.zcp.cli;

import dev.zcp.copy.Assurance;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Verified;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp copy` that say how sure it makes itself.
final class AssuranceOptions {

  private static final String NONE = "none";
  private static final List<String> LEVELS = List.of(NONE, "readback", "media");

  private final OptionSpec verify =
      Options.value(
              "LEVEL",
              "Compare each copy with its source: none, readback (read the copy again),"
                  + " or media (read it from the device, not from memory).",
              "--verify")
          .defaultValue(NONE)
          .completionCandidates(LEVELS)
          .build();
  private final OptionSpec manifest =
      Options.value(
              "FILE",
              "Write the SHA-256 and the name of each file to FILE, in the format of"
                  + " sha256sum --check. '-' is standard output.",
              "--manifest")
          .build();
  private final OptionSpec verifyOnly =
      Options.flag(
          "Copy nothing. Compare the existing targets with the sources, and exit"
              + " with code 7 if they differ.",
          "--verify-only");
  private final OptionSpec fsync =
      Options.flag("Count a file as done only after it is on the device.", "--fsync");

  void addTo(CommandSpec spec) {
    for (OptionSpec option : List.of(verify, manifest, verifyOnly, fsync)) {
      spec.addOption(option);
    }
  }

  /// [Assurance#USUAL] itself if nothing is asked for.
  ///
  /// @throws Failure USAGE if the level is unknown
  Assurance assurance() throws Failure {
    Verified level = level();
    String file = Options.valueOf(manifest);
    boolean durable = Options.isSet(fsync);
    boolean compareOnly = Options.isSet(verifyOnly);
    if (level == Verified.NONE && file == null && !durable && !compareOnly) {
      return Assurance.USUAL;
    }
    return new Assurance(level, file == null ? null : path(file), durable, compareOnly);
  }

  private static RawPath path(String file) throws Failure {
    return RawText.path(file);
  }

  private Verified level() throws Failure {
    String typed = RawText.printable(Options.valueOf(verify));
    return switch (Lists.oneOf(LEVELS, typed, verify.longestName())) {
      case "readback" -> Verified.READBACK;
      case "media" -> Verified.MEDIA;
      default -> Verified.NONE;
    };
  }
}
