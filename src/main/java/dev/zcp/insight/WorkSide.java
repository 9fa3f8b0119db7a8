package dev.zcp.insight;

/// Where work was done.
public enum WorkSide {
  /// On the one machine of a copy.
  LOCAL("local"),
  /// At the end of a session that sends.
  SENDER("sender"),
  /// At the end of a session that receives.
  RECEIVER("receiver");

  private final String word;

  WorkSide(String word) {
    this.word = word;
  }

  /// This end of a command, if it has a session.
  static WorkSide of(String command) {
    return switch (command) {
      case "send" -> SENDER;
      case "receive" -> RECEIVER;
      default -> LOCAL;
    };
  }

  /// The side whose [#word] this is; local if none is.
  public static WorkSide ofWord(String word) {
    for (WorkSide side : values()) {
      if (side.word().equals(word)) {
        return side;
      }
    }
    return LOCAL;
  }

  /// The other end of a session.
  public WorkSide other() {
    return switch (this) {
      case LOCAL -> LOCAL;
      case SENDER -> RECEIVER;
      case RECEIVER -> SENDER;
    };
  }

  /// As programs and people read it.
  public String word() {
    return word;
  }
}
