package dev.zcp.ssh;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.RawPath;
import dev.zcp.walk.OperandRoots;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A path on another machine, as scp(1) has it: `[USER@]HOST:PATH`, or
/// `ssh://[USER@]HOST[:PORT]/PATH`.
///
/// @param login where to log in
/// @param path its bytes; empty for the home directory
/// @param isForContent whether of a source that is a directory what is in it is meant, however it
///   is typed
public record RemotePath(Login login, byte[] path, boolean isForContent) {

  private static final String URL = "ssh://";
  private static final int PORT_MAX = 65535;
  private static final byte[] HERE = {'.'};

  RemotePath(Login login, byte[] path) {
    this(login, path, false);
  }

  /// An account on a machine.
  ///
  /// @param user each byte a char; null if ssh is to know
  /// @param host a name, an alias of ssh's configuration or an address without brackets
  /// @param port 0 if ssh is to know
  public record Login(String user, String host, int port) {

    @Override
    public String toString() {
      String shown = Printable.of(bytes(user == null ? host : user + "@" + host));
      return port == 0 ? shown : shown + " port " + port;
    }
  }

  /// What was typed, if it names a path on another machine.
  ///
  /// @param typed each byte a char
  /// @return null if it is a path on this one
  /// @throws Failure USAGE if it names another machine, but none that can be
  public static RemotePath of(String typed) throws Failure {
    if (typed.startsWith(URL)) {
      return ofUrl(typed);
    }
    int colon = colon(typed);
    if (colon < 0) {
      return null;
    }
    if (typed.startsWith("//", colon + 1)) {
      // It may hold a key, so it is not shown.
      throw Failure.of(
              ExitCode.USAGE, "the only URL of a path on another machine is ssh://HOST/PATH")
          .with(
              typed.startsWith("http")
                  ? "curl and browsers speak http, with 'zcp receive --web' and 'zcp send --web'"
                  : "zcp:// is for zcp send and zcp receive; for a path that begins with //, write"
                      + " one /");
    }
    Login login = login(typed, typed.substring(0, colon), 0);
    return new RemotePath(login, bytes(typed.substring(colon + 1)));
  }

  /// Whether it is typed as the other path, or as one below that.
  public boolean isIn(RemotePath other) {
    byte[] above = withSlash(other.path);
    byte[] own = withSlash(path);
    return login.equals(other.login)
        && own.length >= above.length
        && Arrays.equals(above, Arrays.copyOf(own, above.length));
  }

  /// Ended by one slash; the home directory stays empty.
  private static byte[] withSlash(byte[] path) {
    int end = path.length;
    while (end > 0 && path[end - 1] == '/') {
      end--;
    }
    if (path.length == 0) {
      return path;
    }
    byte[] ended = Arrays.copyOf(path, end + 1);
    ended[end] = '/';
    return ended;
  }

  /// Whether it has no name as a source: what is in it is meant.
  public boolean isContent() {
    return isForContent || isContent(path);
  }

  /// Whether a shell would expand it.
  static boolean looksLikePattern(byte[] path) {
    for (byte each : path) {
      if (each == '*' || each == '?' || each == '[') {
        return true;
      }
    }
    return false;
  }

  static boolean isContent(byte[] path) {
    if (path.length == 0) {
      return true;
    }
    RawPath asked = RawPath.of(path);
    byte[] name = asked.lastComponent();
    boolean isHome = path[0] == '~' && name.length == 1 && asked.parent().equals(RawPath.of(HERE));
    return name.length == 0 || isHome || OperandRoots.isDots(name);
  }

  /// Whether what was typed is of the form `HOST:DIGITS`, which is an address of zcp's own.
  public static boolean hasPort(String typed) {
    int colon = typed.lastIndexOf(':');
    return colon >= 0 && !typed.startsWith(URL) && Address.isNumber(typed.substring(colon + 1));
  }

  /// The colon that ends the host: the first one, unless a slash comes before it or nothing does.
  /// In brackets colons are those of an address.
  private static int colon(String typed) {
    boolean bracketed = typed.startsWith("[");
    for (int i = 0; i < typed.length(); i++) {
      char c = typed.charAt(i);
      if (c == '/') {
        return -1;
      }
      bracketed |= c == '@' && typed.startsWith("[", i + 1);
      bracketed &= c != ']';
      if (c == ':' && !bracketed) {
        return i == 0 ? -1 : i;
      }
    }
    return -1;
  }

  private static RemotePath ofUrl(String typed) throws Failure {
    String rest = typed.substring(URL.length());
    int slash = rest.indexOf('/');
    String where = slash < 0 ? rest : rest.substring(0, slash);
    int colon = where.lastIndexOf(':');
    int port = 0;
    if (colon >= 0 && where.indexOf(']', colon) < 0) {
      port = port(typed, where.substring(colon + 1));
      where = where.substring(0, colon);
    }
    byte[] path = slash < 0 ? new byte[0] : decoded(typed, rest.substring(slash));
    boolean isHome = path.length > 1 && path[1] == '~';
    return new RemotePath(
        login(typed, where, port), isHome ? Arrays.copyOfRange(path, 1, path.length) : path);
  }

  private static Login login(String typed, String where, int port) throws Failure {
    int at = where.lastIndexOf('@');
    String user = at < 0 ? null : where.substring(0, at);
    String host = where.substring(at + 1);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    // What ssh would take for an option, or hand to a shell of its configuration.
    if (!isPlain(host)) {
      throw bad(typed, "that is not the name of a host");
    }
    if (user != null && !isUser(user)) {
      throw bad(typed, "that is no name of a user that ssh takes");
    }
    return new Login(user, host, port);
  }

  private static boolean isPlain(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c <= ' ' || c >= 0x7f || "'`\"$\\;&<>|(){}".indexOf(c) >= 0) {
        return false;
      }
    }
    return !name.isEmpty() && !name.startsWith("-");
  }

  /// As ssh's own valid_ruser (ssh.c of OpenSSH 9.6) has it, since its configuration may hand the
  /// name to a shell. No shell of this zcp sees it: ssh gets it as one argument, behind `-l`.
  private static boolean isUser(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      char next = i + 1 < name.length() ? name.charAt(i + 1) : 0;
      boolean isControl = c < ' ' || c == 0x7f;
      if (isControl
          || "'`\";&<>|(){}".indexOf(c) >= 0
          || c == ' ' && next == '-'
          || c == '\\' && next == 0) {
        return false;
      }
    }
    return !name.isEmpty() && !name.startsWith("-");
  }

  private static int port(String typed, String digits) throws Failure {
    boolean isShort = digits.length() <= Integer.toString(PORT_MAX).length();
    int port = isShort && Address.isNumber(digits) ? Integer.parseInt(digits) : 0;
    if (port < 1 || port > PORT_MAX) {
      throw bad(typed, "the port is not a number from 1 to " + PORT_MAX);
    }
    return port;
  }

  /// RFC 3986, section 2.1.
  private static byte[] decoded(String typed, String path) throws Failure {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(path.length());
    for (int i = 0; i < path.length(); i++) {
      if (path.charAt(i) != '%') {
        bytes.write(path.charAt(i));
        continue;
      }
      int high = i + 2 < path.length() ? Character.digit(path.charAt(i + 1), 16) : -1;
      int low = high < 0 ? -1 : Character.digit(path.charAt(i + 2), 16);
      if (low < 0 || high + low == 0) {
        throw bad(typed, "a % in a URL stands before two hexadecimal digits; write %25");
      }
      bytes.write(high << 4 | low);
      i += 2;
    }
    return bytes.toByteArray();
  }

  private static byte[] bytes(String latin1) {
    return latin1.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static Failure bad(String typed, String reason) {
    return Failure.of(ExitCode.USAGE, "'" + Printable.of(bytes(typed)) + "'", reason);
  }

  @Override
  public String toString() {
    return login + ":" + Printable.of(path);
  }
}
