package dev.zcp.bench.count;

import dev.zcp.core.Printable;
import dev.zcp.core.RawPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What is mounted where, as `/proc/self/mountinfo` lists it: proc_pid_mountinfo(5).
///
/// Text is held with a byte in each character, since a path need not be text in any encoding.
///
/// @param mounts in the order in which they were made
record MountTable(List<Mount> mounts) {

  /// @param point where it is mounted
  /// @param type such as `ext4`
  /// @param source such as `/dev/sda1`
  /// @param options of the mount and of the file system, each once
  record Mount(String point, String type, String source, String options) {}

  // 36 35 98:0 /root /point rw,noatime master:1 - ext3 /dev/root rw,errors=continue
  private static final int POINT = 4;
  private static final int MOUNT_OPTIONS = 5;
  private static final int TYPE_AFTER_DASH = 1;
  private static final int SOURCE_AFTER_DASH = 2;
  private static final int OPTIONS_AFTER_DASH = 3;

  MountTable {
    mounts = List.copyOf(mounts);
  }

  /// Lines of another form are left out.
  static MountTable parse(String mountinfo) {
    return new MountTable(
        mountinfo
            .lines()
            .map(line -> List.of(line.split(" ")))
            .filter(fields -> fields.indexOf("-") > MOUNT_OPTIONS)
            .filter(fields -> fields.size() > fields.indexOf("-") + OPTIONS_AFTER_DASH)
            .map(MountTable::mount)
            .toList());
  }

  /// The file system that `directory` is on: `ext4 on /dev/sda1 (rw,relatime)`; empty where nobody
  /// can tell.
  String describe(Path directory) {
    try {
      byte[] path = RawPath.of(directory.toRealPath()).bytes();
      Mount mount = holding(new String(path, StandardCharsets.ISO_8859_1));
      return mount == null ? "" : describe(mount);
    } catch (IOException e) {
      return "";
    }
  }

  /// The mount that an absolute path without links leads to, or null.
  Mount holding(String path) {
    Mount best = null;
    for (Mount mount : mounts) {
      // Of two at one place the later hides the earlier.
      if (isBelow(path, mount.point())
          && (best == null || mount.point().length() >= best.point().length())) {
        best = mount;
      }
    }
    return best;
  }

  private static boolean isBelow(String path, String point) {
    String folder = point.endsWith("/") ? point : point + "/";
    return path.equals(point) || path.startsWith(folder);
  }

  private static String describe(Mount mount) {
    String text = mount.type() + " on " + mount.source() + " (" + mount.options() + ")";
    return Printable.of(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static Mount mount(List<String> fields) {
    int dash = fields.indexOf("-");
    Set<String> options = new LinkedHashSet<>();
    options.addAll(List.of(fields.get(MOUNT_OPTIONS).split(",")));
    options.addAll(List.of(fields.get(dash + OPTIONS_AFTER_DASH).split(",")));
    return new Mount(
        unescaped(fields.get(POINT)),
        fields.get(dash + TYPE_AFTER_DASH),
        unescaped(fields.get(dash + SOURCE_AFTER_DASH)),
        unescaped(String.join(",", options)));
  }

  /// Blanks, tabs, line breaks and backslashes come as `\040` and the like.
  private static String unescaped(String field) {
    StringBuilder text = new StringBuilder(field.length());
    for (int i = 0; i < field.length(); i++) {
      if (field.charAt(i) == '\\' && i + 3 < field.length()) {
        text.append((char) Integer.parseInt(field.substring(i + 1, i + 4), 8));
        i += 3;
      } else {
        text.append(field.charAt(i));
      }
    }
    return text.toString();
  }
}
