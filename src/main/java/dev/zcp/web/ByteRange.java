package dev.zcp.web;

/// The part of a file that a request asks for: RFC 9110, section 14. Of several ranges, and of what
/// is no range of bytes, nothing is taken: then the whole file is sent, as section 14.2 allows.
///
/// @param isWhole whether no range was asked for
/// @param bytes how many from `start` on; negative if there is nothing there
record ByteRange(long start, long bytes, boolean isWhole) {

  private static final String UNIT = "bytes=";

  /// @param header null if there is none
  /// @param sizeBytes the file's
  static ByteRange of(String header, long sizeBytes) {
    ByteRange whole = new ByteRange(0, sizeBytes, true);
    if (header == null || !header.startsWith(UNIT)) {
      return whole;
    }
    String range = header.substring(UNIT.length()).strip();
    int dash = range.indexOf('-');
    if (dash < 0) {
      return whole;
    }
    long first = number(range.substring(0, dash));
    long last = number(range.substring(dash + 1));
    if (dash == 0 && last >= 0) {
      long start = Math.max(0, sizeBytes - last);
      return new ByteRange(start, last == 0 || sizeBytes == 0 ? -1 : sizeBytes - start, false);
    }
    boolean isOpen = dash == range.length() - 1;
    if (first < 0 || !isOpen && last < first) {
      return whole;
    }
    long end = isOpen ? sizeBytes : Math.min(sizeBytes, last + 1);
    return new ByteRange(first, first < sizeBytes ? end - first : -1, false);
  }

  /// @return -1 if it is none
  private static long number(String digits) {
    boolean isNumber = !digits.isEmpty() && digits.length() <= 18;
    for (int i = 0; isNumber && i < digits.length(); i++) {
      isNumber = digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
    }
    return isNumber ? Long.parseLong(digits) : -1;
  }

  boolean isThere() {
    return isWhole || bytes > 0;
  }

  /// What the answer says of it.
  String header(long sizeBytes) {
    return isThere()
        ? "bytes " + start + "-" + (start + bytes - 1) + "/" + sizeBytes
        : "bytes */" + sizeBytes;
  }
}
