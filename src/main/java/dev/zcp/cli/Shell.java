package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.core.Prose;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.CommandEnvironment.Consent;
import dev.zcp.insight.Event.Listener;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.Libc;
import dev.zcp.linux.OwnProcess;
import dev.zcp.report.Progress;
import dev.zcp.report.RunContext;
import dev.zcp.report.Screen;
import dev.zcp.tree.Guard;
import dev.zcp.tree.Reasons;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What the shell gave this process: its standard streams and its environment.
final class Shell {

  /// A variable and no option: whoever wants no profile, or another, wants it for every command.
  private static final String PROFILE_VARIABLE = "ZCP_PROFILE";

  /// The first that is set and not empty decides.
  private static final List<String> LOCALE_VARIABLES = List.of("LC_ALL", "LC_CTYPE", "LANG");

  private static final int STANDARD_ERROR = 2;

  /// Whoever reads has read the rest within this time, or hardly reads.
  static final long REST_NS_MAX = 100_000_000;

  // How failures name it.
  private static final String STANDARD_OUTPUT = "standard output";
  private static final String STANDARD_STREAM = "-";

  private final InputStream in;
  private final OutputStream data;
  private final RememberingStream remembering;
  private final PrintStream out;
  private final PrintStream err;
  private final Map<String, String> environment;
  private final PrintQueue printing;

  /// Null if another zcp has started this one.
  private final Arguments arguments;

  Shell(
      InputStream in,
      OutputStream out,
      PrintStream err,
      Map<String, String> environment,
      Arguments arguments) {
    this(in, out, err, environment, new PrintQueue(), arguments);
  }

  private Shell(
      InputStream in,
      OutputStream out,
      PrintStream err,
      Map<String, String> environment,
      PrintQueue printing,
      Arguments arguments) {
    this.in = in;
    this.data = out;
    this.remembering = new RememberingStream(out);
    this.out = new PrintStream(remembering, false, StandardCharsets.UTF_8);
    this.err = err;
    this.environment = environment;
    this.printing = printing;
    this.arguments = arguments;
  }

  /// The same streams, for a user whose terminal is on another machine.
  Shell of(boolean isUnicode, int columns) {
    Map<String, String> there =
        Map.of("LC_ALL", isUnicode ? "C.UTF-8" : "C", "COLUMNS", Integer.toString(columns));
    return new Shell(in, data, err, there, printing, null);
  }

  /// What a command runs in, with nobody who can be asked.
  CommandEnvironment environment(Strategies strategies, Listener listener) {
    return environment(strategies, listener, Consent.NEVER);
  }

  /// What a command runs in. Standard output is for the bytes of files there: what goes wrong with
  /// it is thrown.
  CommandEnvironment environment(Strategies strategies, Listener listener, Consent consent) {
    return new CommandEnvironment(strategies, in, data, listener, profile(), consent);
  }

  InputStream in() {
    return in;
  }

  /// Standard output for lines of text. It throws nothing; [#finish] tells what went wrong.
  PrintStream out() {
    return out;
  }

  PrintStream err() {
    return err;
  }

  String variable(String name) {
    return environment.get(name);
  }

  /// As [#variable], each byte a char; null also if it is empty.
  String nonEmptyVariable(String name) {
    String value = variable(name);
    return value == null || value.isEmpty()
        ? null
        : RawText.latin1(value.getBytes(StandardCharsets.UTF_8));
  }

  /// Where the profile is, or null if there is to be none.
  RawPath profile() {
    return ofUser(PROFILE_VARIABLE, "profile.json");
  }

  /// Where the settings are, or null if there are to be none.
  RawPath configuration() {
    return ofUser(Settings.FILE_VARIABLE, "config.toml");
  }

  /// If a variable names the file with settings, it must be there.
  void requireNamedConfiguration() throws Failure {
    RawPath file = variable(Settings.FILE_VARIABLE) == null ? null : configuration();
    if (file != null && !FileStatus.exists(file)) {
      throw ConfigFile.wrong(file, "no such file; " + Settings.FILE_VARIABLE + " names it");
    }
  }

  private RawPath ofUser(String variable, String name) {
    String typed = variable(variable);
    if (typed != null) {
      return typed.isEmpty() ? null : RawPath.of(typed);
    }
    String config = userDirectory("XDG_CONFIG_HOME", "/.config");
    return config == null ? null : RawPath.of(config + "/zcp/" + name);
  }

  /// Where the last run is [kept][LastRun], or null if there is no place.
  RawPath lastRun() {
    String state = userDirectory("XDG_STATE_HOME", "/.local/state");
    return state == null ? null : RawPath.of(state + "/zcp/last.json");
  }

  /// Where a run of this process is, and by which command.
  RunContext runContext() {
    String kernel = "Linux " + System.getProperty("os.version");
    String processors = Prose.count(Runtime.getRuntime().availableProcessors(), "processor");
    String machine = host() + " (" + kernel + ", " + processors + ")";
    String commandLine = arguments == null ? "" : arguments.commandLine();
    return new RunContext(commandLine, Version.NUMBER, machine);
  }

  /// Where receivers leave keys for senders of the same user: in the user's runtime directory, else
  /// in the cache directory, which hosts may share; null if there is neither.
  RawPath sharedKeys() {
    String runtime = variable("XDG_RUNTIME_DIR");
    if (isAbsolute(runtime)) {
      return RawPath.of(runtime + "/zcp");
    }
    String cache = userDirectory("XDG_CACHE_HOME", "/.cache");
    return cache == null ? null : RawPath.of(cache + "/zcp/" + host());
  }

  private static String host() {
    String host = OwnProcess.host();
    return host.isEmpty() ? "localhost" : host.replace('/', '_');
  }

  /// What `variable` says, else a place below the home directory; null if there is neither.
  /// Accounts of services often name a home that nobody made, and zcp does not make it.
  private String userDirectory(String variable, String belowHome) {
    String given = variable(variable);
    if (isAbsolute(given)) {
      return given;
    }
    String home = variable("HOME");
    return isAbsolute(home) && FileStatus.exists(RawPath.of(home)) ? home + belowHome : null;
  }

  /// Relative paths are ignored: XDG Base Directory Specification.
  private static boolean isAbsolute(String path) {
    return path != null && path.startsWith("/");
  }

  /// Whether standard error is a terminal, by the launcher's word: asking the system by Java would
  /// cost milliseconds.
  boolean isTerminal() {
    return Boolean.getBoolean("zcp.terminal");
  }

  /// Standard error, as wide as the terminal is at each moment.
  Screen screen() {
    return new Screen(err, isUnicode(), this::columns);
  }

  /// Whether a person sees pictures that are made of characters.
  boolean showsPictures() {
    return isTerminal() && isUnicode();
  }

  int columns() {
    int told = isTerminal() ? Libc.terminalColumns(STANDARD_ERROR) : 0;
    return told > 0 ? told : Progress.columns(variable("COLUMNS"));
  }

  /// Whether a person is asked: standard input is a terminal too, by the launcher's word.
  boolean isDialogue() {
    return isTerminal() && Boolean.getBoolean("zcp.keyboard");
  }

  /// Whether text for a person may hold any character: locale(7).
  boolean isUnicode() {
    for (String variable : LOCALE_VARIABLES) {
      String value = environment.get(variable);
      if (value != null && !value.isEmpty()) {
        String locale = value.toUpperCase(Locale.ROOT);
        return locale.endsWith("UTF-8") || locale.endsWith("UTF8");
      }
    }
    return false;
  }

  /// What commands print while they work.
  PrintQueue printing() {
    return printing;
  }

  /// Prints text of somebody else on standard error, in its turn.
  void passOn(String text) {
    printing.add(2 * text.length(), () -> err.print(text));
  }

  /// Waits until all of it is printed. If that takes long, a signal may end the process meanwhile,
  /// a little after it came: whoever reads after all misses nothing.
  void awaitPrinted() {
    if (!printing.await(REST_NS_MAX)) {
      try (Guard _ = Guard.install(() -> Guard.tell(printing::await))) {
        printing.await();
      }
    }
  }

  /// Makes sure that what was printed has left the process: a script that gets half of the output
  /// must not get a 0 with it.
  ///
  /// @throws Failure DESTINATION if standard output is full or closed
  void finish() throws Failure {
    if (out.checkError()) {
      throw Reasons.destination(STANDARD_OUTPUT, remembering.failure());
    }
  }

  /// Whether this failed because whoever read standard output has left. That is no news for a
  /// person: `zcp help copy | head` is silent.
  static boolean isOfReaderThatLeft(Failure failure) {
    boolean isOutput =
        failure.subject().equals(STANDARD_OUTPUT) || failure.subject().equals(STANDARD_STREAM);
    return isOutput
        && failure.getCause() instanceof IOException cause
        && Errno.of(cause) == Errno.EPIPE;
  }

  /// Tells a person what went wrong, after all that was to be printed.
  void complain(String message) {
    awaitPrinted();
    say(message);
  }

  /// As [#complain], at once: for the thread that prints.
  void say(String message) {
    err.print(message + "\n");
    err.flush();
  }

  /// Remembers why it could not be written: a `PrintStream` above it only knows that it failed.
  static final class RememberingStream extends FilterOutputStream {

    private IOException failure;

    RememberingStream(OutputStream out) {
      super(out);
    }

    /// The first cause.
    IOException failure() {
      return failure == null ? new IOException("cannot be written") : failure;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        throw remember(e);
      }
    }

    @Override
    public void flush() throws IOException {
      try {
        out.flush();
      } catch (IOException e) {
        throw remember(e);
      }
    }

    private IOException remember(IOException e) {
      failure = failure == null ? e : failure;
      return e;
    }
  }
}
