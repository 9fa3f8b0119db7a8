package dev.zcp.ssh;

/// What the shell on another machine is told: start the zcp that is there, and if there is none,
/// say so and do what a script says that comes on standard input.
///
/// A zcp that [Deployment] has put there is the same build, so it comes before one that was
/// installed. It is started only if nobody but this user and root can have changed it: each of the
/// directories that lead to it belongs to one of the two, and others cannot write in it, unless it
/// is one like /tmp, where nobody renames what belongs to somebody else.
///
/// The request of a session is on its way by then, so the shell skips all up to a line that only
/// who hears it can know.
final class RemoteShell {

  /// `89 7a 63 70 2d 0d 1a 0a`, and then a line with what separates the script from what is around
  /// it: there is no zcp.
  static final byte[] NONE = {(byte) 0x89, 'z', 'c', 'p', '-', '\r', 0x1a, '\n'};

  /// Every login shell takes this as one word in single quotes: so it has neither quotes nor `!`,
  /// which tcsh takes for its history, nor two backslashes, of which fish makes one, nor a line
  /// break. The script that follows uses its functions and variables.
  private static final String FIND =
      """
      me=$(id -u); name=@NAME@-$(uname -m); \
      cache=${XDG_CACHE_HOME:-}; \
      case $cache in /*) ;; *) cache=${HOME:+$HOME/.cache} ;; esac; \
      spool=$(cd -P /var/tmp 2>/dev/null && pwd -P); spool=${spool:+$spool/zcp-$me}; \
      safe() { [ -z "$(find "$@" -prune "(" -perm -1000 -user 0 -o -perm -2 -print \
      -o -perm -20 -print -o -user 0 -o -user "$me" -o -print ")" 2>&1)" ]; }; \
      found() { [ -x "$1/$name/bin/zcp" ] && safe "${1%/*/*}/" "${1%/*}" "$1" "$1/$name"; }; \
      """;

  private static final String START =
      """
      for place in "$(cd -P "${cache:-/none}" 2>/dev/null && pwd -P)/zcp" "$spool"; do \
      found "$place" && exec "$place/$name/bin/zcp" serve; done; \
      command -v zcp >/dev/null 2>&1 && exec zcp serve; \
      """;

  private static final String TAKE_SCRIPT =
      """
      token=$(cat /proc/sys/kernel/random/uuid 2>/dev/null); \
      printf "\\211zcp-\\r\\032\\n%s\\n" "$token"; [ -n "$token" ] || exit 127; \
      line=; until [ "$line" = "$token" ]; do IFS= read -r line || exit 127; done; \
      script=; end=$(printf "\\nx"); end=${end%x}; \
      while IFS= read -r line || exit 127; do \
      [ "$line" = "$token" ] && break; script=$script$line$end; done; \
      eval "$script"\
      """;

  private RemoteShell() {}

  /// @param startsZcp whether it starts a zcp that is there
  static String script(OwnBuild build, boolean startsZcp) {
    return FIND.replace("@NAME@", build.name()) + (startsZcp ? START : "") + TAKE_SCRIPT;
  }

  /// As a login shell takes it, whichever that is.
  static String commandLine(String script) {
    return "exec sh -c '" + script + "'";
  }
}
