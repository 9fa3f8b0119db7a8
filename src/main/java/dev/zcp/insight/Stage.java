package dev.zcp.insight;

/// A part of the work with a latency histogram of its own, in the order of a file's way. What one
/// sample is, is said here: always one operation that was timed, never a share or an average of
/// several.
public enum Stage {
  /// Starting the other end by ssh, up to its answer.
  LOGIN("login"),
  /// Opening one source.
  OPEN("open"),
  /// Making one partial file, or opening the one that an interrupted session left.
  CREATE("create"),
  /// One read into user space, inside a step; kernel-only strategies have none.
  READ("read"),
  /// The digest of one piece of a file, beside the step that moves it; if the kernel moves it, the
  /// read that the digest needs, too.
  DIGEST("digest"),
  /// Making one piece smaller, or at a receiver whole again.
  COMPRESS("compress"),
  /// One wait of a sending thread that had something to send, until the receiver had acknowledged
  /// enough of what was under way.
  WINDOW("window wait", "window"),
  /// One wait for `--limit-rate`.
  PACE("rate limit", "pace"),
  /// One step from file to file (or stream) on this machine.
  COPY("copy"),
  /// One step from a file into the socket, or one part.
  SEND("send"),
  /// One step from the socket into a file, or one read of a part off the socket.
  RECEIVE("receive"),
  /// One task of a receiver, from its arrival to the moment when a worker began it.
  QUEUE("queue wait", "queue"),
  /// One write from user space, inside a step; kernel-only strategies have none.
  WRITE("write"),
  /// One record of a receiver's journal.
  JOURNAL("journal"),
  /// One piece of a target, read again to be digested or compared with its source.
  READ_BACK("read back", "readback"),
  /// Forcing one file, or one file system, to its device.
  FLUSH("flush"),
  /// Giving one file or directory its owner, attributes, mode and times.
  METADATA("metadata"),
  /// Closing one complete file and giving it its final name.
  PUBLISH("publish"),
  /// One file, from its opening to its publication or acknowledgement.
  FILE("whole file", "file");

  private final String label;
  private final String word;

  Stage(String label) {
    this(label, label);
  }

  Stage(String label, String word) {
    this.label = label;
    this.word = word;
  }

  /// As tables show it.
  public String label() {
    return label;
  }

  /// As tables of one end show it: a receiver reads from the network, and a sender writes there.
  public String label(WorkSide side) {
    if (this == COMPRESS && side == WorkSide.RECEIVER) {
      return "decompress";
    }
    boolean isRemote =
        this == READ && side == WorkSide.RECEIVER || this == WRITE && side == WorkSide.SENDER;
    return isRemote ? "net " + label : label;
  }

  /// Whether a thread is at one sample at a time. Tasks that wait in a queue, and files that are
  /// under way, overlap: the sum of their times is that of nobody.
  boolean isOfThread() {
    return this != QUEUE && this != FILE;
  }

  /// The stage whose [#word] this is, or null.
  public static Stage ofWord(String word) {
    for (Stage stage : values()) {
      if (stage.word().equals(word)) {
        return stage;
      }
    }
    return null;
  }

  /// As programs read it, in `--json` and in histogram logs: one word of small letters.
  public String word() {
    return word;
  }
}
