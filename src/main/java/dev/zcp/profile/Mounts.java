package dev.zcp.profile;

import dev.zcp.core.RawPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The file systems that this process sees.
public final class Mounts {

  private static final Path TABLE = Path.of("/proc/self/mountinfo");

  /// Where the fields of a line stand that come before the optional ones: proc_pid_mountinfo(5).
  private static final int POINT_FIELD = 4;

  private static final int OPTIONS_FIELD = 5;
  private static final int OPTIONAL_FIELD = 6;

  private final List<MountLine> inOrder;

  /// @param options of the mount, then of what is mounted: `rw,noatime,rw,discard`
  record MountLine(Mount mount, String options) {}

  /// The root that chroot(2) changed to a directory that is no mount point. The table has a line
  /// for each mount below it, but none for its own.
  private static final MountLine UNLISTED_ROOT =
      new MountLine(new Mount("unknown", "unknown", "/"), "");

  private Mounts(List<MountLine> inOrder) {
    this.inOrder = inOrder;
  }

  /// @throws IOException if the kernel does not tell
  public static Mounts read() throws IOException {
    return parse(new String(Files.readAllBytes(TABLE), StandardCharsets.ISO_8859_1));
  }

  /// Lines of another form are left out: a kernel to come may add some.
  static Mounts parse(String table) {
    List<MountLine> lines = new ArrayList<>();
    for (String text : table.split("\n")) {
      MountLine line = line(text);
      if (line != null) {
        lines.add(line);
      }
    }
    return new Mounts(lines);
  }

  /// The route of a copy, or null if it cannot be told.
  ///
  /// @throws IOException if either leads nowhere
  public RouteKey.Copy between(Path source, Path directory) throws IOException {
    MountLine from = holding(source);
    MountLine to = holding(directory);
    return from == null || to == null ? null : new RouteKey.Copy(from.mount(), to.mount());
  }

  /// The file system that `path` is on, or null if it cannot be told.
  public Mount of(Path path) throws IOException {
    MountLine line = holding(path);
    return line == null ? null : line.mount();
  }

  /// The file system that `path` is on, for people: `ext4 on /dev/sda1 (rw,relatime)`; empty if it
  /// cannot be told.
  public String describe(Path path) throws IOException {
    MountLine line = holding(path);
    if (line == null || line == UNLISTED_ROOT) {
      return "";
    }
    Set<String> options = new LinkedHashSet<>(List.of(line.options().split(",")));
    Mount mount = line.mount();
    return mount.type() + " on " + mount.source() + " (" + String.join(",", options) + ")";
  }

  /// What holds the file or directory that `path` leads to, or null if there is no table.
  ///
  /// By the path and not by `st_dev`: subvolumes of btrfs have numbers of their own that stand in
  /// no table. Of several mounts at one point the last is on top.
  ///
  /// @throws IOException if `path` leads nowhere
  private MountLine holding(Path path) throws IOException {
    MountLine line = holding(escaped(RawPath.of(path.toRealPath()).bytes()));
    return line != null || inOrder.isEmpty() ? line : UNLISTED_ROOT;
  }

  /// @param realPath absolute, without links, in the escapes of the table
  MountLine holding(String realPath) {
    MountLine best = null;
    for (MountLine line : inOrder) {
      String point = line.mount().point();
      boolean closer = best == null || point.length() >= best.mount().point().length();
      if (closer && isBelow(realPath, point)) {
        best = line;
      }
    }
    return best;
  }

  private static boolean isBelow(String path, String point) {
    return path.startsWith(point)
        && (path.length() == point.length()
            || point.endsWith("/")
            || path.charAt(point.length()) == '/');
  }

  /// `bytes` as the table would show them, and bytes above ASCII likewise, which it shows as they
  /// are.
  static String escaped(byte[] bytes) {
    StringBuilder text = new StringBuilder(bytes.length);
    for (byte each : bytes) {
      int b = each & 0xff;
      if (b <= ' ' || b >= 0x7f || b == '\\') {
        text.append('\\')
            .append((char) ('0' + (b >> 6)))
            .append((char) ('0' + (b >> 3 & 7)))
            .append((char) ('0' + (b & 7)));
      } else {
        text.append((char) b);
      }
    }
    return text.toString();
  }

  private static MountLine line(String line) {
    List<String> fields = List.of(line.split(" ", -1));
    int separator = OPTIONAL_FIELD;
    while (separator < fields.size() && !fields.get(separator).equals("-")) {
      separator++;
    }
    if (separator + 3 >= fields.size()) {
      return null;
    }
    String type = unified(fields.get(separator + 1));
    String source = unified(fields.get(separator + 2));
    Mount mount = new Mount(type, source, unified(fields.get(POINT_FIELD)));
    return new MountLine(mount, fields.get(OPTIONS_FIELD) + "," + fields.get(separator + 3));
  }

  /// The kernel's escapes stay, since it doubles no backslash; what it left as it was is escaped.
  private static String unified(String field) {
    StringBuilder text = new StringBuilder(field.length());
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      text.append(c == '\\' ? "\\" : escaped(new byte[] {(byte) c}));
    }
    return text.toString();
  }

  /// A mounted file system, as `/proc/self/mountinfo` tells of it: proc_pid_mountinfo(5). Each is
  /// text in that file's own escapes, in which every byte that is not printable ASCII is `\` and
  /// three octal digits.
  ///
  /// The device's number is left out on purpose: tmpfs, overlay and NFS get another at each boot.
  ///
  /// @param type `ext4`, `tmpfs`
  /// @param source what is mounted: `/dev/sda1`, `server:/export`, or a word that says nothing
  /// @param point where it is mounted
  public record Mount(String type, String source, String point) {

    /// Whether the same is mounted at the same place. By hand, here and wherever else a copy
    /// compares: the first `equals` of a record costs a cold process 15 ms, since no AOT cache
    /// holds what it is made of.
    boolean isSameAs(Mount other) {
      return point.equals(other.point) && type.equals(other.type) && source.equals(other.source);
    }

    /// `ext4 at /home`.
    @Override
    public String toString() {
      return type + " at " + point;
    }
  }
}
