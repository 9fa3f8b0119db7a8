package dev.zcp.bench.plan;

/// What is done to a file, again and again, in different ways.
public enum Experiment {
  /// A file into memory, where its bytes are looked at.
  READ("read"),
  /// Bytes from memory into a new file.
  WRITE("write"),
  /// A file into a new file.
  COPY("copy"),
  /// A file into a loopback connection whose other end takes everything.
  SEND("send"),
  /// A loopback connection, fed by sendfile(2), into a new file.
  RECEIVE("receive"),
  /// Bytes from memory into a new file that is forced to its device on the way.
  FORCE("force");

  private final String word;

  Experiment(String word) {
    this.word = word;
  }

  /// As a user types it.
  public String word() {
    return word;
  }
}
