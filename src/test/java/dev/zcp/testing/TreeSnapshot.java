package dev.zcp.testing;

import dev.zcp.core.Printable;
import dev.zcp.core.RawPath;
import dev.zcp.linux.Attributes;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/// All that can be seen of a tree, read by system calls of its own and by nothing that copies.
///
/// Of each entry: type, permissions with setuid, setgid and sticky, owner, group, modification time
/// in nanoseconds, extended attributes with their values, access control lists among them; of all
/// but directories the number of names, and which in the tree are names of the same file; of
/// regular files the length, a checksum of the bytes and how much is allocated; of links where they
/// lead; of devices their number. Access times count where they are in the future: reading does not
/// move those, see `relatime` of mount(8).
public final class TreeSnapshot {

  /// By how much two copies of a file may differ in what is allocated: a block for attributes that
  /// one has in its inode, a few of the extent tree, what a file system keeps ahead. The holes of a
  /// test must be larger.
  private static final long ALLOCATED_BYTES_TOLERANCE = 256 << 10;

  private static final int BLOCK_BYTES = 512;
  private static final int ATTRIBUTE_BYTES_MAX = 64 << 10;
  private static final int BUFFER_BYTES = 1 << 20;

  private final Map<String, Map<String, String>> entries = new TreeMap<>();
  private final Map<String, Long> allocatedBytes = new TreeMap<>();
  private final Map<String, TreeSet<String>> names = new TreeMap<>();
  private final ByteBuffer list = ByteBuffer.allocateDirect(ATTRIBUTE_BYTES_MAX);
  private final ByteBuffer value = ByteBuffer.allocateDirect(ATTRIBUTE_BYTES_MAX);
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final Instant tomorrow = Instant.now().plus(Duration.ofDays(1));

  private TreeSnapshot() {}

  /// Looks at `root` and all that is below it. Links are not followed.
  public static TreeSnapshot of(Path root) throws IOException {
    TreeSnapshot snapshot = new TreeSnapshot();
    RawPath path = RawPath.of(root);
    try (OpenDirectory above = OpenDirectory.open(RawPath.of(root.toAbsolutePath().getParent()))) {
      snapshot.add(above, path.lastComponent(), ".");
    }
    for (TreeSet<String> same : snapshot.names.values()) {
      for (String name : same) {
        snapshot.entries.get(name).put("names", same.toString());
      }
    }
    return snapshot;
  }

  /// How many entries it has.
  public int size() {
    return entries.size();
  }

  /// Whether there is an entry of that path, which begins with `./`.
  public boolean contains(String path) {
    return entries.containsKey(path);
  }

  /// Where the other tree is not what this one is: for each difference a line.
  public List<String> differences(TreeSnapshot other) {
    List<String> differences = new ArrayList<>();
    TreeSet<String> paths = new TreeSet<>(entries.keySet());
    paths.addAll(other.entries.keySet());
    for (String path : paths) {
      Map<String, String> mine = entries.get(path);
      Map<String, String> theirs = other.entries.get(path);
      if (mine == null || theirs == null) {
        differences.add(path + ": " + (mine == null ? "added" : "missing"));
      } else {
        compare(path, mine, theirs, differences);
        compareAllocated(path, other, differences);
      }
    }
    return differences;
  }

  private static void compare(
      String path, Map<String, String> mine, Map<String, String> theirs, List<String> differences) {
    TreeSet<String> properties = new TreeSet<>(mine.keySet());
    properties.addAll(theirs.keySet());
    for (String property : properties) {
      String here = mine.get(property);
      String there = theirs.get(property);
      if (here == null || !here.equals(there)) {
        differences.add(path + ": " + property + ": " + here + " | " + there);
      }
    }
  }

  private void compareAllocated(String path, TreeSnapshot other, List<String> differences) {
    long here = allocatedBytes.getOrDefault(path, 0L);
    long there = other.allocatedBytes.getOrDefault(path, 0L);
    if (Math.abs(here - there) > ALLOCATED_BYTES_TOLERANCE) {
      differences.add(path + ": allocated bytes: " + here + " | " + there);
    }
  }

  private void add(OpenDirectory directory, byte[] name, String path) throws IOException {
    FileStatus status = directory.statusOf(name);
    Map<String, String> entry = new TreeMap<>();
    entries.put(path, entry);
    entry.put("type", Integer.toOctalString(status.type()));
    entry.put("mode", Integer.toOctalString(status.wholeMode()));
    entry.put("owner", Integer.toString(status.owner()));
    entry.put("group", Integer.toString(status.group()));
    entry.put("modified", status.modified().toString());
    Instant accessed = Instant.ofEpochSecond(status.accessedSeconds(), status.accessedNanos());
    if (accessed.isAfter(tomorrow)) {
      entry.put("accessed", accessed.toString());
    }
    addAttributes(directory, name, entry);
    if (status.isDirectory()) {
      addEntries(directory, name, path);
      return;
    }
    entry.put("links", Integer.toString(status.links()));
    names.computeIfAbsent(status.device() + ":" + status.inode(), _ -> new TreeSet<>()).add(path);
    if (status.isRegular()) {
      entry.put("bytes", Long.toString(status.sizeBytes()));
      entry.put("content", checksum(directory, name));
      allocatedBytes.put(path, status.blocks() * BLOCK_BYTES);
    } else if (status.isSymlink()) {
      entry.put("target", Printable.of(directory.readLink(name)));
    } else if (status.type() == FileType.BLOCK_DEVICE
        || status.type() == FileType.CHARACTER_DEVICE) {
      entry.put("device", Long.toHexString(status.represents()));
    }
  }

  private void addEntries(OpenDirectory above, byte[] name, String path) throws IOException {
    try (OpenDirectory directory = above.directory(name, false);
        Stream<Path> listing = Files.list(Path.of("/proc/self/fd/" + directory.descriptor()))) {
      for (Path each : (Iterable<Path>) listing::iterator) {
        byte[] child = RawPath.of(each).lastComponent();
        add(directory, child, path + "/" + Printable.of(child));
      }
    }
  }

  private void addAttributes(OpenDirectory directory, byte[] name, Map<String, String> entry)
      throws IOException {
    byte[] file = RawPath.of("/proc/self/fd/" + directory.descriptor()).resolve(name).bytes();
    int length = Attributes.llistxattr(file, list);
    if (length == -Errno.EOPNOTSUPP) {
      return;
    }
    require(length, name);
    byte[] all = new byte[length];
    list.get(0, all);
    for (String attribute : new String(all, StandardCharsets.ISO_8859_1).split("\0")) {
      // The second name that XFS has for access control lists.
      if (!attribute.isEmpty() && !attribute.startsWith("trusted.SGI_")) {
        byte[] key = attribute.getBytes(StandardCharsets.ISO_8859_1);
        byte[] content = new byte[require(Attributes.lgetxattr(file, key, value), name)];
        value.get(0, content);
        entry.put("attribute " + attribute, HexFormat.of().formatHex(content));
      }
    }
  }

  private String checksum(OpenDirectory directory, byte[] name) throws IOException {
    CRC32C checksum = new CRC32C();
    try (NativeFile file = directory.file(name, false)) {
      long offset = 0;
      while (file.read(buffer.clear(), offset) > 0) {
        offset += buffer.flip().remaining();
        checksum.update(buffer);
      }
    }
    return Long.toHexString(checksum.getValue());
  }

  private static int require(int result, byte[] name) throws IOException {
    if (result < 0) {
      throw Errno.failure(-result, Printable.of(name));
    }
    return result;
  }
}
