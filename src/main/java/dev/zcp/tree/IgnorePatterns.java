package dev.zcp.tree;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.RawPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.errors.InvalidPatternException;
import org.eclipse.jgit.ignore.IMatcher;

/// Patterns in the syntax of gitignore(5), of which the last one that matches a path decides.
///
/// Of JGit this takes the matching of one pattern. What a line of a file means besides, JGit reads
/// as UTF-8, and tells a logging library of its mistakes; here names are bytes, one char for each,
/// as they are to git: `?` and `[...]` stand for one byte.
///
/// Where git takes a pattern that is wrong for one that matches nothing, such as `[a`, it is
/// refused here, and so are `/` and `[=a=]` in brackets.
public final class IgnorePatterns {

  private static final String BYTE_ORDER_MARK = "\ue0ef\ue0bb\ue0bf";

  /// A file of patterns is written by people.
  private static final int FILE_BYTES_MAX = 16 << 20;

  private static final int PRIVATE_USE = 0xe000;

  private final List<Rule> rules = new ArrayList<>();

  /// @param excludes whether what matches is left out, and not taken again
  private record Rule(IMatcher matcher, boolean excludes) {}

  /// Adds a pattern as an argument has it: `!` before it turns it round, `#` is like any letter.
  ///
  /// @param excludes whether what matches is left out
  /// @throws Failure USAGE where it is no pattern
  public void add(byte[] pattern, boolean excludes) throws Failure {
    try {
      add(chars(pattern), excludes);
    } catch (InvalidPatternException e) {
      throw refused(Printable.of(pattern), e);
    }
  }

  /// Adds the lines of a file, as a `.gitignore` has them: with comments, and spaces at their ends
  /// that mean nothing.
  ///
  /// @throws IOException where it cannot be read, or is longer than [#FILE_BYTES_MAX]
  /// @throws Failure USAGE where a line is no pattern
  public void addAll(RawPath file) throws IOException, Failure {
    String text = textOf(file);
    int number = 0;
    for (String line : text.split("\n")) {
      number++;
      String pattern =
          withoutSpaces(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
      if (pattern.startsWith("#")) {
        continue;
      }
      try {
        add(pattern, true);
      } catch (InvalidPatternException e) {
        throw refused(file + ": line " + number, e);
      }
    }
  }

  /// What leaves out what these patterns say, those that are added later among them.
  public Filter filter() {
    return (path, isDirectory) -> excludes(chars(path), isDirectory);
  }

  private boolean excludes(String path, boolean isDirectory) {
    for (int i = rules.size() - 1; i >= 0; i--) {
      Rule rule = rules.get(i);
      if (rule.matcher().matches(path, isDirectory, true)) {
        return rule.excludes();
      }
    }
    return false;
  }

  private void add(String pattern, boolean excludes) throws InvalidPatternException {
    if (excludes && pattern.startsWith("!")) {
      add(pattern.substring(1), false);
      return;
    }
    int end = pattern.length();
    boolean directoriesOnly = end > 0 && pattern.charAt(end - 1) == '/';
    String rest = directoriesOnly ? pattern.substring(0, end - 1) : pattern;
    if (!rest.isEmpty()) {
      rules.add(new Rule(IMatcher.createPathMatcher(plain(rest), directoriesOnly), excludes));
    }
  }

  /// The pattern as the matcher reads it, which takes spaces at its end for nothing, and is in
  /// doubt about a `\\` that only kept a line from being a comment or turned round.
  private static String plain(String pattern) {
    String rest =
        pattern.startsWith("\\#") || pattern.startsWith("\\!") ? pattern.substring(1) : pattern;
    // To git three stars are what two are; the matcher does not know three.
    while (rest.contains("***")) {
      rest = rest.replace("***", "**");
    }
    rest = bracketed(rest);
    int end = rest.length();
    while (end > 0 && rest.charAt(end - 1) == ' ') {
      end--;
    }
    boolean isEscaped = end > 0 && rest.charAt(end - 1) == '\\';
    int from = isEscaped ? end + 1 : end;
    return from >= rest.length()
        ? rest
        : rest.substring(0, from) + "\\ ".repeat(rest.length() - from);
  }

  /// `[*]` for `\\*`, and `[?]` for `\\?`: the matcher takes an asterisk at the end of a pattern
  /// for one that matches everything, though a backslash is before it. In brackets all stays.
  private static String bracketed(String pattern) {
    StringBuilder bracketed = new StringBuilder(pattern.length());
    boolean inBrackets = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      char next = i + 1 < pattern.length() ? pattern.charAt(i + 1) : 0;
      if (c == '\\' && !inBrackets && (next == '*' || next == '?')) {
        bracketed.append('[').append(next).append(']');
        i++;
      } else if (c == '\\' && next != 0) {
        bracketed.append(c).append(next);
        i++;
      } else {
        inBrackets = c == '[' || inBrackets && c != ']';
        bracketed.append(c);
      }
    }
    return bracketed.toString();
  }

  private static String withoutSpaces(String line) {
    int end = line.length();
    while (end > 0 && line.charAt(end - 1) == ' ' && !(end > 1 && line.charAt(end - 2) == '\\')) {
      end--;
    }
    return line.substring(0, end);
  }

  private static String textOf(RawPath file) throws IOException {
    try (InputStream in = Files.newInputStream(file.toPath())) {
      byte[] bytes = in.readNBytes(FILE_BYTES_MAX + 1);
      if (bytes.length > FILE_BYTES_MAX) {
        throw new IOException("longer than " + FILE_BYTES_MAX + " bytes");
      }
      String text = chars(bytes);
      return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
    }
  }

  private static Failure refused(String what, InvalidPatternException e) {
    return Failure.of(ExitCode.USAGE, what, "is no pattern as gitignore(5) has them").because(e);
  }

  /// One char for each byte: of ASCII itself, of the others one of Unicode's private use, since no
  /// letter, no space and no line break is among those, and their order is the same.
  private static String chars(byte[] bytes) {
    char[] chars = new char[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      chars[i] = (char) (bytes[i] < 0 ? PRIVATE_USE | bytes[i] & 0xff : bytes[i]);
    }
    return new String(chars);
  }
}
