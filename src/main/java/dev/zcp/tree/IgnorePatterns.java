package dev.zcp.tree;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.RawPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Patterns in the syntax of gitignore(5). The last one that matches a path decides.
///
/// Names are bytes, as they are to git: `?` and `[...]` stand for one byte. A malformed pattern,
/// such as `[a`, matches nothing in git; here it is refused.
public final class IgnorePatterns {

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  /// A file of patterns is written by people.
  private static final int FILE_BYTES_MAX = 16 << 20;

  private final List<Rule> rules = new ArrayList<>();

  /// @param isPath whether the glob is compared with the whole path, and not with its last name
  /// @param excludes whether what matches is left out; otherwise it is taken again
  private record Rule(Glob glob, boolean isPath, boolean directoriesOnly, boolean excludes) {}

  /// Adds a pattern given as an argument: a leading `!` negates it, `#` has no meaning.
  ///
  /// @param excludes whether what matches is left out; if not, `!` has no meaning either
  /// @throws Failure USAGE if it is malformed
  public void add(byte[] pattern, boolean excludes) throws Failure {
    add(pattern, excludes, Printable.of(pattern));
  }

  /// Adds the lines of a file such as `.gitignore`, which has comments and ignored spaces at the
  /// end of a line.
  ///
  /// @param file its name, for messages
  /// @throws Failure USAGE if a line is malformed
  public void addLines(byte[] text, String file) throws Failure {
    int number = 1;
    int from =
        Arrays.mismatch(text, BYTE_ORDER_MARK) == BYTE_ORDER_MARK.length
            ? BYTE_ORDER_MARK.length
            : 0;
    for (int i = from; i <= text.length; i++) {
      if (i == text.length || text[i] == '\n') {
        if (from < i && text[from] != '#') {
          int end = text[i - 1] == '\r' ? i - 1 : i;
          byte[] line = Arrays.copyOfRange(text, from, lineEnd(text, from, end));
          add(line, true, file + ": line " + number);
        }
        from = i + 1;
        number++;
      }
    }
  }

  /// Leaves out what these patterns exclude, including patterns added later.
  public Filter filter() {
    return this::excludes;
  }

  private boolean excludes(byte[] path, boolean isDirectory) {
    int lastName = path.length;
    while (lastName > 0 && path[lastName - 1] != '/') {
      lastName--;
    }
    for (int i = rules.size() - 1; i >= 0; i--) {
      Rule rule = rules.get(i);
      if ((isDirectory || !rule.directoriesOnly())
          && rule.glob().matches(path, rule.isPath() ? 0 : lastName)) {
        return rule.excludes();
      }
    }
    return false;
  }

  private void add(byte[] pattern, boolean excludes, String subject) throws Failure {
    int from = 0;
    int end = pattern.length;
    boolean negated = excludes && end > 0 && pattern[0] == '!';
    if (negated) {
      from++;
    }
    boolean directoriesOnly = from < end && pattern[end - 1] == '/';
    if (directoriesOnly) {
      end--;
    }
    if (from == end) {
      return;
    }
    boolean isPath = indexOf(pattern, '/', from, end) < end;
    if (pattern[from] == '/') {
      from++;
    }
    Glob glob = new GlobParser(pattern, from, end, subject).parse();
    rules.add(new Rule(glob, isPath, directoriesOnly, excludes && !negated));
  }

  /// Where a line ends without the spaces at its end that no backslash protects.
  private static int lineEnd(byte[] text, int from, int end) {
    int lineEnd = from;
    for (int i = from; i < end; i++) {
      if (text[i] == '\\') {
        i++;
        lineEnd = Math.min(i + 1, end);
      } else if (text[i] != ' ') {
        lineEnd = i + 1;
      }
    }
    return lineEnd;
  }

  /// The text of a file of patterns.
  ///
  /// @throws IOException if it cannot be read, or is longer than [#FILE_BYTES_MAX]
  public static byte[] contentOf(RawPath file) throws IOException {
    try (InputStream in = Files.newInputStream(file.toPath())) {
      byte[] bytes = in.readNBytes(FILE_BYTES_MAX + 1);
      if (bytes.length > FILE_BYTES_MAX) {
        throw new IOException("longer than " + FILE_BYTES_MAX + " bytes");
      }
      return bytes;
    }
  }

  /// The index of a byte, or `end` if it is not there.
  private static int indexOf(byte[] bytes, char wanted, int from, int end) {
    int i = from;
    while (i < end && bytes[i] != wanted) {
      i++;
    }
    return i;
  }

  /// A pattern as a row of tokens: a byte, one of the constants below, or [#SET] plus the index of
  /// a set.
  private record Glob(int[] tokens, List<boolean[]> sets) {

    /// `?`: one byte that is no slash.
    static final int ANY = 256;

    /// `*`: any bytes but slashes.
    static final int STAR = 257;

    /// `**` at the end: any bytes.
    static final int ALL = 258;

    /// `**/`: nothing, or any bytes up to a slash.
    static final int DIRECTORIES = 259;

    static final int SET = 260;

    /// Whether the glob matches all of `name` from `from` on.
    ///
    /// `live[i]` says that the first `i` tokens match the bytes read so far. Each byte visits each
    /// token once, so no pattern costs more than its length times that of the name.
    boolean matches(byte[] name, int from) {
      boolean[] live = new boolean[tokens.length + 1];
      reach(0, live);
      for (int at = from; at < name.length; at++) {
        int b = name[at] & 0xff;
        boolean alive = false;
        for (int i = tokens.length; i >= 0; i--) {
          if (live[i]) {
            live[i] = false;
            alive |= step(i, b, live);
          }
        }
        if (!alive) {
          return false;
        }
      }
      return live[tokens.length];
    }

    /// Moves on from state `i` by one byte; false if the byte does not fit.
    private boolean step(int i, int b, boolean[] live) {
      if (i == tokens.length) {
        return false;
      }
      int token = tokens[i];
      switch (token) {
        case ALL -> reach(i, live);
        case DIRECTORIES -> {
          live[i] = true;
          if (b == '/') {
            reach(i + 1, live);
          }
        }
        case STAR -> {
          if (b == '/') {
            return false;
          }
          reach(i, live);
        }
        default -> {
          boolean fits = token < ANY ? token == b : b != '/' && (token == ANY || has(token, b));
          if (!fits) {
            return false;
          }
          reach(i + 1, live);
        }
      }
      return true;
    }

    private boolean has(int token, int b) {
      return sets.get(token - SET)[b];
    }

    /// Marks a state, and those after it that need no byte. They are later ones, which this step
    /// has passed already.
    private void reach(int state, boolean[] live) {
      int i = state;
      live[i] = true;
      while (i < tokens.length && tokens[i] >= STAR && tokens[i] <= DIRECTORIES) {
        i++;
        live[i] = true;
      }
    }
  }

  /// Reads a pattern as git's wildmatch.c does, even if gitignore(5) does not say how.
  private static final class GlobParser {

    private final byte[] pattern;
    private final int end;
    private final String subject;
    private final int[] tokens;
    private final List<boolean[]> sets = new ArrayList<>();
    private int at;
    private int count;

    GlobParser(byte[] pattern, int from, int end, String subject) {
      this.pattern = pattern;
      this.at = from;
      this.end = end;
      this.subject = subject;
      this.tokens = new int[end - from];
    }

    Glob parse() throws Failure {
      boolean atName = true;
      while (at < end) {
        int token = next(atName);
        atName = token == '/' || token == Glob.DIRECTORIES;
        // Two of them in a row match what one does.
        if (token != Glob.DIRECTORIES || count == 0 || tokens[count - 1] != token) {
          tokens[count++] = token;
        }
      }
      return new Glob(Arrays.copyOf(tokens, count), sets);
    }

    /// @param atName whether a name of the path begins here
    private int next(boolean atName) throws Failure {
      byte c = pattern[at++];
      return switch (c) {
        case '?' -> Glob.ANY;
        case '*' -> stars(atName);
        case '[' -> set();
        case '\\' -> escaped() & 0xff;
        default -> c & 0xff;
      };
    }

    private int stars(boolean atName) {
      int first = at - 1;
      while (at < end && pattern[at] == '*') {
        at++;
      }
      if (at - first < 2 || !atName) {
        return Glob.STAR;
      }
      if (at == end || pattern[at] == '\\' && at + 1 < end && pattern[at + 1] == '/') {
        return Glob.ALL;
      }
      if (pattern[at] != '/') {
        return Glob.STAR;
      }
      at++;
      return Glob.DIRECTORIES;
    }

    private byte escaped() throws Failure {
      if (at == end) {
        throw malformed("it ends with a backslash");
      }
      return pattern[at++];
    }

    /// Reads a set behind its `[`. A `]` at the start is a member. A `-` is one at either end, and
    /// after a range or a class. In a reversed range, such as `z-a`, only the `z` is a member.
    private int set() throws Failure {
      boolean[] members = new boolean[256];
      boolean negated = at < end && (pattern[at] == '!' || pattern[at] == '^');
      if (negated) {
        at++;
      }
      int previous = -1;
      do {
        byte c = in();
        if (c == '[' && addClass(members)) {
          previous = -1;
        } else if (c == '-' && previous >= 0 && at < end && pattern[at] != ']') {
          int last = unescaped(in()) & 0xff;
          for (int b = previous; b <= last; b++) {
            members[b] = true;
          }
          previous = -1;
        } else {
          previous = unescaped(c) & 0xff;
          members[previous] = true;
        }
      } while (at == end || pattern[at] != ']');
      at++;
      for (int b = 0; negated && b < members.length; b++) {
        members[b] = !members[b];
      }
      sets.add(members);
      return Glob.SET + sets.size() - 1;
    }

    private byte in() throws Failure {
      if (at == end) {
        throw malformed("a '[' has no ']'");
      }
      return pattern[at++];
    }

    private byte unescaped(byte c) throws Failure {
      return c == '\\' ? in() : c;
    }

    /// Adds a class such as `[:alpha:]`, behind whose first bracket the parser stands. Returns
    /// false if that bracket is a member itself.
    private boolean addClass(boolean[] members) throws Failure {
      if (at == end || pattern[at] != ':') {
        return false;
      }
      int from = at + 1;
      int close = indexOf(pattern, ']', from, end);
      if (close == end || close == from || pattern[close - 1] != ':') {
        return false;
      }
      String name = new String(pattern, from, close - 1 - from, StandardCharsets.ISO_8859_1);
      for (int b = 0; b < 0x80; b++) {
        members[b] |= isIn(name, b);
      }
      at = close + 1;
      return true;
    }

    private boolean isIn(String name, int b) throws Failure {
      boolean lower = b >= 'a' && b <= 'z';
      boolean upper = b >= 'A' && b <= 'Z';
      boolean digit = b >= '0' && b <= '9';
      boolean graph = b > ' ' && b < 0x7f;
      return switch (name) {
        case "alnum" -> lower || upper || digit;
        case "alpha" -> lower || upper;
        case "blank" -> b == ' ' || b == '\t';
        case "cntrl" -> b < ' ' || b == 0x7f;
        case "digit" -> digit;
        case "graph" -> graph;
        case "lower" -> lower;
        case "print" -> graph || b == ' ';
        case "punct" -> graph && !lower && !upper && !digit;
        case "space" -> b == ' ' || b == '\t' || b == '\n' || b == '\r';
        case "upper" -> upper;
        case "xdigit" -> digit || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F';
        default -> throw malformed("there is no class [:" + Printable.of(name) + ":]");
      };
    }

    private Failure malformed(String why) {
      return Failure.of(ExitCode.USAGE, subject, "not a gitignore pattern: " + why);
    }
  }

  /// Says what of a tree is not to be taken. It sees names alone, and no file.
  @FunctionalInterface
  public interface Filter {

    /// Takes everything.
    Filter NONE = (path, isDirectory) -> false;

    /// Whether an entry is left out, a directory with all that is in it.
    ///
    /// @param path the bytes of its path below the source, without a slash at either end: `a/b`
    boolean excludes(byte[] path, boolean isDirectory);
  }
}
