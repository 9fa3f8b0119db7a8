package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Durability.PublicationQueue;
import dev.zcp.place.FileTask;
import dev.zcp.place.PlaceFile;
import dev.zcp.place.PlaceLink;
import dev.zcp.place.PlaceLink.Linked;
import dev.zcp.tree.Handle;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;

/// The names of what has arrived in one session, and those that are hard links to it. Of too many
/// the eldest are forgotten. Any thread may call it.
final class FirstNames {

  /// How many a session is sure of, some 2 MB, and how many may be remembered besides.
  static final int PART = 1 << 14;

  static final int COMMON = 1 << 20;

  private final Terms terms;
  private final Folders folders;
  private final Budget.Share share;
  private final PlaceLink links;
  private final PlaceFile files;
  private final LinkedHashMap<Long, EntryPath> names = new LinkedHashMap<>();

  /// @param share of names
  FirstNames(Terms terms, Folders folders, Budget.Share share) {
    this.terms = terms;
    this.folders = folders;
    this.share = share;
    this.links = terms.placeLink();
    this.files = terms.placeFile();
  }

  void arrived(Offered entry) {
    arrived(entry.fileId(), entry.path());
  }

  void arrived(long fileId, EntryPath path) {
    // Else there are no hard links.
    if (Keep.HARD_LINKS.isIn(terms.keeps())) {
      remember(fileId, path);
    }
  }

  private synchronized void remember(long fileId, EntryPath path) {
    if (!names.containsKey(fileId) && !share.take(1)) {
      names.pollFirstEntry();
    }
    names.put(fileId, path);
  }

  /// Null if none has arrived, or it was forgotten.
  synchronized EntryPath of(long fileId) {
    return names.get(fileId);
  }

  /// Makes the entry another name of one that has arrived; or a copy of that, if it can have no
  /// other name there.
  ///
  /// @param to the directory that it comes to
  /// @return false if what has the name stays, and is something else
  /// @throws Failure DESTINATION if none of this session has arrived, or too many have since
  boolean link(Offered entry, Folders.HeldFolder to) throws IOException, Failure {
    EntryPath first = of(entry.firstId());
    if (first == null) {
      throw Failure.of(
          ExitCode.DESTINATION,
          entry.path().toString(),
          "the file that it is a hard link of has not arrived");
    }
    byte[] name = first.name().bytes();
    try (Folders.HeldFolder folder = folders.hold(first.parent(), false)) {
      OpenDirectory from = folder.directory();
      FurtherCopy copy = to.claim(new FurtherCopy(), entry.path(), terms.status(entry));
      if (links.isThere(copy, from, name)) {
        return !terms.conflict().skipsSame();
      }
      if (copy.isOver()) {
        return false;
      }
      boolean isLinked =
          terms.counted(
              entry.path(),
              0,
              () -> links.link(copy, from, name) != Linked.OBSTACLE && !copy.isOver());
      return isLinked || !copy.isOver() && copyInstead(entry, copy, from, name);
    }
  }

  private boolean copyInstead(Offered entry, FurtherCopy copy, OpenDirectory from, byte[] name)
      throws IOException, Failure {
    FileStatus first = from.statusOf(name);
    if (first == null || !first.isRegular()) {
      throw new IOException("can be no hard link there");
    }
    boolean isMade =
        terms.counted(
            entry.path(),
            first.sizeBytes(),
            () -> {
              copy.copy(from, name);
              return !copy.isOver();
            });
    if (isMade) {
      // Further names may be linked to it, which the first one may have too many of.
      arrived(entry.firstId(), entry.path());
    }
    return isMade;
  }

  /// Another name of a file, or a copy under that name.
  private final class FurtherCopy extends FileTask {

    /// Null unless it has not got its name.
    private Failure failure;

    FurtherCopy() {
      super(files);
    }

    /// @param name of the first one in `from`
    void copy(OpenDirectory from, byte[] name) throws IOException, Failure {
      try (NativeFile first = from.file(name, false)) {
        FileStatus status = first.status();
        files.create(this);
        try {
          write(first, status.sizeBytes());
          files.complete(this, Handle.of(first.descriptor()), status);
          if (!first.isUnchangedSince(status)) {
            throw new IOException("the file that it is a hard link of changed while it was copied");
          }
        } catch (IOException | RuntimeException e) {
          dropFile();
          throw e;
        }
      }
      PublicationQueue queue = terms.durability().new PublicationQueue();
      queue.accept(this);
      queue.flush();
      if (failure != null) {
        throw failure;
      }
    }

    private void write(NativeFile first, long bytes) throws IOException {
      ByteBuffer piece = files.buffer();
      for (long at = 0; first.read(piece, at) > 0; piece.clear()) {
        int count = piece.flip().limit();
        file().writeAll(piece, at);
        terms.work().goesOn();
        at += count;
      }
      if (!ReadBack.areEqual(first, file(), bytes, terms.work())) {
        throw new IOException("differs from the file that it is a hard link of");
      }
    }

    @Override
    public long bytesMoved(long bytes) {
      return 0;
    }

    @Override
    protected void placed() {
      // Whoever placed it looks.
    }

    @Override
    protected void kept() {
      // As above.
    }

    @Override
    protected void notPlaced(Failure why) {
      failure = why;
    }
  }
}
