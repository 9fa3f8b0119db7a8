package dev.zcp.tree;

import dev.zcp.core.Printable;
import dev.zcp.linux.Errno;
import dev.zcp.linux.NativeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Compares the extended attributes of copies with those of their sources: those that
/// [ExtendedAttributes] copies, and no others. One system call for a file that has none. Any thread
/// may call it.
public final class AttributeComparison {

  /// XATTR_LIST_MAX and XATTR_SIZE_MAX of `linux/limits.h`.
  private static final int BYTES_MAX = 64 << 10;

  private final boolean attributes;
  private final boolean lists;
  private final ThreadLocal<ByteBuffer> buffer =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(BYTES_MAX));

  /// @param attributes whether those are compared that are no access control lists
  /// @param lists whether access control lists are
  public AttributeComparison(boolean attributes, boolean lists) {
    this.attributes = attributes;
    this.lists = lists;
  }

  /// In what two files differ, as phrases about the target.
  public List<String> differences(NativeFile source, NativeFile target) throws IOException {
    return differences(new Handle.Open(source.descriptor()), new Handle.Open(target.descriptor()));
  }

  public List<String> differences(OpenDirectory source, OpenDirectory target) throws IOException {
    return differences(new Handle.Open(source.descriptor()), new Handle.Open(target.descriptor()));
  }

  /// In what two entries differ that are not to be opened: links, FIFOs, devices.
  public List<String> differences(
      OpenDirectory source, byte[] name, OpenDirectory target, byte[] newName) throws IOException {
    return differences(
        Handle.Named.of(source.descriptor(), name), Handle.Named.of(target.descriptor(), newName));
  }

  private List<String> differences(Handle source, Handle target) throws IOException {
    if (!attributes && !lists) {
      return List.of();
    }
    Map<String, byte[]> from = read(source);
    Map<String, byte[]> to = read(target);
    List<String> found = new ArrayList<>();
    for (Map.Entry<String, byte[]> each : from.entrySet()) {
      byte[] value = to.remove(each.getKey());
      if (value == null) {
        found.add("has no " + label(each.getKey()));
      } else if (!Arrays.equals(value, each.getValue())) {
        found.add("has another " + label(each.getKey()));
      }
    }
    for (String name : to.keySet()) {
      found.add("has " + label(name) + ", and its source has none");
    }
    return found;
  }

  /// By name, its bytes as Latin-1; what is not compared is left out.
  private Map<String, byte[]> read(Handle file) throws IOException {
    Map<String, byte[]> all = new TreeMap<>();
    ByteBuffer mine = buffer.get();
    int length = file.listAttributes(mine);
    if (length == 0 || length == -Errno.EOPNOTSUPP) {
      return all;
    }
    byte[] names = bytes(mine, required(length));
    int start = 0;
    for (int i = 0; i < names.length; i++) {
      if (names[i] == 0) {
        byte[] name = Arrays.copyOfRange(names, start, i);
        start = i + 1;
        int size = isCompared(name) ? file.attribute(name, mine) : -Errno.ENODATA;
        if (size != -Errno.ENODATA) {
          all.put(new String(name, StandardCharsets.ISO_8859_1), bytes(mine, required(size)));
        }
      }
    }
    return all;
  }

  private boolean isCompared(byte[] name) {
    boolean isList = isList(name);
    return isList ? lists : attributes && !ExtendedAttributes.isLeftBehind(name);
  }

  private static boolean isList(byte[] name) {
    return Arrays.equals(name, AccessList.ACCESS) || Arrays.equals(name, AccessList.DEFAULT);
  }

  private static String label(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
    return isList(bytes)
        ? "access control list (" + name + ")"
        : "attribute " + Printable.of(bytes);
  }

  private static byte[] bytes(ByteBuffer buffer, int length) {
    byte[] bytes = new byte[length];
    buffer.get(0, bytes);
    return bytes;
  }

  private static int required(int result) throws IOException {
    if (result < 0) {
      throw Errno.failure(-result);
    }
    return result;
  }
}
