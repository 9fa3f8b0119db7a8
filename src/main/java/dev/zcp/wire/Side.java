package dev.zcp.wire;

/// What the two ends of a session do: the sender gives files and the receiver takes them. Either
/// may be the one that dials.
public enum Side {
  SENDER(1, "sender"),
  RECEIVER(2, "receiver");

  private final int code;
  private final String word;

  Side(int code, String word) {
    this.code = code;
    this.word = word;
  }

  int code() {
    return code;
  }

  static Side ofCode(int code) throws ProtocolException {
    return switch (code) {
      case 1 -> SENDER;
      case 2 -> RECEIVER;
      default -> throw new ProtocolException("unknown side " + code + " in the hello");
    };
  }

  public Side other() {
    return this == SENDER ? RECEIVER : SENDER;
  }

  @Override
  public String toString() {
    return word;
  }
}
