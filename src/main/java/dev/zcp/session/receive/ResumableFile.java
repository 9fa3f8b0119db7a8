package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.core.Span;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Partials;
import dev.zcp.place.Partials.Partial;
import dev.zcp.place.PrivateFile;
import dev.zcp.session.ResumeVerify;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Held;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;

/// A file that has not all its bytes yet, hidden beside its place, and its [Journal]: who offers
/// the same version of the source again need not send what is there.
///
/// If there can be no journal it is an ordinary [Partial], which nobody goes on with and which is
/// deleted if it was not finished.
///
/// It has no lock: one thread at a time calls it, whoever writes to [#file] or makes a [#hole]
/// meanwhile. [#revealed], [#keep] and [#drop] end it, nobody may be using it then, and after the
/// first of them that succeeded the others do nothing.
final class ResumableFile {

  /// What is smaller comes anew as fast as it is looked for.
  static final long BYTES_MIN = 1 << 20;

  private final Partial partial;
  private final NativeFile file;

  /// Null if nobody can go on with it.
  private final Journal journal;

  private final List<Held> held;

  /// What of [#held] was not read again, and not written since.
  private final List<Span> believed;

  private boolean over;

  private String leftBehind;

  private ResumableFile(
      Partial partial, NativeFile file, Journal journal, List<Held> held, List<Span> believed) {
    this.partial = partial;
    this.file = file;
    this.journal = journal;
    this.held = held;
    this.believed = believed;
  }

  /// What a file comes down in.
  ///
  /// @param name of the file, in `directory`, which must stay open as long
  /// @param mode to make it with; more than 0600 if it gets an access control list there
  /// @param size of the file, in bytes
  /// @param identity of the source: what is there from another version of it is of no use
  /// @param verify what of the bytes that are there is read again. Where the machine was started
  ///   since, it is all
  /// @param work told how many bytes were read again, piece by piece: the peer must not wait in
  ///   silence. What it throws ends the reading, and all is left as it was
  /// @throws Failure EXISTS if another session, of this process or of another, has it
  /// @throws IOException if no file can be made
  static ResumableFile open(
      Partials partials,
      OpenDirectory directory,
      byte[] name,
      int mode,
      long size,
      Bytes identity,
      ResumeVerify verify,
      FileWork work)
      throws Failure, IOException {
    HiddenNames names = HiddenNames.of(name);
    Journal journal = Journal.open(directory, names.journal(), name);
    NativeFile file = null;
    ResumableFile opened = null;
    try {
      file = journal == null ? null : PrivateFile.open(directory, names.part(), mode);
      if (file != null) {
        Journal.JournalHeader header =
            Journal.JournalHeader.fresh(names.digest(), size, identity, file.status().inode());
        List<Span> believed = new ArrayList<>();
        List<Held> held = takeOver(file, journal, header, verify, work, believed);
        Partial partial = partials.goOnWith(directory, names.part());
        opened = new ResumableFile(partial, file, journal, held, believed);
      } else if (journal != null) {
        // Somebody else has the partial file's name: there is nothing that it could be about.
        journal.delete();
      }
    } finally {
      if (opened == null) {
        if (journal != null) {
          journal.deleteIfEmpty();
        }
        close(file, journal);
      }
    }
    return opened == null ? passing(partials, directory, name, mode) : opened;
  }

  /// Takes over what is there of the same version of the source, and no byte besides.
  ///
  /// @param believed gets what of it was not read again
  private static List<Held> takeOver(
      NativeFile file,
      Journal journal,
      Journal.JournalHeader header,
      ResumeVerify verify,
      FileWork work,
      List<Span> believed)
      throws IOException {
    Journal.Told told = journal.read(header);
    // In a damaged record something may have been taken back.
    boolean sure = told.thisBoot() && told.whole();
    long fileBytes = file.status().sizeBytes();
    HeldBytes bytes = new HeldBytes(file, Math.min(fileBytes, header.size()), work);
    List<Held> held = bytes.proved(bytes.inFile(told.records()), sure ? verify : ResumeVerify.ALL);
    believed.addAll(bytes.believed());
    long keptBytes = held.isEmpty() ? 0 : header.size();
    // A file that is cut off at 0, though it has no bytes, is written to the disk by ext4 when it
    // is closed (auto_da_alloc): 0.4 s for each GiB.
    if (fileBytes > keptBytes) {
      file.resize(keptBytes);
    }
    if (!sure || held.size() != told.records().size()) {
      journal.begin(header, held);
    }
    return HeldBytes.joined(held, header.size());
  }

  /// One that nobody can go on with: it is deleted if it was not finished. What a killed receiver
  /// left of the same file is deleted with it.
  ///
  /// @param name of the file, in `directory`
  /// @param mode to make it with
  static ResumableFile passing(Partials partials, OpenDirectory directory, byte[] name, int mode)
      throws IOException {
    Partial named = partials.begin(directory, HiddenNames.passing(name));
    try {
      NativeFile file = PrivateFile.createLocked(named, mode);
      if (file != null) {
        return new ResumableFile(named, file, null, List.of(), List.of());
      }
    } catch (FileAlreadyExistsException e) {
      PrivateFile.removeStale(directory, named.name());
    }
    named.discard();
    return unnamed(partials, directory, mode);
  }

  /// As [#passing], under a name that is nobody's.
  static ResumableFile unnamed(Partials partials, OpenDirectory directory, int mode)
      throws IOException {
    Partial partial = partials.begin(directory);
    try {
      return new ResumableFile(partial, partial.createFile(mode), null, List.of(), List.of());
    } catch (IOException e) {
      partial.discard();
      throw e;
    }
  }

  /// Where the bytes go, each at its own offset; to be read again, too. It may be shorter than it
  /// is to be, or as long, and what is not [held][#held] of it may be anything.
  NativeFile file() {
    return file;
  }

  /// What was there when it was opened and passed: in ascending order, without overlap, at most
  /// [dev.zcp.wire.Limits#HELD_MAX].
  List<Held> held() {
    return held;
  }

  /// How many of the bytes that were [held][#held] were not read again, and are still those.
  long bytesBelieved() {
    long bytes = 0;
    for (Span span : believed) {
      bytes += span.length();
    }
    return bytes;
  }

  /// How many of its bytes need not come again if it is [kept][#keep].
  long keptBytes() {
    return journal == null || over ? 0 : journal.toldBytes();
  }

  /// To be called before anything is written to bytes that may have been [told of][#append] before:
  /// should this process die between, they are not taken for what was told.
  ///
  /// @throws IOException if that cannot be noted
  void takeBack(Span span) throws IOException {
    if (journal != null) {
      journal.takeBack(span);
      // The sender sends all of a range that it sends a byte of.
      believed.removeIf(each -> each.offset() < span.end() && span.offset() < each.end());
    }
  }

  /// Tells of bytes that were written and are what the sender said. Where that cannot be noted they
  /// come again after an interruption; nothing fails.
  ///
  /// @param span not empty
  /// @return whether it was noted
  boolean append(Span span, int crc32c) {
    return journal != null && journal.append(span, crc32c);
  }

  /// Makes a hole, or zeros if the file system has no holes, and the file as long as that takes.
  /// Any thread may call it, as it may write to [#file].
  void hole(Span span) throws IOException {
    if (span.isEmpty()) {
      return;
    }
    if (file.status().sizeBytes() < span.end()) {
      file.writeAll(ByteBuffer.allocate(1), span.end() - 1);
    }
    if (!file.punch(span.offset(), span.length())) {
      file.writeZeros(span);
    }
  }

  /// What it is under its hidden name. Whoever reveals it calls [#revealed].
  Partial partial() {
    return partial;
  }

  /// It is closed and has its final name: it is over, and what was known of it goes.
  void revealed() {
    over = true;
    if (journal != null) {
      leftBehind = journal.delete();
      journal.close();
    }
  }

  /// What stays beside a file that was [revealed][#revealed], and why; null if nothing does.
  String leftBehind() {
    return leftBehind;
  }

  /// Ends it, and leaves what can be gone on with; nothing is left if there is nothing of that.
  void keep() {
    if (keptBytes() == 0) {
      drop();
    } else if (!over) {
      over = true;
      partial.leave();
      close(file, journal);
    }
  }

  /// Takes its hidden name away and leaves it open: its bytes are freed when it is
  /// [dropped][#drop], which takes the longer the more they are. For one that is
  /// [passing][#passing].
  void forgo() {
    partial.discard();
  }

  /// Ends it, and nothing is left.
  void drop() {
    if (!over) {
      over = true;
      partial.discard();
      if (journal != null) {
        journal.delete();
      }
      close(file, journal);
    }
  }

  /// Nobody counts on the bytes: who goes on with them reads them.
  private static void close(NativeFile file, Journal journal) {
    Quietly.close(file);
    Quietly.close(journal);
  }
}
