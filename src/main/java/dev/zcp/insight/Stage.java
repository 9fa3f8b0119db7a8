package dev.zcp.insight;

/// A part of the work with a latency histogram of its own. What one sample is, is said here.
public enum Stage {
  /// One step from file to file (or stream) on this machine.
  COPY("copy"),
  /// One step from a file into the socket.
  SEND("send"),
  /// One step from the socket into a file.
  RECEIVE("receive"),
  /// One read into user space, inside a step; kernel-only strategies have none.
  READ("read"),
  /// One write from user space, inside a step; kernel-only strategies have none.
  WRITE("write"),
  /// The digest of one chunk, beside the step that moved it; or a piece of a file compared with its
  /// source.
  DIGEST("digest"),
  /// One file, from its opening to its publication or acknowledgement.
  FILE("whole file"),
  /// Making one complete file visible under its final name.
  PUBLISH("publish");

  private final String label;

  Stage(String label) {
    this.label = label;
  }

  /// As tables show it.
  public String label() {
    return label;
  }

  /// As programs read it, in `--json` and in histogram logs: one word of small letters.
  public String word() {
    return switch (this) {
      case FILE -> "file";
      case COPY, SEND, RECEIVE, READ, WRITE, DIGEST, PUBLISH -> label;
    };
  }
}
