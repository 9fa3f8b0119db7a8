package dev.zcp.walk;

import dev.zcp.core.Crc32c;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.Reasons;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;

/// The names of a [NameList], one after the other as they come: a list may be longer than memory,
/// and still being written.
public final class NameLists implements Closeable {

  /// More than any path that a system call takes, and less than memory.
  static final int NAME_BYTES_MAX = 1 << 20;

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int END = -1;

  private final String label;
  private final boolean nulSeparated;
  private final ListUse use;
  private final boolean isOwn;
  private final long expected;
  private final Crc32c checksum = new Crc32c();
  private final InputStream in;
  private final ByteArrayOutputStream raw = new ByteArrayOutputStream(256);
  private byte[] name = {};
  private long number;
  private boolean ended;

  /// Whether the latest name is empty, as the last one of a list of a plan is.
  private boolean isEndMark;

  private NameLists(String label, NameList list, boolean isOwn, InputStream in) {
    this.label = label;
    this.nulSeparated = list.nulSeparated();
    this.use = list.use();
    this.isOwn = isOwn;
    this.expected = list.checksum();
    this.in = new BufferedInputStream(in, BUFFER_BYTES);
  }

  /// @param standardInput what a list called `-` is read from; it is left open
  /// @throws Failure SOURCE if the list is missing or may not be read
  public static NameLists open(NameList list, InputStream standardInput) throws Failure {
    boolean standard = list.file().isStandardStream();
    String label = standard ? "standard input" : list.file().toString();
    try {
      if (list.use() != ListUse.COPY) {
        FileStatus.of(list.file()).requireRegular(list.file());
      }
      InputStream in = standard ? standardInput : Files.newInputStream(list.file().toPath());
      return new NameLists(label, list, !standard, in);
    } catch (IOException e) {
      throw Reasons.source(label, e);
    }
  }

  /// The next name, relative to the source, its components separated by one slash each and none of
  /// them empty, `.` or `..`: `./a//b/` is `a/b`. Without any byte it is the source itself, as
  /// find(1) lists it first. Null at the end of the list; empty lines are no names.
  ///
  /// @throws Failure SOURCE if this name leads out of the source or is none, with its number in the
  ///   list: the next call goes on with the name that follows. SOURCE too if the list cannot be
  ///   read: the next call then finds its end
  public byte[] next() throws Failure {
    while (!ended && readRaw()) {
      number++;
      if (name.length > 0) {
        return normal(name);
      }
    }
    return null;
  }

  private boolean readRaw() throws Failure {
    raw.reset();
    int separator = nulSeparated ? 0 : '\n';
    boolean any = false;
    try {
      for (int b = in.read(); b != END; b = in.read()) {
        if (b == separator) {
          isEndMark = !any;
          check(separator);
          name = nulSeparated ? raw.toByteArray() : withoutReturn(raw.toByteArray());
          return true;
        }
        any = true;
        // One more than may be tells that there were more.
        if (raw.size() <= NAME_BYTES_MAX) {
          raw.write(b);
        }
      }
      ended = true;
      check(END);
      if (use != ListUse.COPY && (any || !isEndMark)) {
        throw Failure.of(ExitCode.SOURCE, label, "is cut short").with("make the plan again");
      }
      if (expected != NameList.NO_CHECKSUM
          && expected != Integer.toUnsignedLong(checksum.value())) {
        throw Failure.of(ExitCode.SOURCE, label, "is not the list that was planned")
            .with("make the plan again");
      }
      name = nulSeparated ? raw.toByteArray() : withoutReturn(raw.toByteArray());
      return any;
    } catch (IOException e) {
      ended = true;
      throw Reasons.source(label, e);
    }
  }

  /// Adds the latest name and what ended it to the checksum.
  private void check(int ending) {
    if (expected != NameList.NO_CHECKSUM) {
      checksum.update(ByteBuffer.wrap(raw.toByteArray()));
      if (ending != END) {
        checksum.update(ByteBuffer.wrap(new byte[] {(byte) ending}));
      }
    }
  }

  /// The line without the CR that ends it in a file of Windows. A name that ends in one needs a
  /// list with NUL bytes.
  private static byte[] withoutReturn(byte[] line) {
    int last = line.length - 1;
    return last >= 0 && line[last] == '\r' ? Arrays.copyOf(line, last) : line;
  }

  private byte[] normal(byte[] name) throws Failure {
    if (name.length > NAME_BYTES_MAX) {
      throw refused("is longer than " + NAME_BYTES_MAX + " bytes");
    }
    if (name[0] == '/') {
      throw refused("is absolute").with("names are relative to the source");
    }
    int length = 0;
    int start = 0;
    while (start < name.length) {
      int end = start;
      while (end < name.length && name[end] != '/') {
        if (name[end] == 0) {
          throw refused("holds a NUL byte").with("if names end in NUL there, add --from0");
        }
        end++;
      }
      boolean isDot = end - start == 1 && name[start] == '.';
      if (end - start == 2 && name[start] == '.' && name[start + 1] == '.') {
        throw refused("contains '..'").with("names are relative to the source");
      }
      if (end > start && !isDot) {
        if (length > 0) {
          name[length++] = '/';
        }
        System.arraycopy(name, start, name, length, end - start);
        length += end - start;
      }
      start = end + 1;
    }
    return Arrays.copyOf(name, length);
  }

  private Failure refused(String what) {
    return Failure.of(
        ExitCode.SOURCE, label + ": " + (nulSeparated ? "name " : "line ") + number, what);
  }

  /// Closes the list, unless it is standard input.
  @Override
  public void close() throws IOException {
    if (isOwn) {
      in.close();
    }
  }

  /// A file that lists what is to be taken of a directory, one name after the other, each relative
  /// to that directory.
  ///
  /// @param file the list; `-` is standard input
  /// @param nulSeparated whether names end in NUL bytes, and not in newlines
  /// @param use what the list is for
  /// @param checksum its CRC32C, or [#NO_CHECKSUM]
  public record NameList(RawPath file, boolean nulSeparated, ListUse use, long checksum) {

    /// Whatever is in the list is meant.
    static final long NO_CHECKSUM = -1;

    /// A list of the user's.
    public NameList(RawPath file, boolean nulSeparated) {
      this(file, nulSeparated, ListUse.COPY, NO_CHECKSUM);
    }
  }

  /// What a list is for.
  public enum ListUse {
    /// What it names is taken, and nothing else is.
    COPY,
    /// It is one shard of a plan, and ends with an empty name. Others may be copied to the same
    /// directories at the same time or later, so those stay writable to their owner.
    SHARD,
    /// It has all directories of a plan, which are completed now that all shards are there. It ends
    /// with an empty name, too.
    FINISH
  }
}
