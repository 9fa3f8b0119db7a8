package dev.zcp.cli;

import dev.zcp.cli.OptionConflict.Use;
import dev.zcp.core.Address;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.session.Flow;
import dev.zcp.session.KeySource;
import java.util.List;

/// The options of a command that talks to a peer: how it uses its connections, and who may talk to
/// whom.
final class PeerOptions extends Options {

  /// The kernel keeps twice the size in an int: sock_setsockopt in net/core/sock.c.
  private static final int SOCKET_BUFFER_BYTES_MAX = Integer.MAX_VALUE / 2;

  /// Slower than this the smallest piece takes more than a second, and a peer may wait no longer.
  static final long RATE_BYTES_MIN = 1024;

  /// TCP_CA_NAME_MAX of net/tcp.h less its NUL byte.
  private static final int CONGESTION_CHARS_MAX = 15;

  static final String LISTEN_USUAL = "127.0.0.1:5230";

  private static final List<String> CONGESTIONS = List.of("bbr", "cubic", "reno");

  /// The environment variable that may hold the key: arguments can be seen by others, it cannot.
  private static final String KEY_VARIABLE = "ZCP_KEY";

  static final List<OptionConflict> CONFLICTS =
      List.of(
          OptionConflict.of("--plain", "--tls", "one does not encrypt, and the other does"),
          OptionConflict.of(Use.SSH, "--socket-buffer --congestion --key-file --plain --tls"));

  static final String OF_HTTP = "browsers and curl know nothing of it";

  static final OptionConflict OF_WEB =
      OptionConflict.of(
          "--web",
          "--limit-rate --socket-buffer --congestion --strategy --chunk-size",
          "it does not choose how browsers and curl use their connections");

  private final Option stallTimeout = option("--stall-timeout=TIME", "30s");
  private final Option limitRate = option("--limit-rate=SIZE");
  private final Option socketBuffer = option("--socket-buffer=SIZE");
  private final Option congestion = option("--congestion=NAME", null, CONGESTIONS);
  private final Option keyFile = option("--key-file=FILE");
  private final Option plain = option("--plain");
  private final Option tls = option("--tls");

  KeySource key(Shell shell) throws Failure {
    RawPath file = pathOf(keyFile);
    boolean typed = file != null && file.isStandardStream();
    return new KeySource(
        file, typed ? shell.in() : null, shell.variable(KEY_VARIABLE), shell.sharedKeys());
  }

  /// Where a key may come from without an option.
  static KeySource keyWithoutOption(Shell shell) {
    return new KeySource(null, shell.variable(KEY_VARIABLE), shell.sharedKeys());
  }

  /// What was said of encryption besides the address.
  Address.Scheme encryption() {
    return isSet(plain)
        ? Address.Scheme.PLAIN
        : isSet(tls) ? Address.Scheme.ENCRYPTED : Address.Scheme.UNSAID;
  }

  Flow flow(long connectTimeoutNs) throws Failure {
    return new Flow(
        isKnown(limitRate) ? bytes(limitRate, RATE_BYTES_MIN, Long.MAX_VALUE) : 0,
        connectTimeoutNs,
        elapsedNs(stallTimeout),
        isKnown(socketBuffer) ? (int) bytes(socketBuffer, 1, SOCKET_BUFFER_BYTES_MAX) : 0,
        congestion());
  }

  /// The kernel decides if it has one of this name: it may load a module for it.
  private String congestion() throws Failure {
    String typed = valueOf(congestion);
    if (typed == null) {
      return null;
    }
    boolean isName = !typed.isEmpty() && typed.length() <= CONGESTION_CHARS_MAX;
    for (int i = 0; i < typed.length(); i++) {
      char c = typed.charAt(i);
      isName &= c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-';
    }
    if (!isName) {
      throw usage(
          "--congestion: '"
              + RawText.printable(typed)
              + "' is not a congestion control; use bbr, cubic or another that"
              + " net.ipv4.tcp_available_congestion_control lists");
    }
    return typed;
  }

  /// The address that was typed.
  ///
  /// @throws Failure USAGE if `latin1` is no address; the message shows no key
  static Address address(String latin1) throws Failure {
    if (latin1.indexOf(':') < 0 && FileStatus.exists(RawText.path(latin1))) {
      throw usage(RawText.path(latin1) + " is a file or directory here; an address comes first");
    }
    try {
      return Address.parse(RawText.text(latin1));
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage()).because(e);
    }
  }

  /// The address that `--listen` gave.
  static Address listenAddress(String latin1) throws Failure {
    try {
      Address address = Address.parseToListen(RawText.text(latin1));
      if (address.scheme() != Address.Scheme.UNSAID) {
        throw usage("--listen takes HOST:PORT; use --key-file for the key, and --plain or --tls");
      }
      return address;
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage()).because(e);
    }
  }
}
