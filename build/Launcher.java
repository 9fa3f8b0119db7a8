import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/// The `sh` script that users start. A program in C would save 2 ms of 30, and need a build for
/// each kind of machine.
///
/// The arguments must come last and as they are, since zcp reads their bytes from
/// `/proc/self/cmdline`: Java's own strings lose those that are no text in the locale's encoding.
final class Launcher {

  private static final String TEXT =
      """
      #!/bin/sh
      # Starts zcp on the runtime beside it. Made by build/Dist.java; the JVM's flags are those with
      # which the caches in lib were made, and they serve no others.

      # A standard stream that is closed would be the number of the next file that is opened, and
      # take its bytes or give it ours. Opened the wrong way round, it fails as a closed one does.
      if ! true 3>&2; then exec 2> /dev/null; fi
      if ! true 2> /dev/null 3<&0; then exec 0> /dev/null; fi
      if ! true 2> /dev/null 3>&1; then exec 1< /dev/null; fi

      # The JVM would announce each of these on standard error.
      unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS

      # What the JVM would complain of in many lines, with an exit code that means something else.
      refuse() {
        echo "zcp: $1 (nothing was done; $2)" >&2
        exit "$3"
      }

      # A JVM finds itself by /proc, and zcp its arguments.
      if [ ! -e /proc/self/cmdline ]; then
        refuse 'there is no /proc here' 'mount it: mount -t proc proc /proc' 70
      fi

      self=$0
      case $self in */*) ;; *) self=./$self ;; esac
      while [ -h "$self" ]; do
        link=$(readlink "$self")
        case $link in /*) self=$link ;; *) self=${self%/*}/$link ;; esac
      done
      home=${self%/*}/..

      # In the C locale a JVM finds neither itself nor a file where a path is not ASCII (PEP 540 tells
      # the same story of another language).
      case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
        C | POSIX) export LC_ALL=C.UTF-8 ;;
      esac

      # A JVM that has no working directory ends with a stack trace. dash leaves PWD empty there, and
      # pwd calls it a success; bash leaves the old path.
      if [ -z "${PWD-}" ]; then
        refuse 'the working directory is gone' 'change to one that exists' 3
      elif [ ! -d "$PWD" ]; then
        if ! pwd -P > /dev/null 2>&1; then
          refuse 'the working directory is gone' 'change to one that exists' 3
        # No path is longer than 4095 bytes, which may be a quarter as many characters.
        elif [ ${#PWD} -gt 1023 ]; then
          refuse 'the path of the working directory is too long' 'change to one further up' 3
        fi
      fi

      # The JVM looks for its own files by a path in which ':' separates, and that is text. Only a path
      # that looks wrong is worth the processes that it takes to be sure.
      case $home in /*) path=$home ;; *) path=$PWD/$home ;; esac
      case $path in
        *[!\\ -9\\;-~]*)
          path=$(cd "$home" && pwd -P)
          case $path in
            *:*) refuse "zcp cannot run from a directory with ':' in its path" 'move it' 70 ;;
          esac
          if command -v iconv > /dev/null &&
            ! printf %s "$path" | iconv -f UTF-8 -t UTF-8 > /dev/null 2>&1; then
            refuse 'zcp cannot run from a directory whose path is not UTF-8' 'move it' 70
          fi
          ;;
      esac

      heap=
      jit=
      space=4194304
      # Every class of a cache is linked at the start, so each kind of command has a cache of its own.
      case ${1-} in
        # A colon may be that of another machine, and then the copy is a session.
        copy | plan) case $* in *:*) cache=peer ;; *) cache=copy ;; esac ;;
        strategies | explain | report) cache=copy ;;
        # To hold a file of 1 GiB in one array, which is what some measure, takes three times as much.
        bench) cache=copy heap=-Xmx3g space=8388608 ;;
        send | receive | serve) cache=peer ;;
        *) cache=start ;;
      esac
      # The second compiler never repays itself: without it 15,000 files took 0.20 s and not 0.29,
      # 100,000 took 0.54 and not 0.71, and 1 GiB sent took 0.81 and not 0.97, since it leaves the
      # processors to those who move bytes. Cryptography comes from a library of its own.
      # A small young generation costs a copy no time and keeps memory small, however many files
      # there are. A session remembers entries for as long as their answers take: in 8 MiB too many
      # of them are there at each collection, and 100,000 files take a fifth longer, and more memory.
      case "${1-} $*" in
        "copy "*:*) jit=-XX:TieredStopAtLevel=1 heap=-Xmn32m ;;
        "copy "*) jit=-XX:TieredStopAtLevel=1 heap=-Xmn8m ;;
        "send "* | "receive "* | "serve "*) jit=-XX:TieredStopAtLevel=1 heap=-Xmn32m ;;
      esac
      # A session with a tree goes through so much code that methods repay being compiled after a
      # quarter of the usual calls; a single small file would take a tenth longer (decision 52).
      early=
      case $cache-${1-} in
        peer-receive) early=-XX:CompileThresholdScaling=0.25 ;;
        peer-send | peer-copy)
          for each; do
            if [ -d "$each" ]; then
              early=-XX:CompileThresholdScaling=0.25
              break
            fi
          done
          ;;
      esac
      # A cache that cannot be read costs more than none, and an error on every start.
      if [ -r "$home/lib/$cache.aot" ]; then
        cache=-XX:AOTCache=$home/lib/$cache.aot
      else
        cache=-Xshare:auto
      fi

      # A JVM reserves much more address space than it uses. A soft limit on it can be lifted.
      if ! ulimit -S -v unlimited 2> /dev/null && [ "$(ulimit -v)" -lt $space ] 2> /dev/null; then
        refuse "too little address space: $(ulimit -v) KiB of $space" 'raise ulimit -v' 70
      fi

      # A crash ends by SIGABRT, leaves its report where it harms nobody, and no core. The report has
      # the command line, so there is none of a command with a key in it.
      ulimit -c 0
      reports=${TMPDIR:-/tmp}
      if [ ! -w "$reports" ]; then reports=/tmp; fi
      case "$*" in
        *://*@*) report=/dev/null ;;
        *) report=$reports/zcp-crash-%p.log ;;
      esac

      # Signals are the native library's business (dev.zcp.linux.Signals): the JVM's own handlers
      # cannot bear a signal before it has started. Without the library they must do.
      signals=
      if [ -r "$home/lib/libzcp.so" ]; then signals=-Xrs; fi

      terminal=false
      if [ -t 2 ]; then terminal=true; fi
      keyboard=false
      if [ -t 0 ]; then keyboard=true; fi

      exec "$home/runtime/bin/java" \\
      @FLAGS@
        ${signals:+"$signals"} ${heap:+"$heap"} ${jit:+"$jit"} ${early:+"$early"} "$cache" \\
        "-XX:ErrorFile=$report" \\
        "-Dzcp.terminal=$terminal" "-Dzcp.keyboard=$keyboard" "-Dzcp.home=$home" \\
        "-Djava.library.path=$home/lib" \\
        -cp "$home/lib/zcp.jar" @MAIN@ "$@"
      """;

  private Launcher() {}

  static void write(Path file, Jvm jvm) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String flag : jvm.flags()) {
      lines.add("  '" + flag + "' \\");
    }
    Files.createDirectories(file.getParent());
    Files.writeString(
        file, TEXT.replace("@FLAGS@", String.join("\n", lines)).replace("@MAIN@", Jvm.MAIN));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
