package dev.zcp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import dev.zcp.testing.TestRoute;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A strategy of somebody else's, compiled here from a source that is no part of the project, in a
/// jar as `--strategy-path` takes it.
class StrategyPathTest {

  private static final String SOURCE = "/external/ByteByByteStrategy.java.txt";
  private static final String SERVICES = "META-INF/services/" + TransferStrategy.class.getName();

  @TempDir static Path folder;

  private static Path classes;

  @BeforeAll
  static void compile() throws IOException {
    Path source = folder.resolve("ByteByByteStrategy.java");
    try (InputStream text = StrategyPathTest.class.getResourceAsStream(SOURCE)) {
      Files.copy(text, source);
    }
    classes = Files.createDirectory(folder.resolve("classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                messages,
                null,
                null,
                List.of(
                    "-d",
                    classes.toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-proc:none",
                    "-Xlint:all",
                    "-Xlint:-path",
                    "-Werror"),
                null,
                compiler
                    .getStandardFileManager(null, null, StandardCharsets.UTF_8)
                    .getJavaFileObjects(source))
            .call();
    assertThat(compiled).as(messages.toString()).isTrue();
  }

  @Test
  void aStrategyFromAJarIsFoundByItsNameBesideTheBuiltInOnes() throws Exception {
    Strategies strategies = Strategies.load(List.of(jar("one", "ByteByByteStrategy")));
    TransferStrategy strategy = strategies.named("byte-by-byte");
    assertThat(strategy.name()).isEqualTo("byteByByte");
    assertThat(strategy.getClass().getName()).isEqualTo("org.example.bytes.ByteByByteStrategy");
    assertThat(strategies.names()).contains("byteByByte", "direct", "splice", "transferTo");
  }

  @Test
  void aStrategyFromAJarMovesEveryByteOverTheRoutesItServes() throws Exception {
    TransferStrategy strategy =
        Strategies.load(List.of(jar("two", "ByteByByteStrategy"))).named("byteByByte");
    byte[] content = new byte[10_000];
    new Random(9).nextBytes(content);
    for (Kind from : Kind.values()) {
      for (Kind to : Kind.values()) {
        try (TestRoute route = TestRoute.open(from, to, content, folder);
            Mover mover = strategy.open(route.source(), route.sink())) {
          assertThat(strategy.judge(route.route())).isInstanceOf(Verdict.Usable.class);
          Span rest = new Span(0, content.length);
          while (!rest.isEmpty()) {
            rest = rest.skip(((Step.Moved) mover.move(rest)).bytes());
          }
          assertThat(route.arrived()).isEqualTo(content);
        }
      }
    }
  }

  @Test
  void aJarWithoutAStrategyOrWithABrokenOneIsAUsageErrorThatNamesIt() throws Exception {
    Path empty = jar("empty", null);
    Path broken = jar("broken", "NoSuchStrategy");
    Path missing = folder.resolve("missing.jar");
    for (Path jar : List.of(empty, broken, missing)) {
      assertThatThrownBy(() -> Strategies.load(List.of(jar)))
          .isInstanceOfSatisfying(
              Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
          .hasMessageContaining(jar.toString());
    }
  }

  /// @param strategy the simple name that the jar's list of services gives, or null for no list
  private static Path jar(String name, String strategy) throws IOException {
    Path path = folder.resolve(name + ".jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(path));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        add(jar, classes.relativize(file).toString(), Files.readAllBytes(file));
      }
      if (strategy != null) {
        String line = "org.example.bytes." + strategy + "\n";
        add(jar, SERVICES, line.getBytes(StandardCharsets.UTF_8));
      }
    }
    return path;
  }

  private static void add(JarOutputStream jar, String name, byte[] bytes) throws IOException {
    jar.putNextEntry(new JarEntry(name));
    jar.write(bytes);
    jar.closeEntry();
  }
}
