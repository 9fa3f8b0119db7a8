package dev.zcp.session.receive;

import dev.zcp.core.Crc32c;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.Quietly;
import dev.zcp.core.Span;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.PrivateFile;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Held;
import dev.zcp.wire.Limits;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/// Which bytes of a partial file are there and were what the sender said: a [JournalHeader], then
/// records of [#RECORD_BYTES] bytes as they came to be: offset (8), length (8), CRC32C of these
/// bytes (4), check (4), which is the CRC32C of the header's salt and the three before. A length
/// below 0 takes back what was told of as many bytes. Integers are little-endian.
///
/// It is locked while somebody has it open: whoever has the lock has the partial file, too. A
/// record is one write(2) and comes after the bytes it tells of. Nothing is forced to the device: a
/// record from before the machine started is only a hint of what to read.
///
/// A journal that cannot be written costs its file nothing but that nobody can go on with it.
///
/// It has no lock for threads: that of its file's [IncomingEntry] is enough.
final class Journal implements Closeable {

  static final int RECORD_BYTES = 24;

  /// What comes after this many is not recorded: 8 TiB in blocks of 8 MiB.
  static final int RECORDS_MAX = 1 << 20;

  private static final long END_MAX = JournalHeader.BYTES + (long) RECORDS_MAX * RECORD_BYTES;

  private static final int CHECKED_BYTES = RECORD_BYTES - Integer.BYTES;

  private static final int PIECE_BYTES = RECORD_BYTES * 4096;

  /// Somebody who takes the name away and gives it back does not keep us here.
  private static final int TRIES_MAX = 16;

  private final OpenDirectory directory;
  private final byte[] name;
  private final NativeFile file;

  private final ByteBuffer record = ByteBuffer.allocateDirect(RECORD_BYTES);
  private HeldSpans told = new HeldSpans(0);
  private long salt;
  private long end;

  /// Whether no record can be written any more, or none yet.
  private boolean mute = true;

  private Journal(OpenDirectory directory, byte[] name, NativeFile file) {
    this.directory = directory;
    this.name = name;
    this.file = file;
  }

  /// Opens and locks the journal `name`, or makes an empty one.
  ///
  /// @param target the name of the file that it is about, for a message
  /// @return null if there can be none: somebody else's file has the name, or the file system has
  ///   no locks or no space
  /// @throws Failure EXISTS if somebody has it open
  static Journal open(OpenDirectory directory, byte[] name, byte[] target) throws Failure {
    try {
      for (int i = 0; i < TRIES_MAX; i++) {
        NativeFile file = PrivateFile.open(directory, name, PrivateFile.MODE);
        if (file == null) {
          return null;
        }
        Journal journal = new Journal(directory, name, file);
        if (journal.isMine(target)) {
          return journal;
        }
      }
      return null;
    } catch (IOException e) {
      // Without one the file comes anew if it is interrupted.
      return null;
    }
  }

  /// Whether it is locked now and has its name; else it is closed.
  private boolean isMine(byte[] target) throws IOException, Failure {
    boolean mine = false;
    try {
      if (!file.tryLock()) {
        throw Failure.of(
            ExitCode.EXISTS, Printable.of(target), "it is being received from another sender");
      }
      // Whoever had the lock before may have deleted it since it was opened.
      mine = PrivateFile.isNamed(directory, name, file);
      return mine;
    } catch (IOException e) {
      PrivateFile.removeIfEmpty(directory, name, file);
      throw e;
    } finally {
      if (!mine) {
        close();
      }
    }
  }

  /// What it has to tell.
  ///
  /// @param thisBoot whether the machine has not started anew since it began
  /// @param whole whether every record of it could be read
  record Told(List<Held> records, boolean thisBoot, boolean whole) {
    static final Told NOTHING = new Told(List.of(), false, false);
  }

  /// Reads what is there.
  ///
  /// @param expected what a journal of the same file would begin with
  /// @return [Told#NOTHING] if it is not about that file, or cannot be read
  Told read(JournalHeader expected) {
    try {
      ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
      JournalHeader header = JournalHeader.read(fill(piece.limit(JournalHeader.BYTES), 0));
      if (header == null || !header.isOfSameFile(expected)) {
        return Told.NOTHING;
      }
      told = new HeldSpans(header.size());
      salt = header.salt();
      end = JournalHeader.BYTES;
      boolean whole = true;
      while (end < END_MAX && fill(piece.clear(), end).remaining() >= RECORD_BYTES) {
        while (piece.remaining() >= RECORD_BYTES) {
          whole &= take(piece);
          end += RECORD_BYTES;
        }
      }
      whole &= !piece.hasRemaining();
      mute = false;
      return new Told(told.list(), header.boot().equals(expected.boot()), whole);
    } catch (IOException e) {
      // What cannot be read is not told: it comes again.
      return Told.NOTHING;
    }
  }

  /// Writes it anew: what it told before is told no more.
  ///
  /// What is there is written over and not cut off before, since on a full file system the space
  /// might not be given a second time. What is left of it in between does not pass the new salt.
  void begin(JournalHeader header, List<Held> records) {
    mute = true;
    told = new HeldSpans(header.size());
    salt = header.salt();
    end = 0;
    ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
    try {
      header.write(piece);
      for (Held held : records) {
        if (piece.remaining() < RECORD_BYTES) {
          flush(piece);
        }
        putRecord(piece, held.span(), held.span().length(), held.crc32c());
      }
      flush(piece);
      file.resize(end);
      records.forEach(told::add);
      mute = false;
    } catch (IOException e) {
      // It stays mute.
    }
  }

  /// Tells of bytes that are in the file.
  ///
  /// @return whether that was written
  boolean append(Span span, int crc32c) {
    boolean isWritten = write(span, span.length(), crc32c);
    if (isWritten) {
      told.add(new Held(span, crc32c));
    }
    return isWritten;
  }

  /// Takes back what was told of bytes that are about to be written over.
  ///
  /// @throws IOException if it would go on telling of them
  void takeBack(Span span) throws IOException {
    if (!span.isEmpty() && told.remove(span) && !write(span, -span.length(), 0)) {
      // Then it tells of nothing. It keeps its name, since the lock goes with that.
      told.remove(new Span(0, Long.MAX_VALUE));
      file.resize(0);
    }
  }

  /// How many bytes it tells of.
  long toldBytes() {
    return told.bytes();
  }

  private boolean write(Span span, long length, int crc32c) {
    if (mute || end >= END_MAX) {
      return false;
    }
    try {
      putRecord(record.clear(), span, length, crc32c);
      flush(record);
      return true;
    } catch (IOException e) {
      // A part of a record at the end is read as none.
      mute = true;
      return false;
    }
  }

  /// Removes it. The lock is kept until it is closed. If it stays, the next session finds that it
  /// tells of a file that is not there.
  ///
  /// @return what could not be removed and why; null if it is gone
  String delete() {
    mute = true;
    try {
      directory.remove(name);
      return null;
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      return Printable.of(name) + " could not be removed: " + Reasons.of(e);
    }
  }

  /// Removes it if it tells of nothing.
  void deleteIfEmpty() {
    PrivateFile.removeIfEmpty(directory, name, file);
  }

  @Override
  public void close() {
    mute = true;
    Quietly.close(file);
  }

  private void flush(ByteBuffer bytes) throws IOException {
    bytes.flip();
    file.writeAll(bytes, end);
    end += bytes.position();
    bytes.clear();
  }

  private void putRecord(ByteBuffer target, Span span, long length, int crc32c) {
    int start = target.position();
    target.order(ByteOrder.LITTLE_ENDIAN);
    target.putLong(span.offset()).putLong(length).putInt(crc32c);
    target.putInt(check(target.duplicate().flip().position(start), salt));
  }

  /// Takes the next record in.
  ///
  /// @return false if it is damaged
  private boolean take(ByteBuffer bytes) {
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    int check = check(bytes.duplicate().limit(bytes.position() + CHECKED_BYTES), salt);
    long offset = bytes.getLong();
    long length = bytes.getLong();
    int crc32c = bytes.getInt();
    if (bytes.getInt() != check
        || offset < 0
        || length == 0
        || length == Long.MIN_VALUE
        || Math.abs(length) > Long.MAX_VALUE - offset) {
      return false;
    }
    Span span = new Span(offset, Math.abs(length));
    if (length > 0) {
      told.add(new Held(span, crc32c));
    } else {
      told.remove(span);
    }
    return true;
  }

  private static int check(ByteBuffer checked, long salt) {
    ByteBuffer salted = ByteBuffer.allocate(Long.BYTES + checked.remaining());
    return Crc32c.of(salted.putLong(Long.reverseBytes(salt)).put(checked).flip());
  }

  /// Fills up to the limit, or as far as the file goes, and flips.
  private ByteBuffer fill(ByteBuffer target, long offset) throws IOException {
    long from = offset - target.position();
    while (target.hasRemaining() && file.read(target, from + target.position()) > 0) {
      // Once more: a read may give less than there is.
    }
    return target.flip();
  }

  /// Bytes that are in a file, in ascending order without overlap: what comes later stands in place
  /// of what it overlaps.
  ///
  /// Short neighbours are joined. So however short the blocks are that a sender chooses, no more
  /// than [Limits#HELD_MAX] spans follow each other without a gap.
  private static final class HeldSpans {

    /// Neighbours are joined up to this length, or further in a large file.
    private static final long JOINED_BYTES = 64 << 10;

    /// A span beside these is forgotten.
    private static final int SPANS_MAX = 2 * Limits.HELD_MAX;

    private final TreeMap<Long, Held> byOffset = new TreeMap<>();
    private final long joinedBytesMax;
    private long bytes;

    /// @param size of the whole file, in bytes
    HeldSpans(long size) {
      this.joinedBytesMax = Math.max(JOINED_BYTES, size / (Limits.HELD_MAX / 2));
    }

    void add(Held held) {
      remove(held.span());
      Held all = held;
      Map.Entry<Long, Held> left = byOffset.lowerEntry(held.span().offset());
      if (left != null && left.getValue().isJoinedBy(all, joinedBytesMax)) {
        all = left.getValue().joinedBy(all);
      }
      Held right = byOffset.get(all.span().end());
      if (right != null && all.isJoinedBy(right, joinedBytesMax)) {
        byOffset.remove(right.span().offset());
        all = all.joinedBy(right);
      }
      if (byOffset.size() < SPANS_MAX || all != held) {
        byOffset.put(all.span().offset(), all);
        bytes += held.span().length();
      }
    }

    /// Takes out all that overlaps `span`.
    ///
    /// @return whether anything did
    boolean remove(Span span) {
      boolean removed = false;
      Map.Entry<Long, Held> last = byOffset.lowerEntry(span.end());
      while (last != null && last.getValue().span().end() > span.offset()) {
        byOffset.remove(last.getKey());
        bytes -= last.getValue().span().length();
        removed = true;
        last = byOffset.lowerEntry(span.end());
      }
      return removed;
    }

    List<Held> list() {
      return List.copyOf(byOffset.values());
    }

    /// How many they are in all.
    long bytes() {
      return bytes;
    }
  }

  /// What a [Journal] begins with: which file it speaks of. [#BYTES] bytes, integers little-endian:
  /// magic (8), SHA-256 of the name (32), size (8), identity (16), boot id (16), inode (8), salt
  /// (8), CRC32C of all that (4).
  ///
  /// @param name the SHA-256 of the file's name
  /// @param size of the whole file, in bytes
  /// @param identity of the source, as its sender told
  /// @param boot which start of the machine it was written in: `/proc/sys/kernel/random/boot_id`,
  ///   random(4). While it stays the same the page cache has lost nothing, whatever became of
  ///   processes
  /// @param inode of the partial file: another file under its name has other bytes
  /// @param salt in the check of each record, so that no other journal's records pass
  record JournalHeader(Bytes name, long size, Bytes identity, Bytes boot, long inode, long salt) {

    static final int BOOT_ID_BYTES = 16;
    private static final Path BOOT_ID_FILE = Path.of("/proc/sys/kernel/random/boot_id");

    /// The present one; another in each process if the kernel does not tell.
    static final Bytes BOOT_ID = bootId();

    static final int BYTES =
        8 + HiddenNames.DIGEST_BYTES + 8 + Limits.IDENTITY_BYTES + BOOT_ID_BYTES + 8 + 8 + 4;

    /// `zcpjrnl` and the version.
    private static final long MAGIC = 0x01_6c_6e_72_6a_70_63_7aL;

    /// Of a journal that begins now.
    static JournalHeader fresh(Bytes name, long size, Bytes identity, long inode) {
      long salt = ThreadLocalRandom.current().nextLong();
      return new JournalHeader(name, size, identity, BOOT_ID, inode, salt);
    }

    private static Bytes bootId() {
      UUID id;
      try {
        id = UUID.fromString(Files.readString(BOOT_ID_FILE, StandardCharsets.US_ASCII).strip());
      } catch (IOException | IllegalArgumentException e) {
        // As if the machine had been started anew: what journals tell is read again.
        id = UUID.randomUUID();
      }
      ByteBuffer bytes = ByteBuffer.allocate(BOOT_ID_BYTES);
      bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
      return Bytes.of(bytes.array());
    }

    void write(ByteBuffer target) {
      int start = target.position();
      target.order(ByteOrder.LITTLE_ENDIAN).putLong(MAGIC);
      target.put(name.bytes()).putLong(size).put(identity.bytes()).put(boot.bytes());
      target.putLong(inode).putLong(salt);
      target.putInt(Crc32c.of(target.duplicate().flip().position(start)));
    }

    /// @return null if there is no header of this version
    static JournalHeader read(ByteBuffer bytes) {
      if (bytes.remaining() < BYTES) {
        return null;
      }
      int checked = BYTES - Integer.BYTES;
      int found = Crc32c.of(bytes.duplicate().limit(bytes.position() + checked));
      if (bytes.order(ByteOrder.LITTLE_ENDIAN).getLong() != MAGIC) {
        return null;
      }
      JournalHeader header =
          new JournalHeader(
              Bytes.take(bytes, HiddenNames.DIGEST_BYTES),
              bytes.getLong(),
              Bytes.take(bytes, Limits.IDENTITY_BYTES),
              Bytes.take(bytes, BOOT_ID_BYTES),
              bytes.getLong(),
              bytes.getLong());
      return bytes.getInt() == found ? header : null;
    }

    /// Whether a journal that begins so speaks of the same bytes as this one would.
    boolean isOfSameFile(JournalHeader other) {
      return size == other.size
          && inode == other.inode
          && name.equals(other.name)
          && identity.equals(other.identity);
    }
  }
}
