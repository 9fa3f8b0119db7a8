package dev.zcp.wire;

import dev.zcp.core.Name;
import dev.zcp.core.Printable;
import dev.zcp.core.SipHash;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Where an entry belongs below the receiver's directory: one or more [bare names][Name] with a
/// slash between each, so it can lead nowhere else; or [#TOP]. At most [Limits#PATH_BYTES_MAX]
/// bytes and [Limits#PATH_NAMES_MAX] names.
///
/// Each path holds its last name and the path of its directory. Paths that were made of one another
/// share their directories, so that a deep tree costs one name for each entry.
public final class EntryPath {

  /// The receiver's own directory, which has no name.
  public static final EntryPath TOP = new EntryPath(null, new byte[0]);

  /// Null at the top.
  private final EntryPath parent;

  private final byte[] name;
  private final int length;
  private final int names;
  private final int hash;

  /// @param name a bare name, which is not copied
  private EntryPath(EntryPath parent, byte[] name) {
    this.parent = parent;
    this.name = name;
    this.length = start(parent) + name.length;
    this.names = parent == null ? 1 : parent.names + 1;
    this.hash = (int) SipHash.own(parent == null ? 0 : parent.hash, name);
    if (length > Limits.PATH_BYTES_MAX) {
      throw new IllegalArgumentException("a path of " + length + " bytes");
    }
    if (names > Limits.PATH_NAMES_MAX) {
      throw new IllegalArgumentException("a path of " + names + " names");
    }
  }

  /// @throws IllegalArgumentException with the reason, if `bytes` are no such path
  public static EntryPath of(byte[] bytes) {
    return below(null, bytes);
  }

  /// The path of `rest`, one or more names, in a directory.
  ///
  /// @param directory null or [#TOP] for the receiver's own
  /// @throws IllegalArgumentException with the reason, if that is no path
  public static EntryPath below(EntryPath directory, byte[] rest) {
    EntryPath path = directory == TOP ? null : directory;
    int start = 0;
    for (int i = 0; i <= rest.length; i++) {
      if (i == rest.length || rest[i] == '/') {
        Name.requireBare(rest, start, i);
        path = new EntryPath(path, Arrays.copyOfRange(rest, start, i));
        start = i + 1;
      }
    }
    return path;
  }

  /// The path of one name in this directory.
  ///
  /// @param bareName which nobody changes any more: see [Name#requireBare]
  public EntryPath child(byte[] bareName) {
    return new EntryPath(isTop() ? null : this, bareName);
  }

  /// The path that begins with the first `shared` bytes of this one and goes on with `own`.
  ///
  /// @throws IllegalArgumentException with the reason, if that is no path
  EntryPath branch(int shared, byte[] own) {
    if (shared == 0) {
      return own.length == 0 ? TOP : of(own);
    }
    if (shared > length) {
      throw new IllegalArgumentException("a path that shares more than the one before has");
    }
    EntryPath base = this;
    EntryPath next = null;
    while (base != null && !base.isDirectoryOf(shared, own)) {
      next = base;
      base = base.parent;
    }
    if (base != null && base.length == shared) {
      return own.length == 0 ? base : below(base, Arrays.copyOfRange(own, 1, own.length));
    }
    int kept = shared - start(base);
    byte[] rest = Arrays.copyOf(next.name, kept + own.length);
    System.arraycopy(own, 0, rest, kept, own.length);
    return below(base, rest);
  }

  /// Whether the first `shared` bytes of a longer path, and then `own`, lead to this or below it.
  private boolean isDirectoryOf(int shared, byte[] own) {
    return length < shared || length == shared && (own.length == 0 || own[0] == '/');
  }

  /// The same last name in `directory`.
  public EntryPath movedTo(EntryPath directory) {
    return new EntryPath(directory, name);
  }

  private static int start(EntryPath directory) {
    return directory == null ? 0 : directory.length + 1;
  }

  public boolean isTop() {
    return this == TOP;
  }

  public byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    put(0, bytes);
    return bytes.array();
  }

  public int length() {
    return length;
  }

  /// How many bytes this path and `other` begin with alike.
  int shared(EntryPath other) {
    EntryPath mine = this;
    EntryPath others = other;
    EntryPath myNext = null;
    EntryPath othersNext = null;
    for (; mine.names > other.names; mine = mine.parent) {
      myNext = mine;
    }
    for (; others.names > names; others = others.parent) {
      othersNext = others;
    }
    EntryPath common = mine;
    for (; mine != others; mine = mine.parent, others = others.parent) {
      if (!Arrays.equals(mine.name, others.name)) {
        common = mine.parent;
        myNext = mine;
        othersNext = others;
      }
    }
    if (myNext == null || othersNext == null) {
      return common == null ? 0 : common.length;
    }
    int mismatch = Arrays.mismatch(myNext.name, othersNext.name);
    return start(common) + mismatch;
  }

  public void put(ByteBuffer out) {
    put(0, out);
  }

  /// Writes the bytes from `start` on.
  void put(int start, ByteBuffer out) {
    int zero = out.position() - start;
    for (EntryPath each = this; each != null && each.length > start; each = each.parent) {
      int first = start(each.parent);
      int skipped = Math.max(0, start - first);
      out.put(zero + first + skipped, each.name, skipped, each.name.length - skipped);
      if (first > start) {
        out.put(zero + first - 1, (byte) '/');
      }
    }
    out.position(zero + length);
  }

  public Name name() {
    return Name.of(name);
  }

  /// Whether one of its names begins with these bytes.
  public boolean hasNameFrom(byte[] prefix) {
    boolean found = false;
    for (EntryPath each = this; each != null && !found; each = each.parent) {
      byte[] own = each.name;
      found =
          own.length >= prefix.length
              && Arrays.equals(own, 0, prefix.length, prefix, 0, prefix.length);
    }
    return found;
  }

  int nameLength() {
    return name.length;
  }

  /// The path without its last name, or null if it has at most one.
  public EntryPath parent() {
    return parent;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof EntryPath path)
        || hash != path.hash
        || length != path.length
        || names != path.names) {
      return false;
    }
    EntryPath mine = this;
    EntryPath others = path;
    while (mine != others && Arrays.equals(mine.name, others.name)) {
      mine = mine.parent;
      others = others.parent;
    }
    return mine == others;
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /// As a terminal may show it.
  @Override
  public String toString() {
    return isTop() ? "." : Printable.of(bytes());
  }
}
