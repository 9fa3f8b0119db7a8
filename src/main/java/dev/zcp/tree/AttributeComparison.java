package dev.zcp.tree;

import dev.zcp.core.PerThread;
import dev.zcp.core.Printable;
import dev.zcp.linux.Errno;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Compares the extended attributes of copies with those of their sources: those that a copy is to
/// have, and no others. One system call for a file that has none. Any thread may call it.
public final class AttributeComparison {

  private final boolean isNeeded;
  private final PerThread<AttributeReader> readers;

  /// @param attributes whether those are compared that are no access control lists
  /// @param lists whether access control lists are
  public AttributeComparison(boolean attributes, boolean lists) {
    this.isNeeded = attributes || lists;
    this.readers = new PerThread<>(() -> new AttributeReader(attributes, lists));
  }

  /// Whether two files differ.
  ///
  /// @param others whether what only the target has counts if it is no access control list
  public boolean differ(AttributeSource source, AttributeSource target, boolean others)
      throws IOException {
    if (!isNeeded) {
      return false;
    }
    Map<String, byte[]> from = read(source);
    Map<String, byte[]> to = read(target);
    for (Map.Entry<String, byte[]> each : from.entrySet()) {
      if (!Arrays.equals(to.remove(each.getKey()), each.getValue())) {
        return true;
      }
    }
    return others ? !to.isEmpty() : to.keySet().stream().anyMatch(AttributeComparison::isList);
  }

  /// In what two files differ, as phrases about the target.
  public List<String> differences(Handle source, Handle target) throws IOException {
    if (!isNeeded) {
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
  private Map<String, byte[]> read(AttributeSource file) throws IOException {
    Map<String, byte[]> all = new TreeMap<>();
    AttributeReader reader = readers.get();
    Errno.require(reader.begin(file));
    for (byte[] name = reader.next(); name != null; name = reader.next()) {
      int length = reader.read(name);
      if (length != -Errno.ENODATA) {
        Errno.require(length);
        all.put(new String(name, StandardCharsets.ISO_8859_1), reader.bytes());
      }
    }
    return all;
  }

  private static boolean isList(String name) {
    return AccessList.isOne(name.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String label(String name) {
    return isList(name)
        ? "access control list (" + name + ")"
        : "attribute " + Printable.of(name.getBytes(StandardCharsets.ISO_8859_1));
  }
}
