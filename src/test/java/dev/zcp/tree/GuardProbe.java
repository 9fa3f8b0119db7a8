package dev.zcp.tree;

import dev.zcp.io.HeldDirectory;
import java.io.IOException;
import java.nio.file.Path;

/// Makes a partial file under a guard, says so, and waits to be ended.
final class GuardProbe {

  private GuardProbe() {}

  public static void main(String[] words) throws IOException {
    Guard guard = Guard.install(() -> System.out.println("at the end"));
    guard.staging().create(HeldDirectory.open(Path.of(words[1])));
    if (words[0].equals("closed")) {
      guard.close();
    }
    System.out.println("ready");
    System.in.read();
  }
}
