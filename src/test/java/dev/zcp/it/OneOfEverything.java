package dev.zcp.it;

import dev.zcp.core.RawPath;
import dev.zcp.linux.Attributes;
import dev.zcp.linux.FileType;
import dev.zcp.linux.NativeFile;
import dev.zcp.testing.Programs;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/// A tree that has one of everything a file system can hold, made by system calls since Java cannot
/// even say some of the names. Needs setfattr(1) and setfacl(1); some of it needs root.
final class OneOfEverything {

  static final String SOCKET = "./specials/socket";

  private static final int NAME_BYTES_MAX = 255;
  private static final int MODES = 010000;
  private static final int DEPTH = 100;
  private static final long MIB = 1 << 20;
  private static final int SMALL_BYTES = 4096;

  /// The year 2446: the last second that ext4 has.
  private static final long EXT4_SECONDS_MAX = (3L << 32) + Integer.MAX_VALUE;

  private static final long SEED = 20260101;

  private final Path root;
  private final Random random = new Random(SEED);

  private OneOfEverything(Path root) {
    this.root = root;
  }

  /// What a user can keep of what is theirs, made in the new directory `root`.
  static void ofUser(Path root, int targetBytesMax) throws IOException {
    OneOfEverything tree = new OneOfEverything(Files.createDirectory(root));
    tree.addNames();
    tree.addModes(07777, 0400, 0500);
    tree.addSizes();
    tree.addHoles();
    tree.addLinks(targetBytesMax);
    tree.addUserAttributes();
    tree.addLists();
    tree.addTimes();
    tree.addDirectories();
    Programs.fifo(Files.createDirectory(root.resolve("specials")).resolve("fifo"));
  }

  /// All of it, as root.
  ///
  /// @param targetBytesMax the longest content of a symbolic link that all file systems under test
  ///   take
  static void ofRoot(Path root, int targetBytesMax) throws IOException {
    OneOfEverything tree = new OneOfEverything(Files.createDirectory(root));
    tree.addNames();
    tree.addModes(07777, 0, 0);
    tree.addSizes();
    tree.addHoles();
    tree.addLinks(targetBytesMax);
    tree.addUserAttributes();
    tree.addRootAttributes();
    tree.addLists();
    tree.addTimes();
    tree.addDirectories();
    tree.addSpecials();
    tree.addOwners();
  }

  /// Every byte that a name can have, one a file and all in one; bytes that are no text; the
  /// longest names.
  private void addNames() throws IOException {
    try (OpenDirectory names = make("names")) {
      byte[] all = new byte[NAME_BYTES_MAX];
      int count = 0;
      for (int octet = 1; octet <= 0xff; octet++) {
        if (octet != '/') {
          all[count++] = (byte) octet;
          write(names, new byte[] {'x', (byte) octet}, bytes("" + octet));
        }
      }
      write(names, Arrays.copyOf(all, count), bytes("all"));
      byte[] longest = new byte[NAME_BYTES_MAX];
      Arrays.fill(longest, (byte) 'a');
      write(names, longest, bytes("long"));
      Arrays.fill(longest, (byte) 0xfe);
      names.makeDirectory(longest, 0755);
      write(names, bytes("-rf"), bytes("dash"));
      write(names, bytes("\n"), bytes("newline"));
      write(names, bytes("~"), bytes("tilde"));
      names.makeLink(new byte[] {(byte) 0xff}, new byte[] {(byte) 0xc3, (byte) 0x28});
    }
  }

  /// A file and a directory of each mode.
  private void addModes(int mask, int fileMin, int directoryMin) throws IOException {
    try (OpenDirectory files = make("modes-of-files");
        OpenDirectory directories = make("modes-of-directories")) {
      for (int mode = 0; mode < MODES; mode++) {
        byte[] name = bytes(Integer.toOctalString(mode));
        if ((mode & fileMin) == fileMin) {
          write(files, name, new byte[0]);
          require(Attributes.fchmodat(files.descriptor(), name, mode & mask));
        }
        if ((mode & directoryMin) == directoryMin) {
          directories.makeDirectory(name, 0700);
          require(Attributes.fchmodat(directories.descriptor(), name, mode & mask));
        }
      }
    }
  }

  private void addSizes() throws IOException {
    try (OpenDirectory sizes = make("sizes")) {
      for (int size : new int[] {0, 1, 4095, 4096, 4097, 65_537, 3 << 20}) {
        byte[] content = new byte[size];
        random.nextBytes(content);
        write(sizes, bytes("" + size), content);
      }
    }
  }

  private void addHoles() throws IOException {
    byte[] data = new byte[SMALL_BYTES];
    random.nextBytes(data);
    try (OpenDirectory holes = make("holes")) {
      sparse(holes, "leading", data, 4 * MIB, 4 * MIB + SMALL_BYTES);
      sparse(holes, "trailing", data, 0, 4 * MIB);
      sparse(holes, "middle", data, 0, 8 * MIB, MIB, 7 * MIB);
      sparse(holes, "odd", data, 12_345, 4 * MIB + 7);
      sparse(holes, "all", data, -1, 8 * MIB);
      sparse(holes, "large", data, 512 * MIB, 1024 * MIB);
    }
    Path holes = root.resolve("holes");
    // Space that is kept for bytes that were never written: no hole, and no data.
    Programs.run("fallocate", "-l", "2M", holes.resolve("allocated").toString());
  }

  private static void sparse(
      OpenDirectory directory, String name, byte[] data, long at, long size, long... more)
      throws IOException {
    try (NativeFile file = directory.create(bytes(name), 0644)) {
      if (at >= 0) {
        file.write(direct(data), at);
      }
      for (long offset : more) {
        file.write(direct(data), offset);
      }
      file.channel().write(ByteBuffer.wrap(new byte[] {1}), size - 1);
      file.channel().truncate(size - 1);
    }
  }

  /// Hard links in one directory and across, of files, links and FIFOs; symbolic links that lead
  /// somewhere, nowhere, and round in circles.
  private void addLinks(int targetBytesMax) throws IOException {
    try (OpenDirectory links = make("links");
        OpenDirectory elsewhere = make("links-elsewhere")) {
      write(links, bytes("file"), bytes("content"));
      links.makeLink(bytes("symlink"), bytes("file"));
      links.makeSpecial(bytes("fifo"), FileType.FIFO | 0640, 0);
      for (String name : new String[] {"file", "symlink", "fifo"}) {
        links.addName(bytes(name + "-again"), links, bytes(name));
        elsewhere.addName(bytes(name), links, bytes(name));
        elsewhere.addName(bytes(name + "-again"), links, bytes(name));
      }
      links.makeLink(bytes("dangling"), bytes("no/where"));
      links.makeLink(bytes("self"), bytes("self"));
      links.makeLink(bytes("ping"), bytes("pong"));
      links.makeLink(bytes("pong"), bytes("ping"));
      links.makeLink(bytes("to-directory"), bytes("../links-elsewhere"));
      links.makeLink(bytes("up"), bytes(".."));
      links.makeLink(bytes("absolute"), bytes("/etc/passwd"));
      links.makeLink(bytes("long"), bytes("t".repeat(NAME_BYTES_MAX)));
      links.makeLink(bytes("longest"), bytes("../".repeat(1365).substring(0, targetBytesMax)));
    }
  }

  private void addUserAttributes() throws IOException {
    Path place = Files.createDirectory(root.resolve("attributes"));
    Path file = Files.writeString(place.resolve("file"), "content");
    set(file, "user.text", "value");
    set(file, "user.empty", "");
    set(file, "user.bytes", "0x00ff000a");
    set(file, "user.name \\ with = signs", "value");
    set(place, "user.directory", "value");
    Path large = Files.writeString(place.resolve("large"), "content");
    set(large, "user.large", "v".repeat(3000));
    Path many = Files.writeString(place.resolve("many"), "content");
    for (int i = 0; i < 60; i++) {
      set(many, "user.a-longer-name-than-most-have-" + i, "");
    }
    Path readOnly = Files.writeString(place.resolve("read-only"), "content");
    set(readOnly, "user.text", "value");
    Programs.run("chmod", "400", readOnly.toString());
  }

  private void addRootAttributes() throws IOException {
    Path place = root.resolve("attributes");
    Path file = Files.writeString(place.resolve("program"), "content");
    set(file, "trusted.root", "value");
    // CAP_NET_RAW, permitted and effective: linux/capability.h.
    set(file, "security.capability", "0x0100000200200000000000000000000000000000");
    set(file, "security.own", "value");
    Programs.run("chmod", "6755", file.toString());
    Programs.run("chown", "1234:5678", file.toString());
    Programs.run("chmod", "6755", file.toString());
    set(file, "security.capability", "0x0100000200200000000000000000000000000000");
    set(place, "trusted.directory", "value");
    set(Programs.fifo(place.resolve("fifo")), "trusted.fifo", "value");
    Path link = Files.createSymbolicLink(place.resolve("link"), Path.of("file"));
    set(link, "trusted.link", "value");
  }

  private void addLists() throws IOException {
    Path place = Files.createDirectory(root.resolve("lists"));
    Path file = Files.writeString(place.resolve("file"), "content");
    lists(file, "u:1000:rwx,g:1001:r,m:rw");
    Path directory = Files.createDirectory(place.resolve("directory"));
    lists(directory, "u:1000:rx,d:u:1001:rwx,d:g:1002:x");
    Path inherited = Files.writeString(directory.resolve("inherits"), "content");
    Path plain = Files.writeString(directory.resolve("plain"), "content");
    Files.createDirectory(directory.resolve("inherits-too"));
    Path bare = Files.createDirectory(directory.resolve("bare"));
    Programs.run("setfacl", "-b", "-k", plain.toString(), bare.toString());
    Programs.run("chmod", "604", inherited.toString());
    Programs.fifo(directory.resolve("fifo"));
  }

  /// From 1901 to the last moment of ext4, and access times that reading does not move: later than
  /// all else, see `relatime` of mount(8).
  private void addTimes() throws IOException {
    try (OpenDirectory times = make("times")) {
      long[] all = {
        -0x80000000L, -86_400, -1, 0, 1, 1_700_000_000, 0x7fffffffL, EXT4_SECONDS_MAX - 1
      };
      for (long seconds : all) {
        for (int nanos : new int[] {0, 1, 123_456_789, 999_999_999}) {
          byte[] name = bytes(seconds + "." + nanos);
          write(times, name, bytes("content"));
          require(
              Attributes.utimensat(
                  times.descriptor(), name, 0, EXT4_SECONDS_MAX, nanos, seconds, nanos));
        }
      }
    }
    Path link = Files.createSymbolicLink(root.resolve("times/link"), Path.of("nowhere"));
    Programs.run("touch", "-h", "-d", "@-5.25", link.toString());
    Path directory = Files.createDirectory(root.resolve("times/directory"));
    Files.writeString(directory.resolve("file"), "content");
    Programs.run("touch", "-d", "@-5.25", directory.toString());
    Programs.run("touch", "-d", "@12345.000000001", directory.getParent().toString());
  }

  private void addDirectories() throws IOException {
    Path place = Files.createDirectory(root.resolve("directories"));
    Files.createDirectory(place.resolve("empty"));
    Path deep = place;
    for (int i = 0; i < DEPTH; i++) {
      deep = Files.createDirectory(deep.resolve("level-" + i));
    }
    Files.writeString(deep.resolve("bottom"), "content");
    Path readOnly = Files.createDirectory(place.resolve("read-only"));
    Files.createDirectory(readOnly.resolve("below"));
    Files.writeString(readOnly.resolve("below/file"), "content");
    Programs.run("chmod", "500", readOnly.resolve("below").toString(), readOnly.toString());
    Path setgid = Files.createDirectory(place.resolve("setgid"));
    Programs.run("chmod", "2775", setgid.toString());
    Files.writeString(setgid.resolve("file"), "content");
    Files.createDirectory(setgid.resolve("directory"));
  }

  private void addSpecials() throws IOException {
    try (OpenDirectory specials = make("specials")) {
      specials.makeSpecial(bytes("fifo"), FileType.FIFO | 0621, 0);
      specials.makeSpecial(bytes("null"), FileType.CHARACTER_DEVICE | 0666, 0x103);
      // The device 511, 262143: XFS takes no more than 9 and 18 bits.
      specials.makeSpecial(bytes("large"), FileType.CHARACTER_DEVICE | 0600, 0x3ff1_ffffL);
      specials.makeSpecial(bytes("disk"), FileType.BLOCK_DEVICE | 0660, 0x700);
      specials.makeSpecial(bytes("socket"), FileType.SOCKET | 0755, 0);
      require(Attributes.fchmodat(specials.descriptor(), bytes("fifo"), 07777));
    }
    Programs.run("chown", "1234:5678", root.resolve("specials/null").toString());
  }

  private void addOwners() throws IOException {
    Path place = Files.createDirectory(root.resolve("owners"));
    for (String owner : new String[] {"0:0", "1:2", "65534:65534", "4000000000:4000000001"}) {
      Path file = Files.writeString(place.resolve(owner), "content");
      Path directory = Files.createDirectory(place.resolve(owner + "-directory"));
      Path link = Files.createSymbolicLink(place.resolve(owner + "-link"), Path.of("nowhere"));
      Programs.run("chown", "-h", owner, file.toString(), directory.toString(), link.toString());
      Programs.run("chmod", "6755", file.toString(), directory.toString());
    }
  }

  private OpenDirectory make(String name) throws IOException {
    return OpenDirectory.open(RawPath.of(Files.createDirectory(root.resolve(name))));
  }

  private static void write(OpenDirectory directory, byte[] name, byte[] content)
      throws IOException {
    try (NativeFile file = directory.create(name, 0644)) {
      ByteBuffer bytes = direct(content);
      while (bytes.hasRemaining()) {
        file.write(bytes, bytes.position());
      }
    }
  }

  private static void set(Path file, String name, String value) throws IOException {
    Programs.run("setfattr", "-h", "-n", name, "-v", value, file.toString());
  }

  private static void lists(Path file, String lists) throws IOException {
    Programs.run("setfacl", "-m", lists, file.toString());
  }

  private static ByteBuffer direct(byte[] content) {
    return ByteBuffer.allocateDirect(content.length).put(content).flip();
  }

  private static void require(int result) throws IOException {
    if (result < 0) {
      throw new IOException("error number " + -result);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
