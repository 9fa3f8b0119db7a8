import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Adds to the bill of materials that Maven made what the packages have inside and Maven does not
/// know: the Java runtime, and what libraries bring within them.
///
/// Run by Maven on the JDK whose runtime is packed: `java build/Sbom.java FILE`.
final class Sbom {

  private static final String COMPONENTS = "\n  \"components\" : [";

  private Sbom() {}

  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    String text = Files.readString(file);
    int begin = text.indexOf(COMPONENTS) + COMPONENTS.length();
    if (begin < COMPONENTS.length()) {
      throw new IllegalStateException(file + " has no components");
    }
    String version = System.getProperty("java.runtime.version");
    String more =
        component(
                "platform",
                "OpenJDK",
                quoted("version", version),
                "GPL-2.0-only WITH Classpath-exception-2.0")
            + part("BoringSSL", "conscrypt-openjdk-uber", "Apache-2.0")
            + part("FastDoubleParser", "jackson-core", "MIT AND BSL-1.0 AND BSD-2-Clause")
            + part("Schubfach", "jackson-core", "MIT")
            + part("zstd", "zstd-jni", "BSD-3-Clause");
    Files.writeString(file, text.substring(0, begin) + more + text.substring(begin));
  }

  /// A part of a library, in whichever version that has.
  private static String part(String name, String library, String licence) {
    return component("library", name, quoted("description", "part of " + library), licence);
  }

  private static String component(String type, String name, String more, String licence) {
    return "\n    { "
        + String.join(", ", quoted("type", type), quoted("name", name), more)
        + ",\n      \"licenses\" : [ { "
        + quoted("expression", licence)
        + " } ] },";
  }

  private static String quoted(String name, String value) {
    return "\"" + name + "\" : \"" + value + "\"";
  }
}
