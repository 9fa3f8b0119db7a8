import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.spi.ToolProvider;

/// Links the Java runtime that the distribution carries.
final class Runtimes {

  /// What zcp, picocli, HdrHistogram and Conscrypt need; `jdeps` tells.
  private static final String MODULES = "java.base,java.logging";

  /// Files of java.base that only a development kit needs.
  private static final String UNUSED =
      "/java.base/lib/jrt-fs.jar,/java.base/lib/jexec,/java.base/lib/classlist,"
          + "/java.base/bin/keytool";

  private Runtimes() {}

  static void link(Path runtime) {
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
            "--strip-debug",
            "--no-header-files",
            "--no-man-pages",
            "--compress",
            "zip-6",
            "--exclude-files",
            UNUSED,
            "--output",
            runtime.toString());
    if (status != 0) {
      throw new IllegalStateException("jlink ended with " + status);
    }
  }
}
