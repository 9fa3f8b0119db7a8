package dev.zcp.ssh;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// How the other end is started: which ssh, and which zcp there.
///
/// @param words the program and the options that the user gave it. A word of another program than
///   ssh that is `{}` stands for the host, which else comes behind all
/// @param remote the program there and words for it, split as `typed` is; null for whichever is
///   found. The login shell there gets each of them quoted, so that it starts this and nothing else
/// @param isSsh whether it takes the options of ssh, and has a shell run the command. If not, it
///   gets the host and the words of the command, as `docker exec -i` takes them
public record SshCommand(List<String> words, String remote, boolean isSsh) {

  private static final String REMOTE_COMMAND = "--remote-command";

  public static final String SSH = "ssh";

  /// What zcp there is told, always: everything else goes by its standard input.
  public static final String SERVE = "serve";

  /// Where the host stands, as with xargs(1).
  private static final String HOST = "{}";

  private static final String END_OF_OPTIONS = "--";

  /// As scp(1) has them. None of it is asked for by a copy, and some of it would get in its way.
  private static final List<String> OPTIONS =
      List.of(
          "-x",
          "-T",
          "-oClearAllForwardings=yes",
          "-oForwardAgent=no",
          "-oPermitLocalCommand=no",
          "-oRemoteCommand=none");

  public SshCommand {
    words = List.copyOf(words);
  }

  /// Splits `typed` as rsync(1) splits its `-e`: at spaces, which quotes protect. A quote that is
  /// doubled in its own quotes stands for itself. There is no shell.
  ///
  /// @throws Failure USAGE if there is no word, or a quote is not closed
  public static SshCommand of(String typed, String remote) throws Failure {
    return new SshCommand(split("--ssh", typed), required(remote), true);
  }

  /// As [#of], of a program that is no ssh.
  ///
  /// @throws Failure USAGE if there is no word, or a quote is not closed
  public static SshCommand ofOther(String typed, String remote) throws Failure {
    return new SshCommand(split("--rsh", typed), required(remote), false);
  }

  private static String required(String remote) throws Failure {
    if (remote != null && remote.isBlank()) {
      throw Failure.of(ExitCode.USAGE, REMOTE_COMMAND, "names no program");
    }
    return remote;
  }

  /// The text of which Java makes these bytes again for the process that it starts.
  private static String argument(String latin1) {
    Charset charset = Charset.forName(System.getProperty("sun.jnu.encoding"));
    return new String(latin1.getBytes(StandardCharsets.ISO_8859_1), charset);
  }

  private static List<String> split(String option, String typed) throws Failure {
    List<String> words = new ArrayList<>();
    StringBuilder word = null;
    char quote = 0;
    for (int i = 0; i < typed.length(); i++) {
      char c = typed.charAt(i);
      if (quote == 0 && c == ' ') {
        if (word != null) {
          words.add(word.toString());
        }
        word = null;
        continue;
      }
      word = word == null ? new StringBuilder() : word;
      if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (c != quote || quote == 0) {
        word.append(c);
      } else if (i + 1 < typed.length() && typed.charAt(i + 1) == quote) {
        word.append(c);
        i++;
      } else {
        quote = 0;
      }
    }
    if (word != null) {
      words.add(word.toString());
    }
    if (quote != 0 || words.isEmpty() || words.getFirst().isEmpty()) {
      throw Failure.of(
          ExitCode.USAGE, option, quote != 0 ? "a quote is not closed" : "names no program");
    }
    return words;
  }

  /// The command line that starts the end at `login`.
  ///
  /// @param script for sh there, which is run if no program there is named
  /// @throws Failure USAGE if the program takes no user, no port, or not this command
  List<String> line(RemotePath.Login login, String script) throws Failure {
    if (isSsh) {
      return sshLine(login, script);
    }
    if (login.user() != null || login.port() != 0) {
      throw Failure.of(ExitCode.USAGE, login, "--rsh takes a host without user or port")
          .with("its COMMAND may hold them");
    }
    List<String> line = new ArrayList<>(words);
    int place = line.indexOf(HOST);
    if (place < 0) {
      line.add(login.host());
    } else {
      line.set(place, login.host());
    }
    if (takesOptionsAnywhere() && !line.getLast().equals(END_OF_OPTIONS)) {
      line.add(END_OF_OPTIONS);
    }
    if (remote == null) {
      line.addAll(List.of("sh", "-c", script));
    } else {
      line.addAll(split(REMOTE_COMMAND, remote));
      line.add(SERVE);
    }
    return line;
  }

  /// kubectl(1) and oc(1) take options of the command for their own, unless told where theirs end.
  /// docker and podman do not, and would take that for the command.
  private boolean takesOptionsAnywhere() {
    for (String each : words) {
      String name = each.substring(each.lastIndexOf('/') + 1);
      if (name.equals("kubectl") || name.equals("oc")) {
        return true;
      }
    }
    return false;
  }

  private List<String> sshLine(RemotePath.Login login, String script) throws Failure {
    List<String> line = new ArrayList<>(words);
    line.addAll(OPTIONS);
    if (login.port() != 0) {
      line.add("-p");
      line.add(Integer.toString(login.port()));
    }
    if (login.user() != null) {
      line.add("-l");
      line.add(argument(login.user()));
    }
    String command = remote == null ? RemoteShell.commandLine(script) : quotedRemote() + SERVE;
    line.addAll(List.of(END_OF_OPTIONS, login.host(), command));
    return line;
  }

  private String quotedRemote() throws Failure {
    StringBuilder command = new StringBuilder();
    for (String word : split(REMOTE_COMMAND, remote)) {
      command.append(quoted(word)).append(' ');
    }
    return command.toString();
  }

  /// A word as any login shell takes it. One without characters that mean something stays as it is,
  /// so that `~/bin/zcp` is below the home directory there.
  private static String quoted(String word) {
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      boolean isPlain =
          c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c > 0x7f;
      if (!isPlain && "/._-+=:,@%~".indexOf(c) < 0) {
        return "'" + word.replace("'", "'\\''") + "'";
      }
    }
    return word.isEmpty() ? "''" : word;
  }
}
