package dev.zcp.tree;

import java.io.IOException;
import java.nio.file.Path;

/// Gives a file a new name in a process of its own, and says what came of it.
final class NewNameProbe {

  private NewNameProbe() {}

  public static void main(String[] paths) {
    String outcome = "named";
    try {
      NewName.give(Path.of(paths[0]), Path.of(paths[1]));
    } catch (IOException e) {
      outcome = e.toString();
    }
    System.out.println(outcome);
  }
}
