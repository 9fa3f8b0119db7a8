package dev.zcp.linux;

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

  /// Empty if it is not there: a network namespace may not have it.
  private static String text(String setting) {
    return ProcFile.text(SETTINGS + setting).strip();
  }
}
