package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.Forcing;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.OwnProcess;
import dev.zcp.linux.StandardStreams;
import dev.zcp.place.Partials;
import dev.zcp.place.Partials.Partial;
import dev.zcp.spi.Sink;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.HexFormat;

/// A list of files and their SHA-256, in the form that `sha256sum --check` of the GNU coreutils
/// reads: one line each, in the order in which the files were published.
///
/// It is a partial file until [#publish], so that a list that has its name is whole; to standard
/// output lines go as they come. Any thread may call [#add].
///
/// SHA-256 and not BLAKE2, which b2sum(1) takes and which is faster in software, since the JDK
/// brings it, with the processor's own instructions behind it.
final class ManifestFile implements Closeable {

  private static final int BUFFERED_BYTES_MAX = 64 << 10;

  /// What a new list may be read and written by, less the umask.
  private static final int MODE = 0666;

  private final RawPath file;

  /// Both null for standard output.
  private final OpenDirectory directory;

  private final Partial partial;

  private final Sink sink;

  // Guarded by this.
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  private long writtenBytes;
  private IOException failure;

  private ManifestFile(RawPath file, OpenDirectory directory, Partial partial, Sink sink) {
    this.file = file;
    this.directory = directory;
    this.partial = partial;
    this.sink = sink;
  }

  /// Begins a list.
  ///
  /// @param file where it is to be; `-` for standard output
  static ManifestFile create(RawPath file, Partials partials, StandardStreams streams)
      throws Failure {
    try {
      if (file.isStandardStream()) {
        return new ManifestFile(file, null, null, streams.sink());
      }
      FileStatus old = FileStatus.ofExisting(file);
      if (old != null && !old.isRegular()) {
        throw Failure.of(ExitCode.DESTINATION, file, "is not a regular file");
      }
      OpenDirectory directory = OpenDirectory.open(file.parent());
      Partial partial = partials.begin(directory);
      return new ManifestFile(file, directory, partial, partial.createFile());
    } catch (NoSuchFileException e) {
      throw Failure.of(ExitCode.DESTINATION, file, "its directory does not exist")
          .with("create it first");
    } catch (IOException e) {
      throw Reasons.destination(file, e);
    }
  }

  /// Adds a file.
  ///
  /// @param name relative to the directory in which the list is to be checked
  /// @param digest its SHA-256
  synchronized void add(RawPath name, byte[] digest) {
    lines.writeBytes(line(name.bytes(), digest));
    if (lines.size() >= BUFFERED_BYTES_MAX) {
      flush();
    }
  }

  /// Gives the list its name, in place of an older one.
  ///
  /// @param durable whether it is on its device before it has the name, and the name as well
  /// @throws Failure if it could not be written, now or at any time before
  void publish(boolean durable) throws Failure {
    try {
      synchronized (this) {
        flush();
        if (failure != null) {
          throw failure;
        }
      }
      if (partial != null) {
        NativeFile list = (NativeFile) sink;
        list.setMode(MODE & ~OwnProcess.umask());
        if (durable) {
          Forcing.force(list);
        }
        list.close();
        partial.reveal(file.lastComponent(), true);
        if (durable) {
          directory.force();
        }
      }
    } catch (IOException e) {
      throw Reasons.destination(file, e).with("the files are copied, the list of them is not kept");
    }
  }

  /// Releases it; what was not published is gone.
  @Override
  public void close() throws IOException {
    if (partial != null) {
      sink.close();
      partial.discard();
      directory.close();
    }
  }

  /// Once it has failed nothing is written any more: a list with a hole in it is none.
  private void flush() {
    if (failure == null) {
      try {
        ByteBuffer bytes = ByteBuffer.wrap(lines.toByteArray());
        int count = bytes.remaining();
        sink.writeAll(bytes, writtenBytes);
        writtenBytes += count;
      } catch (IOException e) {
        failure = e;
      }
    }
    lines.reset();
  }

  /// As md5sum(1) has it: a backslash, a newline and a carriage return in a name are escaped, and
  /// then the line begins with a backslash. Two spaces, since text and binary are one on Linux.
  ///
  /// The name `-` would be standard input to whoever checks the list.
  static byte[] line(byte[] name, byte[] digest) {
    ByteArrayOutputStream line = new ByteArrayOutputStream(name.length + 2 * digest.length + 4);
    ByteArrayOutputStream escaped = new ByteArrayOutputStream(name.length + 2);
    if (name.length == 1 && name[0] == '-') {
      escaped.writeBytes(ascii("./"));
    }
    boolean isEscaped = false;
    for (byte b : name) {
      int escape = "\\\n\r".indexOf(b);
      if (escape >= 0) {
        isEscaped = true;
        escaped.write('\\');
      }
      escaped.write(escape < 0 ? b : "\\nr".charAt(escape));
    }
    if (isEscaped) {
      line.write('\\');
    }
    line.writeBytes(ascii(HexFormat.of().formatHex(digest)));
    line.writeBytes(ascii("  "));
    line.writeBytes(escaped.toByteArray());
    line.write('\n');
    return line.toByteArray();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
