package dev.zcp.linux;

import java.nio.ByteBuffer;

/// write(2), which only tests call: zcp itself writes at offsets or by channels.
final class PlainWrite {

  private PlainWrite() {}

  /// @param bytes direct; its position stays
  /// @return how many were taken, or minus an [Errno]
  static int of(int to, ByteBuffer bytes) {
    long address = Scratch.mine().addressOf(bytes);
    return Libc.intCall(Native.find("write"), to, address, bytes.remaining(), 0, 0);
  }
}
