package dev.zcp.tree;

import dev.zcp.linux.FileStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Different spellings of a name that a file system may take for one name. FAT, exFAT, SMB and
/// directories with the attribute `F` of chattr(1) ignore case; FAT and exFAT drop dots at the end;
/// some file systems normalize Unicode.
public final class NameSpelling {

  /// What most file systems take: NAME_MAX of limits.h.
  private static final int NAME_BYTES_MAX = 255;

  private NameSpelling() {}

  /// Other spellings of `name`: if a file system that ignores such differences has `name`, it finds
  /// the same entry by at least one of them.
  public static List<byte[]> others(byte[] name) {
    String text = new String(name, StandardCharsets.UTF_8);
    List<byte[]> spellings = new ArrayList<>();
    byte[] withDot = Arrays.copyOf(name, name.length + 1);
    withDot[name.length] = '.';
    add(spellings, name, withDot);
    if (Arrays.equals(text.getBytes(StandardCharsets.UTF_8), name)) {
      add(spellings, name, bytes(withOtherCase(text)));
      add(spellings, name, bytes(Normalizer.normalize(text, Form.NFC)));
      add(spellings, name, bytes(Normalizer.normalize(text, Form.NFD)));
    } else {
      add(spellings, name, withOtherAsciiCase(name));
    }
    return spellings;
  }

  /// Whether `directory` finds the entry with this status by another spelling of its name, too.
  public static boolean hasOthers(OpenDirectory directory, byte[] name, FileStatus status)
      throws IOException {
    boolean hasAny = false;
    for (byte[] spelling : others(name)) {
      FileStatus found = directory.statusOf(spelling);
      hasAny |= found != null && found.isSameFile(status);
    }
    return hasAny;
  }

  /// Whether `one` and `other` differ in nothing but their spelling.
  public static boolean areAlike(byte[] one, byte[] other) {
    return folded(one).equals(folded(other));
  }

  private static void add(List<byte[]> spellings, byte[] name, byte[] spelling) {
    boolean fits = spelling.length <= Math.max(NAME_BYTES_MAX, name.length);
    if (fits && !Arrays.equals(spelling, name)) {
      spellings.add(spelling);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String withOtherCase(String text) {
    StringBuilder other = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c ->
                other.appendCodePoint(
                    Character.isUpperCase(c)
                        ? Character.toLowerCase(c)
                        : Character.toUpperCase(c)));
    return other.toString();
  }

  private static byte[] withOtherAsciiCase(byte[] name) {
    byte[] other = name.clone();
    for (int i = 0; i < name.length; i++) {
      if (name[i] > 0 && Character.isLetter(name[i])) {
        other[i] ^= 'a' ^ 'A';
      }
    }
    return other;
  }

  /// What all spellings of a name have in common. Upper case comes first: it is SS of both ss and
  /// the sharp s.
  public static String folded(byte[] name) {
    String text = new String(name, StandardCharsets.UTF_8);
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == '.') {
      end--;
    }
    return Normalizer.normalize(text.substring(0, end), Form.NFC)
        .toUpperCase(Locale.ROOT)
        .toLowerCase(Locale.ROOT);
  }
}
