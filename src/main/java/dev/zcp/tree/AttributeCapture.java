package dev.zcp.tree;

import dev.zcp.core.Printable;
import dev.zcp.linux.Errno;
import dev.zcp.linux.NativeFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Reads the extended attributes of sources as values, access control lists among them: those that
/// [ExtendedAttributes] would copy. What cannot be read, or is too much, is a [Loss]. Belongs to
/// one thread.
public final class AttributeCapture {

  private final boolean keepsAttributes;
  private final boolean keepsLists;
  private final int bytesMax;
  private final int eachBytes;
  private final Losses losses;
  private final AttributeBuffers buffers = new AttributeBuffers();

  /// @param keepsAttributes whether those are read that are no access control lists
  /// @param keepsLists whether access control lists are read
  /// @param bytesMax how much is taken of one entry, names and values together
  /// @param eachBytes what an attribute counts for besides
  public AttributeCapture(
      boolean keepsAttributes, boolean keepsLists, int bytesMax, int eachBytes, Losses losses) {
    this.keepsAttributes = keepsAttributes;
    this.keepsLists = keepsLists;
    this.bytesMax = bytesMax;
    this.eachBytes = eachBytes;
    this.losses = losses;
  }

  /// Whether anything is read at all.
  public boolean isNeeded() {
    return keepsAttributes || keepsLists;
  }

  /// Those of a file that is open.
  ///
  /// @param label the entry's name, for messages
  public List<GivenAttribute> of(NativeFile file, Object label) {
    return of(new Handle.Open(file.descriptor()), label);
  }

  /// Those of a directory.
  public List<GivenAttribute> of(OpenDirectory directory, Object label) {
    return of(new Handle.Open(directory.descriptor()), label);
  }

  /// Those of what has the name in a directory, links not followed.
  public List<GivenAttribute> of(OpenDirectory directory, byte[] name, Object label) {
    return of(Handle.Named.of(directory.descriptor(), name), label);
  }

  private List<GivenAttribute> of(Handle source, Object label) {
    if (!isNeeded()) {
      return List.of();
    }
    int length = buffers.list(source);
    if (length <= 0) {
      if (length < 0 && length != -Errno.EOPNOTSUPP) {
        losses.add(Loss.Kind.XATTR, label, Errno.sentence(-length));
      }
      return List.of();
    }
    List<GivenAttribute> taken = new ArrayList<>();
    byte[] names = buffers.names(length);
    int bytes = 0;
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (names[i] == 0) {
        byte[] name = Arrays.copyOfRange(names, start, i);
        start = i + 1;
        GivenAttribute attribute = isWanted(name) ? read(source, name, label) : null;
        if (attribute == null) {
          continue;
        }
        int more = eachBytes + name.length + attribute.value().length;
        if (bytes + more > bytesMax) {
          losses.add(kindOf(name), label, "more than " + bytesMax + " bytes of them");
        } else {
          bytes += more;
          taken.add(attribute);
        }
      }
    }
    return taken;
  }

  private boolean isWanted(byte[] name) {
    return isList(name) ? keepsLists : keepsAttributes && !ExtendedAttributes.isLeftBehind(name);
  }

  private static boolean isList(byte[] name) {
    return Arrays.equals(name, AccessList.ACCESS) || Arrays.equals(name, AccessList.DEFAULT);
  }

  private static Loss.Kind kindOf(byte[] name) {
    return isList(name) ? Loss.Kind.ACL : Loss.Kind.XATTR;
  }

  /// @return null where there is none any more, or it says nothing, or it is lost
  private GivenAttribute read(Handle source, byte[] name, Object label) {
    ByteBuffer value = buffers.value();
    int length = source.attribute(name, value);
    if (length < 0) {
      if (length != -Errno.ENODATA) {
        losses.add(kindOf(name), label, Printable.of(name) + ": " + Errno.sentence(-length));
      }
      return null;
    }
    value.position(0).limit(length);
    if (Arrays.equals(name, AccessList.ACCESS) && !AccessList.saysMoreThanMode(value)) {
      return null;
    }
    byte[] bytes = new byte[length];
    value.get(0, bytes);
    return new GivenAttribute(name, bytes);
  }
}
