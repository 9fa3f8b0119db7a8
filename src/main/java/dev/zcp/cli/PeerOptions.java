package dev.zcp.cli;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.session.KeySource;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of a command that talks to a peer about who may talk to whom.
final class PeerOptions {

  /// The environment variable that may hold the key: arguments can be seen by others, it cannot.
  static final String KEY_VARIABLE = "ZCP_KEY";

  static final List<Manual.Variable> VARIABLES =
      List.of(
          new Manual.Variable(
              KEY_VARIABLE,
              "The key that both ends share, if neither the URL nor --key-file gives one."),
          new Manual.Variable(
              "XDG_RUNTIME_DIR",
              "The directory in which a receiver leaves its key for senders of the same"
                  + " user on this machine. Default: XDG_CACHE_HOME, or ~/.cache."));

  private final OptionSpec keyFile =
      Options.value(
              "FILE",
              "Read the key that both ends share from FILE. Only its owner may have"
                  + " access to FILE.",
              "--key-file")
          .build();
  private final OptionSpec plain =
      Options.flag(
          "Allow connections to other machines that are authenticated but not encrypted.",
          "--plain");

  void addTo(CommandSpec spec) {
    for (OptionSpec option : List.of(keyFile, plain)) {
      spec.addOption(option);
    }
  }

  KeySource key(Shell shell) throws Failure {
    String file = Options.valueOf(keyFile);
    RawPath path = file == null ? null : RawText.path(file);
    return new KeySource(path, shell.variable(KEY_VARIABLE), sharedKeys(shell));
  }

  /// Where a key may come from without an option.
  static KeySource keyWithoutOption(Shell shell) {
    return new KeySource(null, shell.variable(KEY_VARIABLE), sharedKeys(shell));
  }

  /// Where receivers leave keys for senders of the same user: the user's runtime directory, else
  /// the cache directory (XDG Base Directory Specification); null if there is neither.
  private static RawPath sharedKeys(Shell shell) {
    String runtime = shell.variable("XDG_RUNTIME_DIR");
    if (isAbsolute(runtime)) {
      return RawPath.of(runtime + "/zcp");
    }
    String cache = shell.variable("XDG_CACHE_HOME");
    if (isAbsolute(cache)) {
      return RawPath.of(cache + "/zcp");
    }
    String home = shell.variable("HOME");
    return isAbsolute(home) ? RawPath.of(home + "/.cache/zcp") : null;
  }

  /// The specification has relative paths ignored.
  private static boolean isAbsolute(String path) {
    return path != null && path.startsWith("/");
  }

  boolean plain() {
    return Options.isSet(plain);
  }

  /// The address that was typed.
  ///
  /// @throws Failure USAGE if `latin1` is no address; the message shows no key
  static Address address(String latin1) throws Failure {
    try {
      return Address.parse(RawText.text(latin1));
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.USAGE, e.getMessage()).because(e);
    }
  }
}
