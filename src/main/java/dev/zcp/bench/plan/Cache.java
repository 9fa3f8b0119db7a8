package dev.zcp.bench.plan;

/// Where the source's bytes are when a run begins.
public enum Cache {
  /// In the page cache, all of them.
  WARM("warm"),
  /// On the device: put out of the page cache, and seen to be out.
  COLD("cold");

  private final String word;

  Cache(String word) {
    this.word = word;
  }

  /// As a user types it.
  public String word() {
    return word;
  }
}
