package dev.zcp.web;

import io.nayuki.qrcodegen.QrCode;
import java.util.ArrayList;
import java.util.List;

/// A URL as a picture of characters that a telephone's camera reads off a terminal.
final class QrPicture {

  /// The margin that the camera needs: ISO/IEC 18004 wants four, and two are enough for telephones.
  private static final int MARGIN = 2;

  /// Black on white, whatever the colours of the terminal are: ECMA-48, SGR.
  private static final String COLOURS = "\u001b[30;107m";

  private static final String NO_COLOURS = "\u001b[0m";

  private QrPicture() {}

  /// Each character has two squares, one above the other.
  static List<String> lines(String url) {
    QrCode code = QrCode.encodeText(url, QrCode.Ecc.LOW);
    List<String> lines = new ArrayList<>();
    for (int y = -MARGIN; y < code.size + MARGIN; y += 2) {
      StringBuilder line = new StringBuilder(COLOURS);
      for (int x = -MARGIN; x < code.size + MARGIN; x++) {
        // Beyond its edge the library says that all is white.
        boolean upper = code.getModule(x, y);
        boolean lower = code.getModule(x, y + 1);
        line.append(upper ? lower ? '█' : '▀' : lower ? '▄' : ' ');
      }
      lines.add(line.append(NO_COLOURS).toString());
    }
    return lines;
  }
}
