package dev.zcp.cli;

import dev.zcp.core.RawPath;
import java.util.ArrayList;
import java.util.List;

/// Where the environment says that the profile is: XDG Base Directory Specification.
final class ProfilePath {

  /// A variable and no option: whoever wants no profile, or another, wants it for every command.
  private static final String VARIABLE = "ZCP_PROFILE";

  static final List<Manual.Variable> VARIABLES =
      List.of(
          new Manual.Variable(
              VARIABLE,
              "The profile that 'zcp bench --tune' writes and auto reads. Default:"
                  + " zcp/profile.json in XDG_CONFIG_HOME, or in ~/.config. If it is empty, no"
                  + " profile is used."));

  private ProfilePath() {}

  /// `others`, and those of the profile.
  static List<Manual.Variable> with(List<Manual.Variable> others) {
    List<Manual.Variable> all = new ArrayList<>(others);
    all.addAll(VARIABLES);
    return all;
  }

  /// The file, or null if there is to be none.
  static RawPath of(Shell shell) {
    String given = shell.variable(VARIABLE);
    if (given != null) {
      return given.isEmpty() ? null : RawPath.of(given);
    }
    String config = shell.variable("XDG_CONFIG_HOME");
    if (isAbsolute(config)) {
      return RawPath.of(config + "/zcp/profile.json");
    }
    String home = shell.variable("HOME");
    return isAbsolute(home) ? RawPath.of(home + "/.config/zcp/profile.json") : null;
  }

  /// The specification has relative paths ignored.
  private static boolean isAbsolute(String path) {
    return path != null && path.startsWith("/");
  }
}
