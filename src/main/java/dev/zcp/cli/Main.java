package dev.zcp.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Placeholder of the command line, to prove the build.
public final class Main {

  private Main() {}

  public static void main(String[] args) throws IOException {
    int status = run(args);
    System.out.flush();
    Runtime.getRuntime().halt(status);
  }

  static int run(String... args) throws IOException {
    if (args.length == 1 && args[0].equals("--version")) {
      System.out.println("zcp 0.1.0");
      return 0;
    }
    if (args.length == 4 && args[0].equals("copy")) {
      Files.copy(Path.of(args[2]), Path.of(args[3]));
      return 0;
    }
    CommandSpec root = spec("zcp");
    if (args.length > 0) {
      root.addSubcommand(args[0], spec(args[0]));
    }
    return new CommandLine(root).execute(args);
  }

  private static CommandSpec spec(String name) {
    CommandSpec spec = CommandSpec.create().name(name);
    spec.addOption(OptionSpec.builder("-h", "--help").usageHelp(true).description("Help").build());
    return spec;
  }
}
