package dev.zcp.linux;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// What the kernel grants the buffers of a TCP connection, in bytes: tcp(7), socket(7). -1 is for
/// what it does not tell.
///
/// @param sendTunedMax up to where it tunes a sender's buffer by itself
/// @param receiveTunedMax the same of a receiver's
/// @param sendAskedMax the most that it takes of what SO_SNDBUF asks for
/// @param receiveAskedMax the same of SO_RCVBUF
/// @param congestion the congestion control of new connections; empty if it does not tell
public record SocketLimits(
    long sendTunedMax,
    long receiveTunedMax,
    long sendAskedMax,
    long receiveAskedMax,
    String congestion) {

  private static final String SETTINGS = "/proc/sys/net/";
  private static final int TEXT_BYTES_MAX = 256;

  /// What holds for connections that are made now.
  public static SocketLimits read() {
    return new SocketLimits(
        lastNumber("ipv4/tcp_wmem"),
        lastNumber("ipv4/tcp_rmem"),
        lastNumber("core/wmem_max"),
        lastNumber("core/rmem_max"),
        text("ipv4/tcp_congestion_control"));
  }

  private static long lastNumber(String setting) {
    String text = text(setting);
    try {
      return Long.parseLong(text.substring(text.lastIndexOf('\t') + 1));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static String text(String setting) {
    // In one read: a setting of numbers gives nothing more to a second one, and Files.readString
    // makes a first one of a single byte.
    byte[] bytes = new byte[TEXT_BYTES_MAX];
    try (FileInputStream in = new FileInputStream(SETTINGS + setting)) {
      int count = Math.max(0, in.read(bytes));
      return new String(bytes, 0, count, StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      // A network namespace may not have it.
      return "";
    }
  }
}
