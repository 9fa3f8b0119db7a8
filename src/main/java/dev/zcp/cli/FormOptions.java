package dev.zcp.cli;

import dev.zcp.copy.CopyForm;
import dev.zcp.copy.CopyForm.CopyKind;
import dev.zcp.core.Failure;
import dev.zcp.engine.Choice;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp copy` that say what copies are made of, and under which names.
final class FormOptions extends Options {

  private static final List<String> REFLINKS = List.of("auto", "always", "never");

  private static final String SHARING = "reflink";

  private static final String READING = "direct";

  private final OptionSpec hardLinks =
      option(
          "-l, --link",
          "Make hard links to files instead of copies. An existing target is replaced only with"
              + " -f, -i, --backup or --remove-destination.");
  private final OptionSpec symlinks =
      option(
          "-s, --symbolic-link",
          "Make symbolic links to files instead of copies. SOURCE must be an absolute path, unless"
              + " the links are in the working directory. Replaces as -l does.");
  private final OptionSpec attributesOnly =
      option(
          "--attributes-only",
          "Copy no data: an existing target keeps its data and gets the attributes that are to be"
              + " preserved; a new one is empty.");
  private final OptionSpec copyContents =
      option(
          "--copy-contents", "With -r, read FIFOs and devices as files, and do not create them.");
  private final OptionSpec parents =
      option(
          "--parents",
          "Copy SOURCE under its whole path, with the directories that lead to it, into the"
              + " directory TARGET.");
  private final OptionSpec reflink =
      option(
          "--reflink[=WHEN]",
          "Share the blocks of the source until one of both is changed: if that is possible (auto),"
              + " or else fail (always), or read and write all bytes (never). Without WHEN:"
              + " always.",
          "always",
          REFLINKS);

  boolean linksHard() {
    return isSet(hardLinks);
  }

  boolean copiesContents() {
    return isSet(copyContents);
  }

  CopyForm form(boolean zerosToHoles) {
    CopyKind kind =
        isSet(hardLinks)
            ? CopyKind.HARD_LINK
            : isSet(symlinks)
                ? CopyKind.SYMLINK
                : isSet(attributesOnly) ? CopyKind.ATTRIBUTES : CopyKind.COPY;
    return new CopyForm(kind, isSet(parents), zerosToHoles);
  }

  /// The strategy that `--reflink` asks for; `chosen` if it asks for none.
  ///
  /// @param chosen what `--strategy` and `--chunk-size` ask for
  /// @param sparse the word of `--sparse`
  /// @throws Failure USAGE if `--reflink` has no such word, or it cannot be combined with `sparse`
  Choice choice(Choice chosen, String sparse) throws Failure {
    if (!isGiven(reflink)) {
      return chosen;
    }
    return switch (indexOf(reflink, REFLINKS)) {
      case 1 -> {
        // Blocks are shared with the holes between them.
        if (!sparse.equals("auto")) {
          throw usage("--reflink=always needs --sparse=auto");
        }
        yield new Choice(SHARING, chosen.chunkBytes());
      }
      case 2 -> new Choice(READING, chosen.chunkBytes());
      default -> chosen;
    };
  }
}
