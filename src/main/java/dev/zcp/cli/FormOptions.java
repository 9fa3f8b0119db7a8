package dev.zcp.cli;

import dev.zcp.cli.OptionConflict.Use;
import dev.zcp.copy.CopyForm;
import dev.zcp.copy.CopyForm.CopyKind;
import dev.zcp.core.Failure;
import dev.zcp.engine.Choice;
import java.util.List;

/// The options of `zcp copy` that say what copies are made of, and under which names.
final class FormOptions extends Options {

  private static final List<String> REFLINKS = List.of("auto", "always", "never");

  private static final String SHARING = "reflink";

  private static final String READING = "direct";

  private final Option hardLinks = option("-l, --link");
  private final Option symlinks = option("-s, --symbolic-link");
  private final Option attributesOnly = option("--attributes-only");
  private final Option copyContents = option("--copy-contents");
  private final Option parents = option("--parents");
  private final Option reflink = option("--reflink[=WHEN]", "always", REFLINKS);

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

  /// The use for which options are refused because of `--reflink`.
  Use use() throws Failure {
    int when = isGiven(reflink) ? indexOf(reflink, REFLINKS) : 0;
    return when == 1 ? Use.SHARED : when == 2 ? Use.UNSHARED : Use.ANY;
  }

  /// The strategy that `--reflink` asks for; `chosen` if it asks for none.
  ///
  /// @param chosen what `--strategy` and `--chunk-size` ask for
  /// @param sparse the word of `--sparse`
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
