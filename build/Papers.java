import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// What a distribution has besides the program, in the folders where systems look for it: man
/// pages, completions, documents, and the licences of all that is inside.
final class Papers {

  private static final String DOCUMENTS = "doc/zcp";

  /// By the folder that each shell looks in.
  private static final Map<String, String> COMPLETIONS =
      Map.of(
          "zcp.bash", "bash-completion/completions/zcp",
          "_zcp", "zsh/site-functions/_zcp",
          "zcp.fish", "fish/vendor_completions.d/zcp.fish");

  /// XFL of RFC 1952, section 2.3.1, and its value for the best compression. Java writes 0.
  private static final int EXTRA_FLAGS_OFFSET = 8;

  private static final byte SMALLEST = 2;

  private Papers() {}

  /// @param jars the libraries whose licences are copied
  static void write(Path share, List<Path> jars) throws IOException {
    for (Path page : Tree.filesBelow(Path.of("man"))) {
      put(share.resolve("man/man1/" + page.getFileName() + ".gz"), packed(page));
    }
    for (Map.Entry<String, String> each : COMPLETIONS.entrySet()) {
      Path script = Path.of("completions", each.getKey());
      put(share.resolve(each.getValue()), Files.readAllBytes(script));
    }
    Path documents = share.resolve(DOCUMENTS);
    for (String name :
        List.of(
            "README.md",
            "SECURITY.md",
            "LICENSE",
            "src/packages/copyright",
            "src/packages/zcp-receive.service")) {
      Path document = Path.of(name);
      put(documents.resolve(document.getFileName()), Files.readAllBytes(document));
    }
    put(documents.resolve("CHANGELOG.md.gz"), packed(Path.of("CHANGELOG.md")));
    put(documents.resolve("changelog.gz"), packed(Path.of("src/packages/debian/changelog")));
    for (Path jar : jars) {
      putLicences(documents.resolve("licenses"), jar);
    }
  }

  private static void putLicences(Path folder, Path jar) throws IOException {
    String library = jar.getFileName().toString().replaceFirst("\\.jar$", "");
    try (JarFile in = new JarFile(jar.toFile())) {
      for (JarEntry entry : in.stream().toList()) {
        String name = entry.getName();
        if (name.matches("META-INF/[^/]*(LICENSE|NOTICE)[^/]*")) {
          Path file = folder.resolve(library).resolve(name.substring("META-INF/".length()));
          put(file, in.getInputStream(entry).readAllBytes());
        }
      }
    }
  }

  private static byte[] packed(Path file) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new SmallestGzip(out)) {
      Files.copy(file, gzip);
    }
    byte[] bytes = out.toByteArray();
    bytes[EXTRA_FLAGS_OFFSET] = SMALLEST;
    return bytes;
  }

  private static void put(Path file, byte[] bytes) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }

  private static final class SmallestGzip extends GZIPOutputStream {

    SmallestGzip(OutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }
}
