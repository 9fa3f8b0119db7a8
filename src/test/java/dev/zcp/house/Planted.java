package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// Classes that break a rule, compiled in a folder of their own, where nothing else sees them.
final class Planted {

  private Planted() {}

  /// Compiles `sources`, each the text of one public type, and reads only what came of them.
  ///
  /// @param folder an empty folder for the class files
  static JavaClasses compile(Path folder, String... sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<JavaFileObject> files = new ArrayList<>();
    for (String source : sources) {
      files.add(new Text(source));
    }
    Files.createDirectories(folder);
    List<String> options =
        List.of(
            "-proc:none", "-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled = compiler.getTask(null, manager, null, options, null, files).call();
      assertThat(compiled).as("the planted sources compile").isTrue();
    }
    return new ClassFileImporter().importPath(folder);
  }

  private static final class Text extends SimpleJavaFileObject {

    private final String source;

    Text(String source) {
      super(URI.create("planted:/" + path(source)), Kind.SOURCE);
      this.source = source;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return source;
    }

    private static String path(String source) {
      String packageName = between(source, "package ", ";");
      String typeName = between(source, "public class ", " ");
      return packageName.replace('.', '/') + "/" + typeName + Kind.SOURCE.extension;
    }

    private static String between(String text, String before, String after) {
      int start = text.indexOf(before) + before.length();
      return text.substring(start, text.indexOf(after, start));
    }
  }
}
