package dev.zcp.tree;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Gives a file a name that nothing has, in one step that fails where something has it.
///
/// rename(2) would replace what is there. link(2) does not: a second name is made, then the first
/// is removed.
final class NewName {

  private NewName() {}

  /// @throws FileAlreadyExistsException where something has the name `target`
  static void give(Path file, Path target) throws IOException {
    Files.createLink(target, file);
    Files.delete(file);
  }
}
