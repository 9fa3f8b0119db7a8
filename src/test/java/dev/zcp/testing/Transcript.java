package dev.zcp.testing;

import static org.junit.jupiter.api.Assertions.assertLinesMatch;

import dev.zcp.cli.Arguments;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.opentest4j.AssertionFailedError;

/// A session with `zcp` as a person would see it, and what must come of each command.
///
/// ```
/// # A comment, up to the end of the line.
/// $ head -c 10 /dev/zero > a
/// $ zcp copy $DIR/a $DIR/b
/// > a line of standard output
/// ! a line of standard error
/// = 2
/// ```
///
/// `$ zcp` runs in this process, everything else in `sh` with the transcript's own directory as its
/// working directory, which `$DIR` stands for. An argument may be quoted as `'...'` or, with `\n`
/// and `\xNN`, as `$'...'`. Where no exit code is given, it must be 0.
///
/// `$ NAME=value zcp ...` sets a variable of its environment, which is empty otherwise. In `$ ... |
/// zcp ...` what `sh` makes of the first part is its standard input. `$ zcp receive ... &` runs on
/// while more is told, once it has said its first line; `$URL`, `$KEY` and `$PORT` are that line
/// and its parts from there on, also in what is printed. `$ wait` waits for its end.
///
/// Lines match as in [org.junit.jupiter.api.Assertions#assertLinesMatch]: literally, as a regular
/// expression, or by a hole such as `> >> anything >>`.
public final class Transcript {

  private static final String DIR = "$DIR";
  private static final String IN_BACKGROUND = " &";
  private static final String PIPE_TO_ZCP = " | zcp";
  private static final long WAIT_MS_MAX = 60_000;

  /// One command, and the lines that stand under it.
  private record Exchange(List<String> comments, String command, List<String> expected) {}

  private final Path directory;

  /// What words beginning with `$` stand for.
  private final Map<String, String> variables = new LinkedHashMap<>();

  private Background background;

  /// @param directory an empty directory, which `$DIR` stands for
  public Transcript(Path directory) {
    this.directory = directory;
    variables.put(DIR, directory.toString());
  }

  /// Runs what `text` tells and compares.
  ///
  /// @throws AssertionFailedError where something else came of it
  public void check(String text) throws IOException, InterruptedException {
    for (Exchange exchange : parse(text)) {
      if (!exchange.command().isEmpty()) {
        match(exchange, actual(exchange.command()));
      }
    }
  }

  /// Runs what `text` tells, and returns it with what came of it. Lines that matched stay as they
  /// were, holes and all.
  public String rewritten(String text) throws IOException, InterruptedException {
    StringBuilder rewritten = new StringBuilder();
    for (Exchange exchange : parse(text)) {
      exchange.comments().forEach(line -> rewritten.append(line).append('\n'));
      if (exchange.command().isEmpty()) {
        continue;
      }
      rewritten.append("$ ").append(exchange.command()).append('\n');
      List<String> actual = actual(exchange.command());
      List<String> kept = matches(exchange, actual) ? exchange.expected() : actual;
      kept.forEach(line -> rewritten.append(line).append('\n'));
    }
    return rewritten.toString();
  }

  private static boolean matches(Exchange exchange, List<String> actual) {
    try {
      match(exchange, actual);
      return true;
    } catch (AssertionFailedError e) {
      return false;
    }
  }

  /// Without the sentence that says what limited a run, and its evidence: it is there if the run
  /// took 300 ms, as on a busy machine.
  private static List<String> withoutVerdict(List<String> lines) {
    List<String> kept = new ArrayList<>();
    boolean isVerdict = false;
    for (String line : lines) {
      isVerdict =
          line.matches("! (probably |what )?limited .*") || isVerdict && line.startsWith("!   ");
      if (!isVerdict) {
        kept.add(line);
      }
    }
    return kept;
  }

  private static void match(Exchange exchange, List<String> all) {
    List<String> actual = withoutVerdict(all);
    for (String mark : List.of("> ", "! ", "= ")) {
      assertLinesMatch(
          marked(mark, exchange.expected()),
          marked(mark, actual),
          "$ " + exchange.command() + "\n" + String.join("\n", actual));
    }
  }

  private static List<String> marked(String mark, List<String> lines) {
    List<String> texts = new ArrayList<>();
    for (String line : lines) {
      // An empty line of output may have lost its trailing blank in an editor.
      if (line.startsWith(mark) || line.equals(mark.strip())) {
        texts.add(line.length() < mark.length() ? "" : line.substring(mark.length()));
      }
    }
    return texts;
  }

  private static List<Exchange> parse(String text) {
    List<Exchange> exchanges = new ArrayList<>();
    Exchange current = null;
    List<String> comments = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("$ ")) {
        current = new Exchange(comments, line.substring(2), new ArrayList<>());
        exchanges.add(current);
        comments = new ArrayList<>();
      } else if (line.isEmpty() || line.startsWith("#")) {
        comments.add(line);
      } else if (current == null || "><!=".indexOf(line.charAt(0)) < 0) {
        throw new IllegalArgumentException("neither a command nor what came of one: " + line);
      } else {
        current.expected().add(line);
      }
    }
    exchanges.add(new Exchange(comments, "", List.of()));
    return exchanges;
  }

  private List<String> actual(String command) throws IOException, InterruptedException {
    Cli.Result result = result(command);
    List<String> lines = new ArrayList<>();
    add(lines, ">", result.out());
    add(lines, "!", result.err());
    if (result.exitCode() != 0) {
      lines.add("= " + result.exitCode());
    }
    return lines;
  }

  private Cli.Result result(String command) throws IOException, InterruptedException {
    int pipe = command.indexOf(PIPE_TO_ZCP);
    if (command.equals("wait")) {
      return background.end();
    } else if (command.endsWith(IN_BACKGROUND)) {
      begin(command.substring(0, command.length() - IN_BACKGROUND.length()));
      return new Cli.Result(0, "", "");
    } else if (pipe >= 0) {
      byte[] input = bytes(shell(command.substring(0, pipe)).out());
      return zcp(command.substring(pipe + " | ".length()), new ByteArrayInputStream(input));
    }
    return isZcp(command) ? zcp(command, InputStream.nullInputStream()) : shell(command);
  }

  /// Whether nothing but variables stands before `zcp`.
  private static boolean isZcp(String command) {
    String rest = command;
    while (rest.indexOf('=') > 0 && rest.indexOf('=') < rest.indexOf(' ')) {
      rest = rest.substring(rest.indexOf(' ') + 1);
    }
    return rest.equals("zcp") || rest.startsWith("zcp ");
  }

  private void begin(String command) throws InterruptedException {
    background = new Background(arguments(command), environment(command));
    String url = background.firstLine();
    variables.put("$URL", url);
    // One that was given is not printed.
    if (url.indexOf('@') >= 0) {
      variables.put("$KEY", url.substring(url.indexOf("//") + 2, url.indexOf('@')));
    }
    variables.put("$PORT", url.substring(url.lastIndexOf(':') + 1));
  }

  /// A command that runs while others do.
  private static final class Background {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final CountDownLatch line = new CountDownLatch(1);
    private final Thread thread;
    private Cli.Result result;

    Background(Arguments arguments, Map<String, String> environment) {
      thread = Thread.ofPlatform().daemon().start(() -> run(arguments, environment));
    }

    String firstLine() throws InterruptedException {
      line.await();
      return out.toString(StandardCharsets.UTF_8).lines().findFirst().orElse("");
    }

    Cli.Result end() throws InterruptedException {
      thread.join(WAIT_MS_MAX);
      String text = out.toString(StandardCharsets.UTF_8);
      return new Cli.Result(result.exitCode(), text, result.err());
    }

    private void run(Arguments arguments, Map<String, String> environment) {
      OutputStream told =
          new FilterOutputStream(out) {
            @Override
            public void write(int b) throws IOException {
              super.write(b);
              if (b == '\n') {
                line.countDown();
              }
            }
          };
      result = Cli.run(arguments, InputStream.nullInputStream(), told, environment);
      line.countDown();
    }
  }

  private void add(List<String> lines, String mark, String output) {
    String shown = output;
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      // A bare number may be of anything.
      boolean isPort = variable.getKey().equals("$PORT");
      String colon = isPort ? ":" : "";
      shown = shown.replace(colon + variable.getValue(), colon + variable.getKey());
    }
    shown.lines().forEach(line -> lines.add(line.isEmpty() ? mark : mark + " " + line));
  }

  private Cli.Result zcp(String command, InputStream in) {
    return Cli.run(arguments(command), in, environment(command));
  }

  /// What follows `zcp`.
  private Arguments arguments(String command) {
    List<byte[]> words = words(command);
    return Arguments.of(words.subList(variablesBefore(words) + 1, words.size()));
  }

  /// The variables before `zcp`.
  private Map<String, String> environment(String command) {
    Map<String, String> environment = new HashMap<>();
    List<byte[]> words = words(command);
    for (byte[] word : words.subList(0, variablesBefore(words))) {
      String text = new String(word, StandardCharsets.UTF_8);
      int equals = text.indexOf('=');
      environment.put(text.substring(0, equals), text.substring(equals + 1));
    }
    return environment;
  }

  private static int variablesBefore(List<byte[]> words) {
    int count = 0;
    while (new String(words.get(count), StandardCharsets.UTF_8).indexOf('=') > 0) {
      count++;
    }
    return count;
  }

  private Cli.Result shell(String command) throws IOException, InterruptedException {
    Path err = Files.createTempFile("transcript", ".err");
    try {
      Process process =
          new ProcessBuilder("sh", "-c", replaced(command))
              .directory(directory.toFile())
              .redirectError(err.toFile())
              .start();
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Cli.Result(process.waitFor(), out, Files.readString(err));
    } finally {
      Files.delete(err);
    }
  }

  private String replaced(String command) {
    String text = command;
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      text = text.replace(variable.getKey(), variable.getValue());
    }
    return text;
  }

  /// The words of a command line, with the quotes of a shell that a transcript needs.
  private List<byte[]> words(String line) {
    List<byte[]> words = new ArrayList<>();
    int at = 0;
    while (at < line.length()) {
      if (line.charAt(at) == ' ') {
        at++;
        continue;
      }
      ByteArrayOutputStream word = new ByteArrayOutputStream();
      while (at < line.length() && line.charAt(at) != ' ') {
        boolean escapes = line.startsWith("$'", at);
        if (escapes || line.charAt(at) == '\'') {
          int start = at + (escapes ? 2 : 1);
          int end = line.indexOf('\'', start);
          String quoted = line.substring(start, end);
          word.writeBytes(escapes ? unescaped(quoted) : bytes(quoted));
          at = end + 1;
        } else if (variableAt(line, at) != null) {
          String name = variableAt(line, at);
          word.writeBytes(bytes(variables.get(name)));
          at += name.length();
        } else {
          int next = line.offsetByCodePoints(at, 1);
          word.writeBytes(bytes(line.substring(at, next)));
          at = next;
        }
      }
      words.add(word.toByteArray());
    }
    return words;
  }

  private String variableAt(String line, int at) {
    for (String name : variables.keySet()) {
      if (line.startsWith(name, at)) {
        return name;
      }
    }
    return null;
  }

  private static byte[] unescaped(String quoted) {
    ByteArrayOutputStream word = new ByteArrayOutputStream();
    for (int i = 0; i < quoted.length(); i++) {
      if (quoted.startsWith("\\x", i)) {
        word.write(Integer.parseInt(quoted, i + 2, i + 4, 16));
        i += 3;
      } else if (quoted.startsWith("\\n", i)) {
        word.write('\n');
        i++;
      } else {
        word.write(quoted.charAt(i));
      }
    }
    return word.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
