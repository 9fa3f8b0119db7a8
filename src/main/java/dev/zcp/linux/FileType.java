package dev.zcp.linux;

/// The type bits of `st_mode`: inode(7).
public final class FileType {

  public static final int MASK = 0170000;
  public static final int REGULAR = 0100000;
  public static final int DIRECTORY = 0040000;
  public static final int SYMLINK = 0120000;
  public static final int FIFO = 0010000;
  public static final int SOCKET = 0140000;
  public static final int CHARACTER_DEVICE = 0020000;
  public static final int BLOCK_DEVICE = 0060000;

  private FileType() {}
}
