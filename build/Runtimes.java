import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;

/// Links the Java runtime that the distribution carries.
final class Runtimes {

  /// What zcp and its libraries need; `jdeps` tells.
  private static final String MODULES = "java.base,java.logging,jdk.httpserver";

  /// Files of java.base that only a development kit needs, and those of what zcp does not do:
  /// certificates of authorities, names of hosts in certificates, sorting by the second compiler.
  private static final String UNUSED =
      "/java.base/lib/jrt-fs.jar,/java.base/lib/jexec,/java.base/lib/classlist,"
          + "/java.base/bin/keytool,/java.base/lib/security/cacerts,"
          + "/java.base/lib/security/public_suffix_list.dat,/java.base/lib/libsimdsort.so";

  private Runtimes() {}

  /// Compresses nothing: an archive of the distribution is smaller then.
  static void link(Path runtime) throws IOException, InterruptedException {
    ToolProvider jlink =
        ToolProvider.findFirst("jlink")
            .orElseThrow(() -> new IllegalStateException("this JDK has no jlink"));
    int status =
        jlink.run(
            new PrintWriter(System.out, true),
            new PrintWriter(System.err, true),
            "--add-modules",
            MODULES,
            "--vm",
            "server",
            // --strip-debug would also strip the libraries, with the programs of binutils.
            "--strip-java-debug-attributes",
            "--no-header-files",
            "--no-man-pages",
            "--compress",
            "zip-0",
            "--exclude-files",
            UNUSED,
            "--output",
            runtime.toString());
    if (status != 0) {
      throw new IllegalStateException("jlink ended with " + status);
    }
    // jlink(1) copies the licences alone. This says where the source code is.
    Path notice = Path.of(System.getProperty("java.home"), "NOTICE");
    if (Files.exists(notice)) {
      Files.copy(notice, runtime.resolve("NOTICE"));
    }
    for (Path file : Tree.filesBelow(runtime)) {
      Symbols.remove(file);
    }
  }
}
