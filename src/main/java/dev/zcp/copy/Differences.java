package dev.zcp.copy;

import dev.zcp.core.Printable;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.FileAge;
import dev.zcp.tree.Preserve;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// In what an entry of the target differs from its source, besides the bytes of files, as phrases
/// about the target. Of what a copy keeps it looks at what is to be preserved, but never at the
/// time of the last access: that changes by looking.
final class Differences {

  private static final int OCTAL_DIGITS = 4;

  private final Preserve preserve;
  private final List<String> found = new ArrayList<>();

  Differences(Preserve preserve) {
    this.preserve = preserve;
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /// One for each, in the order they were found.
  @Override
  public String toString() {
    return String.join("; ", found);
  }

  void add(String phrase) {
    found.add(phrase);
  }

  void addAll(List<String> phrases) {
    found.addAll(phrases);
  }

  /// @return whether both are of one type
  boolean type(FileStatus source, FileStatus target) {
    boolean same = source.type() == target.type();
    if (!same) {
      add("is " + name(target) + ", and its source is " + name(source));
    }
    return same;
  }

  /// @return whether both are equally long
  boolean size(FileStatus source, FileStatus target) {
    boolean same = source.sizeBytes() == target.sizeBytes();
    if (!same) {
      add("has " + target.sizeBytes() + " bytes, and not " + source.sizeBytes());
    }
    return same;
  }

  void link(byte[] source, byte[] target) {
    if (!Arrays.equals(source, target)) {
      add("leads to " + Printable.of(target) + ", and not to " + Printable.of(source));
    }
  }

  void device(FileStatus source, FileStatus target) {
    if (source.represents() != target.represents()) {
      add("stands for another device");
    }
  }

  /// Of links Linux keeps no mode.
  void metadata(FileStatus source, FileStatus target) {
    if (preserve.mode() && !source.isSymlink() && source.wholeMode() != target.wholeMode()) {
      add("has the mode " + octal(target.wholeMode()) + ", and not " + octal(source.wholeMode()));
    }
    if (preserve.owner()
        && (source.owner() != target.owner() || source.group() != target.group())) {
      add("belongs to " + owner(target) + ", and not to " + owner(source));
    }
    if (preserve.times() && !FileAge.isOfTime(target, source)) {
      add("was modified " + target.modified() + ", and not " + source.modified());
    }
  }

  private static String owner(FileStatus status) {
    return Integer.toUnsignedString(status.owner())
        + ":"
        + Integer.toUnsignedString(status.group());
  }

  private static String octal(int mode) {
    // The digits of a number with one more.
    return Integer.toOctalString(1 << 3 * OCTAL_DIGITS | mode).substring(1);
  }

  private static String name(FileStatus status) {
    if (status.isRegular()) {
      return "a file";
    }
    if (status.isDirectory()) {
      return "a directory";
    }
    return status.isSymlink() ? "a symbolic link" : "a special file";
  }
}
