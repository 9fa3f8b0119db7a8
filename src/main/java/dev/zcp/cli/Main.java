package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.linux.Entries;
import dev.zcp.linux.Errno;
import dev.zcp.linux.Signals;
import dev.zcp.session.Greeting;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Where `zcp` begins and ends.
public final class Main {

  /// What a shell gives for a process that SIGPIPE killed.
  private static final int BROKEN_PIPE = 141;

  private static final byte[] ROOT = {'/'};

  private Main() {}

  /// Ends by `halt`: `exit` would start System.Logger, which costs milliseconds, and every command
  /// has finished its work when its code is known.
  public static void main(String[] args) {
    prewarm(args);
    // Always UTF-8: the bytes of a name then leave as they came, whatever the locale calls them.
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    int code =
        run(
            Arguments.raw(args).withKey(System.getenv(Arguments.KEY_VARIABLE)),
            new FileInputStream(FileDescriptor.in),
            new FileOutputStream(FileDescriptor.out),
            err,
            System.getenv());
    if (code == BROKEN_PIPE) {
      Signals.breakPipe();
    }
    Runtime.getRuntime().halt(code);
  }

  /// Begins to load what a session's handshake needs while the arguments are still being parsed, by
  /// the look of the command line alone. A wrong guess does no harm.
  private static void prewarm(String[] args) {
    String command = args.length == 0 ? "" : args[0];
    if (command.equals("send") || command.equals("receive") || command.equals("serve")) {
      try {
        Greeting.prepare();
      } catch (OutOfMemoryError e) {
        // Whoever needs the thread will say that there is none.
      }
    }
  }

  /// Runs one command line and returns the exit code of the process. Never throws and never exits.
  ///
  /// @param in standard input; unbuffered like `out`, since both carry the bytes of files, and the
  ///   kernel can move those only if it sees a descriptor
  /// @param out standard output, unbuffered
  public static int run(
      Arguments arguments,
      InputStream in,
      OutputStream out,
      PrintStream err,
      Map<String, String> environment) {
    Shell shell = new Shell(in, out, err, environment, arguments);
    try {
      ExitCode code = run(arguments, shell);
      shell.awaitPrinted();
      if (code == ExitCode.OK) {
        shell.finish();
      }
      return code.number();
    } catch (Failure failure) {
      if (Shell.isOfReaderThatLeft(failure)) {
        return BROKEN_PIPE;
      }
      shell.complain(explain(arguments, failure));
      return ended(failure.exitCode(), failure, arguments, shell);
    } catch (OutOfMemoryError e) {
      // Messages of its own: making one of the error's text would need memory.
      shell.complain(
          lacksThread(e)
              ? "zcp: no more threads can be started (raise ulimit -u, or pids.max of the cgroup)"
              : "zcp: internal error: out of memory");
      return ended(ExitCode.INTERNAL, e, arguments, shell);
    } catch (Throwable defect) {
      shell.complain(
          Entries.statx(Entries.AT_FDCWD, ROOT, 0) == -Errno.EPERM
              ? "zcp: statx(2) is not permitted here (update the container runtime: its seccomp"
                  + " profile is older than that call)"
              : "zcp: " + describe(defect));
      return ended(ExitCode.INTERNAL, defect, arguments, shell);
    }
  }

  private static boolean lacksThread(OutOfMemoryError e) {
    String message = e.getMessage();
    return message != null && message.startsWith("unable to create native thread");
  }

  private static ExitCode run(Arguments arguments, Shell shell) throws Failure {
    if (Commands.onlyVersionWanted(arguments)) {
      return print(Version.text(), shell);
    }
    Command command = Commands.chosen(arguments);
    Arguments typed = Commands.argumentsOf(arguments);
    Parser.parse(command, typed, Commands.settingsOf(arguments, command, shell));
    if (command.isHelpWanted() || Commands.helpWanted(arguments)) {
      return print(command.help(), shell);
    }
    if (command.isVersionWanted()) {
      return print(Version.text(), shell);
    }
    return command.run(shell);
  }

  private static ExitCode print(String text, Shell shell) {
    shell.out().print(text);
    return ExitCode.OK;
  }

  private static String explain(Arguments arguments, Failure failure) {
    if (failure.exitCode() != ExitCode.USAGE) {
      return "zcp: " + failure.getMessage();
    }
    String name = Commands.titleOf(arguments);
    return name + ": " + failure.getMessage() + "\ntry '" + name + " --help'";
  }

  private static String describe(Throwable defect) {
    Path settings = Path.of(System.getProperty("java.home"), "conf/security/java.security");
    if (!Files.isReadable(settings)) {
      return "the Java runtime cannot read its settings "
          + Printable.of(settings.toString())
          + " (install zcp anew)";
    }
    String message = defect.getMessage();
    String name = "internal error: " + defect.getClass().getSimpleName();
    return message == null ? name : name + ": " + Printable.of(message);
  }

  private static int ended(ExitCode code, Throwable cause, Arguments arguments, Shell shell) {
    if (arguments.hold("--debug")) {
      cause.printStackTrace(shell.err());
    }
    return code.number();
  }
}
