package dev.zcp.tree;

import dev.zcp.linux.FileStatus;

/// What a file is known by in a map, whatever its name: its device, its inode number and its type.
/// A number may be another file's once a file is deleted; its type often differs then.
///
/// Equality by hand, since that of a record costs a cold process 15 ms.
public record FileKey(long device, long inode, int type) {

  public static FileKey of(FileStatus status) {
    return new FileKey(status.device(), status.inode(), status.type());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FileKey key
        && inode == key.inode
        && device == key.device
        && type == key.type;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(inode * 31 + device);
  }
}
