package dev.zcp.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// The parts of a form with files, one after the other, as they come: multipart/form-data of RFC
/// 7578. It is the stream of the current part. Nothing but a buffer is kept of them. Names of files
/// are as browsers write them, with `"` and line ends percent-encoded; each char of one is a byte.
final class FormParts extends InputStream {

  /// RFC 2046, section 5.1.1.
  private static final int BOUNDARY_BYTES_MAX = 70;

  private static final int HEADERS_BYTES_MAX = 16 << 10;
  private static final int BUFFER_BYTES = 64 << 10;

  private final InputStream in;

  /// A line end, two dashes and the boundary: what ends each part.
  private final byte[] delimiter;

  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int start;
  private int end;
  private String fileName;

  private FormParts(InputStream in, byte[] delimiter) {
    this.in = in;
    this.delimiter = delimiter;
    // The first delimiter may come without the end of a line before it.
    buffer[0] = '\r';
    buffer[1] = '\n';
    this.end = 2;
  }

  /// @param contentType of the request; null if it has none
  /// @return null if it is no such form
  static FormParts of(InputStream in, String contentType) {
    String boundary = parameter(contentType, "multipart/form-data", "boundary");
    boolean isOne =
        boundary != null && !boundary.isEmpty() && boundary.length() <= BOUNDARY_BYTES_MAX;
    return isOne
        ? new FormParts(in, ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1))
        : null;
  }

  /// Goes on to the next part, past what was not read of the one before.
  ///
  /// @return false if there is none
  /// @throws IOException if the form is cut short, or is none
  boolean next() throws IOException {
    transferTo(OutputStream.nullOutputStream());
    start += delimiter.length;
    while (end - start < 2) {
      fill();
    }
    // Some clients end the last line, others do not.
    if (buffer[start] == '-' && buffer[start + 1] == '-') {
      return false;
    }
    line();
    fileName = null;
    int bytes = 0;
    for (String header = line(); !header.isEmpty(); header = line()) {
      bytes += header.length();
      if (bytes > HEADERS_BYTES_MAX) {
        throw new IOException("the headers of a part of the form are too long");
      }
      int colon = header.indexOf(':');
      if (colon > 0 && header.substring(0, colon).equalsIgnoreCase("Content-Disposition")) {
        fileName = parameter(header.substring(colon + 1), "form-data", "filename");
      }
    }
    return true;
  }

  /// The name of the current part's file; null if it is a field of another kind.
  String fileName() {
    return fileName;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int count = length == 0 ? 0 : ready(length);
    System.arraycopy(buffer, start, target, offset, count);
    start += count;
    return count == 0 && length > 0 ? -1 : count;
  }

  /// How many bytes of the current part there are, at most `most`; 0 if it is over.
  private int ready(int most) throws IOException {
    while (true) {
      int found = found();
      // What may be the beginning of a delimiter waits for more.
      int sure = found >= 0 ? found - start : end - start - (delimiter.length - 1);
      if (sure > 0 || found >= 0) {
        return Math.min(most, sure);
      }
      fill();
    }
  }

  /// Where the next delimiter begins in the buffer; -1 if it has none.
  private int found() {
    for (int at = start; at <= end - delimiter.length; at++) {
      int same = 0;
      while (same < delimiter.length && buffer[at + same] == delimiter[same]) {
        same++;
      }
      if (same == delimiter.length) {
        return at;
      }
    }
    return -1;
  }

  private void fill() throws IOException {
    System.arraycopy(buffer, start, buffer, 0, end - start);
    end -= start;
    start = 0;
    int count = end == buffer.length ? -1 : in.read(buffer, end, buffer.length - end);
    if (count < 0) {
      throw new IOException("the form is cut short");
    }
    end += count;
  }

  /// The next line, without its end.
  private String line() throws IOException {
    for (int at = start; ; at++) {
      while (at + 1 >= end) {
        int before = at - start;
        if (before > HEADERS_BYTES_MAX) {
          throw new IOException("a line of the form is too long");
        }
        fill();
        at = start + before;
      }
      if (buffer[at] == '\r' && buffer[at + 1] == '\n') {
        String line = new String(buffer, start, at - start, StandardCharsets.ISO_8859_1);
        start = at + 2;
        return line;
      }
    }
  }

  /// A parameter of a header's value: RFC 2045, section 5.1. In quotes, a backslash stays what it
  /// is unless it stands before a quote: so browsers write it.
  ///
  /// @return null if the value is not of this kind, or has no such parameter
  private static String parameter(String value, String kind, String name) {
    String text = value == null ? "" : value.strip();
    int at = text.indexOf(';');
    if (at < 0 || !text.substring(0, at).strip().toLowerCase(Locale.ROOT).equals(kind)) {
      return null;
    }
    while (at >= 0 && at < text.length()) {
      int equals = text.indexOf('=', at);
      if (equals < 0) {
        return null;
      }
      String found = text.substring(at + 1, equals).strip();
      StringBuilder word = new StringBuilder();
      int next = equals + 1;
      boolean isQuoted = next < text.length() && text.charAt(next) == '"';
      next += isQuoted ? 1 : 0;
      char stop = isQuoted ? '"' : ';';
      while (next < text.length() && text.charAt(next) != stop) {
        boolean isEscape = isQuoted && text.startsWith("\\\"", next) && next + 2 < text.length();
        next += isEscape ? 1 : 0;
        word.append(text.charAt(next));
        next++;
      }
      if (found.equalsIgnoreCase(name)) {
        return word.toString();
      }
      at = text.indexOf(';', next);
    }
    return null;
  }
}
