package dev.zcp.spi;

/// What is known of a transfer before its first byte: what each end can do, deliberately not what
/// it is, so that one strategy serves file to file, file to socket and socket to file if it can.
public record Route(Traits source, Traits sink) {

  /// What one end can do.
  ///
  /// @param kind how the end carries bytes
  /// @param hasDescriptor whether [Source#descriptor] or [Sink#descriptor] has a number to give, so
  ///   that a system call can be made on it
  /// @param encrypted whether bytes must pass through user space to be encrypted or decrypted
  /// @param device the device of a file (`st_dev`), by which two ends of one file system are known;
  ///   [#NO_DEVICE] for other ends
  public record Traits(Kind kind, boolean hasDescriptor, boolean encrypted, long device) {

    public static final long NO_DEVICE = -1;

    /// Whether every offset can be reached: true of regular files only.
    public boolean seekable() {
      return kind == Kind.FILE;
    }
  }

  /// How an end carries bytes. System calls tell these apart, so strategies must too.
  public enum Kind {
    /// A regular file: any offset, any number of times.
    FILE,
    SOCKET,
    /// A pipe or FIFO, which splice(2) needs at one end at least.
    PIPE,
    /// Anything else that gives or takes bytes in order: a terminal, a device, a wrapped stream.
    STREAM;

    /// The word for messages, with its article.
    public String phrase() {
      return switch (this) {
        case FILE -> "a file";
        case SOCKET -> "a socket";
        case PIPE -> "a pipe";
        case STREAM -> "a stream";
      };
    }
  }
}
