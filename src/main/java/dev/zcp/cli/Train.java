package dev.zcp.cli;

import java.io.IOException;

/// Placeholder of the training run.
final class Train {

  private Train() {}

  public static void main(String[] args) throws IOException, ClassNotFoundException {
    Class.forName("dev.zcp.cli.Main");
    Main.run("--version");
    Main.run("copy", "--help");
  }
}
