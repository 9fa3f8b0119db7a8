import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How the distribution at `home` starts its JVM: the flags that the launcher, the training of the
/// AOT cache and the check of the cache must have in common, or the cache is refused.
///
/// @param moduleFlags `--add-opens` and the like, which are recorded in the cache
record Jvm(Path home, List<String> moduleFlags) {

  static final String MAIN = "dev.zcp.cli.Main";
  static final String TRAIN = "dev.zcp.cli.Train";

  private static final List<String> FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          // From 32 GB of heap on, the default on 128 GB of memory, compressed object pointers go,
          // and with them the cache.
          "-Xmx512m",
          // Headers of 8 bytes (JEP 519), since trees make many small objects. Sending
          // them takes 2 to 4 % less time, and 6 to 8 % less memory.
          "-XX:+UseCompactObjectHeaders",
          "-XX:-UsePerfData",
          // With -Xrs the JVM would make a socket for tools that attach, a file in /tmp, at each
          // start.
          "-XX:+DisableAttachMechanism",
          // The JVM would warn of a .hotspotrc or .hotspot_compiler in the working directory.
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-PrintWarnings",
          // Compiling at once what the training run compiled keeps a processor from the copy: an
          // empty one takes 4 ms more with it, and a tree no less.
          "-XX:-AOTRecordTraining",
          "-XX:-AOTReplayTraining",
          // A crash of the compiler would leave a second report, in the working folder. Cores are
          // the launcher's business: -XX:-CreateCoredumpOnCrash would end a crash with exit code
          // 1, which means something else here.
          "-XX:-DumpReplayDataOnError",
          // Standard output carries data: thread dumps (SIGQUIT) and errors go elsewhere.
          // Of a crash, ten lines still go to standard output; no flag sends them elsewhere.
          "-XX:+DisplayVMOutputToStderr",
          "-Xlog:disable",
          // A cache that is damaged costs time and nothing else.
          "-Xlog:all=error,aot*=off:stderr",
          // What it is anyway. Unsaid, the first socket would look for others in the whole jar: 6
          // ms.
          "-Djava.nio.channels.spi.SelectorProvider=sun.nio.ch.EPollSelectorProvider",
          // Each command line would register 20 converters and look for Groovy, by reflection.
          "-Dpicocli.converters.excludes=java.(sql|time).+",
          "-Dpicocli.disable.closures=true",
          // Else the first call by reflection makes classes, for 10 ms: HdrHistogram has one.
          "-Djdk.reflect.useNativeAccessorOnly=true",
          // Decided by [-t] otherwise; zcp writes its help itself, without colours.
          "-Dpicocli.ansi=false");

  Path runtime() {
    return home.resolve("runtime");
  }

  Path jar() {
    return home.resolve("lib/zcp.jar");
  }

  /// The cache of one kind of command.
  Path cache(String course) {
    return home.resolve("lib/" + course + ".aot");
  }

  List<String> flags() {
    List<String> flags = new ArrayList<>(FLAGS);
    flags.addAll(moduleFlags);
    return flags;
  }

  /// A command that runs `main` with all that a launched zcp has, and `extra` flags.
  List<String> command(List<String> extra, String main, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(runtime().resolve("bin/java").toString());
    command.addAll(flags());
    if (Files.exists(home.resolve("lib/libzcp.so"))) {
      // The launcher adds it at each start, if the library is there then.
      command.add("-Xrs");
    }
    command.addAll(extra);
    command.add("-Dzcp.home=" + home);
    command.add("-Djava.library.path=" + home.resolve("lib"));
    command.add("-cp");
    command.add(jar().toString());
    command.add(main);
    command.addAll(args);
    return command;
  }
}
