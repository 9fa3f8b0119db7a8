import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/// Compiles `src/main/c/zcp.c` to the library that zcp makes system calls through. Without a C
/// compiler there is none, and zcp makes them through the foreign function API.
///
/// Run by Maven on the JDK that zcp is built with, from the project's folder: `java
/// build/NativeLibrary.java LIBRARY`.
final class NativeLibrary {

  private static final String SOURCE = "src/main/c/zcp.c";

  /// No build id and no path of this machine: two builds of one commit are alike.
  private static final List<String> FLAGS =
      List.of(
          "-std=c11",
          "-O2",
          "-Wall",
          "-Wextra",
          "-Werror",
          "-shared",
          "-fPIC",
          "-s",
          "-Wl,--build-id=none");

  private NativeLibrary() {}

  /// Puts the libraries that the jars hold for this system into `folder`: for another processor
  /// there may be none.
  static void unpack(List<Path> jars, Path folder) throws IOException {
    String processor = System.getProperty("os.arch");
    String inFolder = "linux/" + processor + "/";
    String ending = "-linux-" + (processor.equals("amd64") ? "x86_64" : "aarch_64") + ".so";
    Files.createDirectories(folder);
    for (Path jar : jars) {
      try (JarFile in = new JarFile(jar.toFile())) {
        for (JarEntry entry : in.stream().toList()) {
          String name = entry.getName();
          if (isLibrary(name) && (name.startsWith(inFolder) || name.endsWith(ending))) {
            Path library = folder.resolve(name.substring(name.lastIndexOf('/') + 1));
            Files.write(library, in.getInputStream(entry).readAllBytes());
          }
        }
      }
    }
  }

  /// Whether an entry of a jar is a library, of whichever system.
  static boolean isLibrary(String name) {
    return name.endsWith(".so") || name.endsWith(".dll") || name.endsWith(".dylib");
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path library = Path.of(args[0]);
    Files.createDirectories(library.getParent());
    Files.deleteIfExists(library);
    Path include = Path.of(System.getProperty("java.home"), "include");
    if (!isOnPath("cc")) {
      doWithout("no C compiler (cc)");
    } else if (!Files.exists(include.resolve("jni.h"))) {
      doWithout("no jni.h in this JDK");
    } else {
      compile(library, include);
    }
  }

  private static void compile(Path library, Path include) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("cc"));
    command.addAll(FLAGS);
    command.addAll(List.of("-I" + include, "-I" + include.resolve("linux")));
    command.addAll(List.of("-o", library.toString(), SOURCE, "-ldl"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (status == 0) {
      System.out.print(said);
    } else if (compilesNothing(library)) {
      doWithout("the C compiler (cc) lacks the C library's headers, or a linker");
    } else {
      throw new IllegalStateException(
          String.join(" ", command) + " ended with " + status + ":\n" + said);
    }
  }

  /// Whether the compiler fails with any program: Debian's gcc, for one, comes without headers.
  private static boolean compilesNothing(Path library) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("cc", "-shared", "-fPIC", "-x", "c", "-o", library.toString(), "-")
            .redirectErrorStream(true)
            .start();
    try (OutputStream program = process.getOutputStream()) {
      program.write("#include <stdio.h>\n".getBytes(StandardCharsets.UTF_8));
    }
    process.getInputStream().readAllBytes();
    boolean fails = process.waitFor() != 0;
    Files.deleteIfExists(library);
    return fails;
  }

  private static void doWithout(String reason) {
    System.out.println(
        "build: "
            + reason
            + ", so zcp makes its system calls through the foreign function API and starts 50 ms"
            + " slower");
  }

  static boolean isOnPath(String program) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
      if (Files.isExecutable(Path.of(folder, program))) {
        return true;
      }
    }
    return false;
  }
}
