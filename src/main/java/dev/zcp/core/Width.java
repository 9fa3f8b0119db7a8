package dev.zcp.core;

/// How many columns of a terminal a text takes. It may say too many, never too few, so that what is
/// cut to a width does not wrap.
public final class Width {

  private Width() {}

  public static int of(String text) {
    int columns = 0;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      columns += of(text.codePointAt(i));
    }
    return columns;
  }

  /// `text` itself if it fits, else its beginning and its end around an ellipsis.
  public static String cutMiddle(String text, int columns, boolean unicode) {
    if (of(text) <= columns) {
      return text;
    }
    String ellipsis = unicode ? "…" : "...";
    int room = columns - of(ellipsis);
    if (room < 2) {
      return head(text, columns);
    }
    String head = head(text, (room + 1) / 2);
    return head + ellipsis + tail(text, room / 2);
  }

  /// The longest beginning of `text` that fits.
  public static String head(String text, int columns) {
    int end = 0;
    int left = columns;
    while (end < text.length()) {
      int codePoint = text.codePointAt(end);
      left -= of(codePoint);
      if (left < 0) {
        break;
      }
      end += Character.charCount(codePoint);
    }
    return text.substring(0, end);
  }

  private static String tail(String text, int columns) {
    int start = text.length();
    int left = columns;
    while (start > 0) {
      int codePoint = text.codePointBefore(start);
      left -= of(codePoint);
      if (left < 0) {
        break;
      }
      start -= Character.charCount(codePoint);
    }
    return text.substring(start);
  }

  /// 2 for the blocks that Unicode's East Asian Width (UAX 11) calls wide, and for emoji; else 1.
  private static int of(int codePoint) {
    boolean wide =
        codePoint >= 0x1100
            && (codePoint <= 0x115f
                || codePoint >= 0x2e80 && codePoint <= 0xa4cf
                || codePoint >= 0xa960 && codePoint <= 0xa97f
                || codePoint >= 0xac00 && codePoint <= 0xd7a3
                || codePoint >= 0xf900 && codePoint <= 0xfaff
                || codePoint >= 0xfe30 && codePoint <= 0xfe6f
                || codePoint >= 0xff00 && codePoint <= 0xff60
                || codePoint >= 0xffe0 && codePoint <= 0xffe6
                || codePoint >= 0x2600 && codePoint <= 0x27bf
                || codePoint >= 0x2b00 && codePoint <= 0x2bff
                || codePoint >= 0x231a && codePoint <= 0x23ff
                || codePoint >= 0x16fe0 && codePoint <= 0x1b2ff
                || codePoint >= 0x1f000 && codePoint <= 0x3fffd);
    return wide ? 2 : 1;
  }
}
