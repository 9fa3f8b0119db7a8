package dev.zcp.bench.count;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;

/// Reads and writes of a thread, from `/proc/thread-self/io`: `syscr` and `syscw` of proc(5).
///
/// The kernel counts a sendfile(2) and a copy_file_range(2) as one of each, and no splice(2), no
/// fault of a mapping and nothing else. A reading of the file is a read too, which shows in the
/// next one; what that comes to is measured on opening, by two readings in a row.
final class ProcCalls implements SystemCalls {

  private static final String FILE = "/proc/thread-self/io";

  private static final String READS = "syscr: ";
  private static final String WRITES = "syscw: ";

  /// Seven lines of a name and a number.
  private static final int TEXT_BYTES_MAX = 512;

  /// No channel: an interrupt would close it.
  private final RandomAccessFile file;

  private final String note;
  private final byte[] text = new byte[TEXT_BYTES_MAX];
  private final long callsOfAReading;
  private long readings;

  private ProcCalls(RandomAccessFile file, String note) throws IOException {
    this.file = file;
    this.note = note;
    long first = read();
    callsOfAReading = read() - first;
  }

  /// @param note why it comes to this
  static SystemCalls open(String note) {
    RandomAccessFile file = null;
    try {
      // Opened by the thread that is to be counted: the link leads on to its number for good.
      file = new RandomAccessFile(FILE, "r");
      return new ProcCalls(file, note);
    } catch (IOException e) {
      close(file);
      return new Uncounted(FILE + " cannot be read: " + e.getMessage());
    }
  }

  @Override
  public long countBesideReadings() {
    try {
      return read() - readings++ * callsOfAReading;
    } catch (IOException e) {
      throw new AssertionError("a file of /proc that was open cannot be read", e);
    }
  }

  @Override
  public SystemCallCount kind() {
    return SystemCallCount.READS_AND_WRITES;
  }

  @Override
  public String note() {
    return note;
  }

  @Override
  public void close() {
    close(file);
  }

  private static void close(RandomAccessFile file) {
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        // Nothing was written, so nothing is lost.
      }
    }
  }

  private long read() throws IOException {
    file.seek(0);
    int bytes = file.read(text);
    String content = new String(text, 0, Math.max(bytes, 0), StandardCharsets.US_ASCII);
    return figure(content, READS) + figure(content, WRITES);
  }

  private static long figure(String content, String name) throws IOException {
    int start = content.indexOf(name) + name.length();
    int end = content.indexOf('\n', start);
    if (start < name.length() || end < 0) {
      throw new IOException("without " + name.strip());
    }
    return Long.parseLong(content.substring(start, end));
  }
}
