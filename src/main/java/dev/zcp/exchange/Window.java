package dev.zcp.exchange;

/// The raw bytes that may be under way: sent and not acknowledged.
final class Window {

  private long bytes;
  private long underWay;

  void set(long windowBytes) {
    bytes = windowBytes;
  }

  long bytes() {
    return bytes;
  }

  /// Whether so many more may go out. Alone, any number may.
  boolean hasRoomFor(long more) {
    return underWay == 0 || more <= bytes - underWay;
  }

  void take(long more) {
    underWay += more;
  }

  void giveBack(long less) {
    underWay -= less;
  }
}
