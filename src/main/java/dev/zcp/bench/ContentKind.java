package dev.zcp.bench;

/// What made files hold.
public enum ContentKind {
  /// Bytes that no compression makes smaller.
  RANDOM("random"),
  /// Lines of words.
  TEXT("text"),
  /// Random bytes with holes between them, each a MiB.
  HOLES("holes");

  private final String word;

  ContentKind(String word) {
    this.word = word;
  }

  /// As a user types it.
  public String word() {
    return word;
  }
}
