package dev.zcp.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The arguments of a command line as the bytes that were typed.
///
/// Java decodes them by the locale before `main` sees them: under `LC_ALL=C` every byte above 127
/// becomes U+FFFD, under UTF-8 every byte that is no text does. A file's name may hold such bytes,
/// so if any argument is not ASCII, all are read again from the kernel.
///
/// picocli knows strings only. It is given ISO-8859-1, in which one char is one byte and nothing is
/// lost: the form that [#latin1] returns and that [RawText] turns back.
public final class Arguments {

  /// proc(5): the arguments of this process, each ended by a NUL.
  private static final Path PROCESS_ARGUMENTS = Path.of("/proc/self/cmdline");

  /// A key that a person chose may hold any character.
  private static final Pattern KEY = Pattern.compile("(zcp(?:\\+plain)?://).*@");

  /// Where the launcher puts the key of the first URL among the arguments, since other users can
  /// see those and not the environment. What stands before and behind it stays.
  static final String KEY_VARIABLE = "ZCP_URL_KEY";

  private static final Pattern TAKEN =
      Pattern.compile("(zcp(?:\\+plain)?://)@(.*)", Pattern.DOTALL);

  private final List<String> latin1;

  private Arguments(List<String> latin1) {
    this.latin1 = latin1;
  }

  /// The arguments whose UTF-8 bytes are `texts`.
  public static Arguments of(String... texts) {
    List<String> latin1 = new ArrayList<>(texts.length);
    for (String text : texts) {
      latin1.add(isAscii(text) ? text : RawText.latin1(text.getBytes(StandardCharsets.UTF_8)));
    }
    return new Arguments(latin1);
  }

  public static Arguments of(List<byte[]> arguments) {
    List<String> latin1 = new ArrayList<>(arguments.size());
    for (byte[] argument : arguments) {
      latin1.add(RawText.latin1(argument));
    }
    return new Arguments(latin1);
  }

  /// The arguments of this process, of which `main` got the decoded form `decoded`. What the kernel
  /// does not tell, or tells differently, stays as it was decoded.
  static Arguments raw(String[] decoded) {
    return raw(decoded, PROCESS_ARGUMENTS);
  }

  /// @param commandLine where to read what [#raw(String[])] reads from proc(5)
  static Arguments raw(String[] decoded, Path commandLine) {
    boolean ascii = true;
    for (String argument : decoded) {
      ascii &= isAscii(argument);
    }
    if (ascii) {
      return new Arguments(List.of(decoded));
    }
    try {
      List<byte[]> all = splitAtNul(Files.readAllBytes(commandLine));
      List<byte[]> last = all.subList(Math.max(0, all.size() - decoded.length), all.size());
      return agree(decoded, last) ? of(last) : of(decoded);
    } catch (IOException e) {
      // No /proc in this container: the names that Java could decode still work.
      return of(decoded);
    }
  }

  /// The same, of which the launcher has taken the key: see [#KEY_VARIABLE].
  ///
  /// @param key null if it has taken none
  Arguments withKey(String key) {
    if (key == null) {
      return this;
    }
    List<String> all = new ArrayList<>(latin1);
    for (int i = 0; i < all.size(); i++) {
      Matcher taken = TAKEN.matcher(all.get(i));
      if (taken.matches()) {
        String typed = RawText.latin1(key.getBytes(StandardCharsets.UTF_8));
        all.set(i, taken.group(1) + typed + "@" + taken.group(2));
        break;
      }
    }
    return new Arguments(all);
  }

  /// As it was typed, for somebody who reads it later. A key in a URL is left out.
  String commandLine() {
    StringBuilder line = new StringBuilder("zcp");
    for (String argument : latin1) {
      line.append(' ').append(RawText.quoted(KEY.matcher(argument).replaceAll("$1...@")));
    }
    return line.toString();
  }

  List<String> latin1() {
    return latin1;
  }

  boolean isEmpty() {
    return latin1.isEmpty();
  }

  String first() {
    return latin1.getFirst();
  }

  Arguments rest() {
    return new Arguments(latin1.subList(1, latin1.size()));
  }

  /// Whether `option` stands among the arguments before a `--`.
  boolean hold(String option) {
    for (String argument : latin1) {
      if (argument.equals("--")) {
        return false;
      }
      if (argument.equals(option)) {
        return true;
      }
    }
    return false;
  }

  private static boolean agree(String[] decoded, List<byte[]> raw) {
    if (raw.size() != decoded.length) {
      return false;
    }
    for (int i = 0; i < decoded.length; i++) {
      if (isAscii(decoded[i]) && !decoded[i].equals(RawText.latin1(raw.get(i)))) {
        return false;
      }
    }
    return true;
  }

  private static List<byte[]> splitAtNul(byte[] joined) {
    List<byte[]> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < joined.length; i++) {
      if (joined[i] == 0) {
        parts.add(Arrays.copyOfRange(joined, start, i));
        start = i + 1;
      }
    }
    return parts;
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0x7f) {
        return false;
      }
    }
    return true;
  }
}
