package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.session.copy.NameList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp copy` that say what of a tree is taken.
final class FilterOptions {

  private final OptionSpec filesFrom =
      Options.value(
              "FILE",
              "Take of SOURCE only what FILE names, each line a path below it; '-' is standard"
                  + " input.",
              "--files-from")
          .build();
  private final OptionSpec from0 =
      Options.flag(
          "Names in --files-from end in NUL bytes, as find -print0 writes them.", "--from0");
  private final OptionSpec oneFileSystem =
      Options.flag(
          "Leave directories empty that another file system is mounted on.",
          "-x",
          "--one-file-system");

  void addTo(CommandSpec spec) {
    for (OptionSpec option : List.of(filesFrom, from0, oneFileSystem)) {
      spec.addOption(option);
    }
  }

  boolean oneFileSystem() {
    return Options.isSet(oneFileSystem);
  }

  /// The list, or null where all is taken.
  NameList names() throws Failure {
    String file = Options.valueOf(filesFrom);
    return file == null ? null : new NameList(RawText.path(file), Options.isSet(from0));
  }
}
