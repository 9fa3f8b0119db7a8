package dev.zcp.tree;

import dev.zcp.core.RawPath;
import dev.zcp.place.Partials;
import java.io.IOException;
import java.nio.file.Path;

/// Makes a partial file under a guard, says so, and waits to be ended. `closed`: the guard has been
/// closed by then. `again`: one was closed before it.
final class GuardProbe {

  private GuardProbe() {}

  public static void main(String[] words) throws IOException {
    if (words[0].equals("again")) {
      Guard.install(() -> {}).close();
    }
    Partials partials = new Partials();
    Guard guard =
        Guard.install(
            () -> {
              partials.abandon();
              System.out.println("at the end");
            });
    partials.begin(OpenDirectory.open(RawPath.of(Path.of(words[1])))).createFile();
    if (words[0].equals("closed")) {
      guard.close();
    }
    System.out.println("ready");
    System.in.read();
  }
}
