package dev.zcp.core;

/// Where an end listens: `host`, `host:port`, `[v6]:port`, `zcp://KEY@host:port`,
/// `zcp+plain://KEY@host:port`.
///
/// @param scheme what the address says of encryption
/// @param key the key's text, or null if the address holds none
/// @param host a name or a literal address, without brackets
/// @param port 0 to 65535; 0 only to listen
public record Address(Scheme scheme, String key, String host, int port) {

  /// The port of an address that names none.
  public static final int PORT_USUAL = 5230;

  /// All addresses of this machine, of either family.
  private static final String ALL = "::";

  /// What an address says of encryption. It is never negotiated down.
  public enum Scheme {
    /// `host:port`: the default for the place, which is plain on loopback and encrypted elsewhere.
    UNSAID(""),
    /// `zcp://`: encrypted by TLS.
    ENCRYPTED("zcp://"),
    /// `zcp+plain://`: authenticated, not encrypted.
    PLAIN("zcp+plain://"),
    /// The other end was started by ssh, whose pipes are the connection. Nobody types it.
    SSH("");

    private final String prefix;

    Scheme(String prefix) {
      this.prefix = prefix;
    }

    /// What an address of this scheme begins with; empty if that is the host.
    public String prefix() {
      return prefix;
    }
  }

  /// The other end that ssh started on `login`, such as `user@host`.
  public static Address ofSsh(String login, String key) {
    return new Address(Scheme.SSH, key, login, 0);
  }

  /// Whether connections to this address are encrypted.
  ///
  /// @param asked what was said of it besides this address
  /// @param loopback whether nobody but this machine can be at the other end
  public boolean isEncrypted(Scheme asked, boolean loopback) {
    return switch (scheme == Scheme.UNSAID ? asked : scheme) {
      case ENCRYPTED -> true;
      case PLAIN, SSH -> false;
      case UNSAID -> !loopback;
    };
  }

  /// Whether `text` begins as an address that can be nothing else.
  public static boolean isUrl(String text) {
    return text.startsWith(Scheme.ENCRYPTED.prefix()) || text.startsWith(Scheme.PLAIN.prefix());
  }

  /// Whether `text` may be `host:port`. It may as well be the name of a file.
  public static boolean isHostAndPort(String text) {
    try {
      return text.indexOf(':') >= 0 && parse(text).scheme() == Scheme.UNSAID;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /// Where to listen: an address, or `port` or `:port` for all addresses of this machine.
  ///
  /// @throws IllegalArgumentException with the reason, in words for the user
  public static Address parseToListen(String text) {
    String digits = text.startsWith(":") ? text.substring(1) : text;
    return isNumber(digits)
        ? new Address(Scheme.UNSAID, null, ALL, port(text, digits))
        : parse(text);
  }

  /// @throws IllegalArgumentException with the reason, in words for the user
  public static Address parse(String text) {
    String rest = text;
    Scheme scheme = Scheme.UNSAID;
    String key = null;
    int schemeEnd = text.indexOf("://");
    if (schemeEnd >= 0) {
      scheme =
          switch (text.substring(0, schemeEnd)) {
            case "zcp" -> Scheme.ENCRYPTED;
            case "zcp+plain" -> Scheme.PLAIN;
            default -> throw bad(text, "the scheme is neither zcp nor zcp+plain");
          };
      rest = text.substring(schemeEnd + 3);
      int at = rest.lastIndexOf('@');
      if (at == 0) {
        throw bad(text, "there is no key before the @");
      }
      if (at > 0) {
        key = rest.substring(0, at);
        rest = rest.substring(at + 1);
      }
    } else if (text.indexOf('@') >= 0) {
      throw bad(text, "user@host is for ssh and needs a directory, as in ann@nas:inbox");
    }
    boolean bracketed = rest.startsWith("[");
    int colon = rest.lastIndexOf(':');
    boolean hasPort = bracketed ? colon > 0 && colon == rest.lastIndexOf(']') + 1 : colon >= 0;
    int hostEnd = hasPort ? colon : rest.length();
    if (bracketed && rest.charAt(hostEnd - 1) != ']') {
      throw bad(text, "an IPv6 address ends in a bracket, as in [::1]:5230");
    }
    if (!hasPort && scheme != Scheme.UNSAID && key == null) {
      // It may be a key without the rest: taken as a host, it would be shown.
      throw bad(text, "it needs a port, as in zcp://host:5230");
    }
    String host = bracketed ? rest.substring(1, hostEnd - 1) : rest.substring(0, hostEnd);
    if (host.isEmpty() || !bracketed && host.indexOf(':') >= 0) {
      throw bad(text, host.isEmpty() ? "it names no host" : "an IPv6 address goes in brackets");
    }
    if (host.indexOf('/') >= 0) {
      throw bad(text, "a host has no slash");
    }
    int port = hasPort ? port(text, rest.substring(colon + 1)) : PORT_USUAL;
    return new Address(scheme, key, host, port);
  }

  /// `host:port`, without the key: what messages may show.
  @Override
  public String toString() {
    String shown = Printable.of(host);
    if (scheme == Scheme.SSH) {
      return shown;
    }
    return (shown.indexOf(':') >= 0 ? "[" + shown + "]" : shown) + ":" + port;
  }

  private static int port(String text, String digits) {
    if (!isNumber(digits)) {
      boolean hasPath = digits.indexOf('/') > 0;
      throw bad(
          text,
          hasPath
              ? "nothing may follow the port; the other end names its own directory"
              : "the port is not a number");
    }
    int port = digits.length() > 5 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    if (port > 65535) {
      throw bad(text, "a port is at most 65535");
    }
    return port;
  }

  /// Whether `text` has digits and nothing else.
  public static boolean isNumber(String text) {
    // Not by a stream, which would load 30 classes at each start.
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /// The message shows no key: neither what stands before the last `@`, nor what follows the scheme
  /// if the `@` was forgotten.
  private static IllegalArgumentException bad(String text, String reason) {
    int at = text.lastIndexOf('@');
    int schemeEnd = text.indexOf("://");
    boolean ours = text.startsWith("zcp") && schemeEnd >= 0;
    String shown =
        at < 0 && ours ? text.substring(0, schemeEnd + 3) + "..." : text.substring(at + 1);
    return new IllegalArgumentException(
        "'" + Printable.of(shown) + "' is not an address: " + reason);
  }
}
