package dev.zcp.tree;

import dev.zcp.core.Printable;
import dev.zcp.linux.Errno;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.AttributeSource.GivenAttribute;
import dev.zcp.tree.Losses.Loss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Reads the extended attributes of sources as values, access control lists among them. What cannot
/// be read, or is too much, is a [Loss]. Belongs to one thread.
public final class AttributeCapture {

  private final boolean isNeeded;
  private final int bytesMax;
  private final int eachBytes;
  private final Losses losses;
  private final AttributeReader reader;

  /// @param keepsAttributes whether those are read that are no access control lists
  /// @param keepsLists whether access control lists are read
  /// @param bytesMax how much is taken of one entry, names and values together
  /// @param eachBytes what an attribute counts for besides
  public AttributeCapture(
      boolean keepsAttributes, boolean keepsLists, int bytesMax, int eachBytes, Losses losses) {
    this.isNeeded = keepsAttributes || keepsLists;
    this.bytesMax = bytesMax;
    this.eachBytes = eachBytes;
    this.losses = losses;
    this.reader = new AttributeReader(keepsAttributes, keepsLists);
  }

  public boolean isNeeded() {
    return isNeeded;
  }

  /// Those of a file that is open.
  ///
  /// @param label the entry's name, for messages
  public List<GivenAttribute> of(NativeFile file, Object label) {
    return of(Handle.of(file.descriptor()), label);
  }

  /// Those of a directory.
  public List<GivenAttribute> of(OpenDirectory directory, Object label) {
    return of(Handle.of(directory.descriptor()), label);
  }

  /// Those of what has the name in a directory, links not followed.
  public List<GivenAttribute> of(OpenDirectory directory, byte[] name, Object label) {
    return of(Handle.of(directory.descriptor(), name), label);
  }

  private List<GivenAttribute> of(Handle source, Object label) {
    if (!isNeeded) {
      return List.of();
    }
    int result = reader.begin(source);
    if (result < 0) {
      losses.add(Loss.LossKind.XATTR, label, Errno.sentence(-result));
    }
    byte[] name = reader.next();
    if (name == null) {
      return List.of();
    }
    List<GivenAttribute> taken = new ArrayList<>();
    int bytes = 0;
    for (; name != null; name = reader.next()) {
      int length = reader.read(name);
      if (length < 0) {
        if (length != -Errno.ENODATA) {
          String reason = Printable.of(name) + ": " + Errno.sentence(-length);
          losses.add(AccessList.kindOf(name), label, reason);
        }
      } else if (!Arrays.equals(name, AccessList.ACCESS)
          || AccessList.saysMoreThanMode(reader.value())) {
        int more = eachBytes + name.length + length;
        if (bytes + more > bytesMax) {
          String reason = "more than " + bytesMax + " bytes of them";
          losses.add(AccessList.kindOf(name), label, reason);
        } else {
          bytes += more;
          taken.add(new GivenAttribute(name, reader.bytes()));
        }
      }
    }
    return taken;
  }
}
