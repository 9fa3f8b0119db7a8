import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Checks, or with `write` makes, google-java-format's layout of all Java files in some folders:
/// `java build/Format.java check|write FOLDER...`.
final class Format {

  private Format() {}

  public static void main(String[] args) throws IOException {
    boolean write = args[0].equals("write");
    boolean clean = true;
    for (String folder : List.of(args).subList(1, args.length)) {
      for (Path file : javaFiles(Path.of(folder))) {
        clean &= write ? rewrite(file) : check(file);
      }
    }
    if (!clean) {
      System.err.println("to format: mvn -q process-sources -Dformat=write");
      System.exit(1);
    }
  }

  private static List<Path> javaFiles(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(path -> path.toString().endsWith(".java")).sorted().toList();
    }
  }

  private static boolean check(Path file) throws IOException {
    String text = Files.readString(file);
    try {
      if (format(text).equals(text)) {
        return true;
      }
      System.err.println("not formatted: " + file);
    } catch (FormatterException e) {
      System.err.println(file + ":" + e.getMessage());
    }
    return false;
  }

  private static boolean rewrite(Path file) throws IOException {
    String text = Files.readString(file);
    try {
      String formatted = format(text);
      if (!formatted.equals(text)) {
        Files.writeString(file, formatted);
        System.out.println("formatted " + file);
      }
      return true;
    } catch (FormatterException e) {
      System.err.println(file + ":" + e.getMessage());
      return false;
    }
  }

  private static String format(String text) throws FormatterException {
    return new Formatter().formatSourceAndFixImports(text);
  }
}
