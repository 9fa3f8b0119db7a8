package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.PerThread;
import dev.zcp.exchange.FileHash;
import dev.zcp.exchange.PartResult;
import dev.zcp.insight.FileSteps;
import dev.zcp.place.Conflict.ClaimSource;
import dev.zcp.place.Durability.PublicationQueue;
import dev.zcp.place.FileTask;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.place.PlaceFile;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Level;
import dev.zcp.wire.Part;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Writes the files of parts, one after the other, from the buffer that they were received in. Any
/// thread may call it, each for another part.
final class SmallFiles {

  /// What the session hears of each file. Any thread may call it.
  interface SmallFileEvents {

    /// Before anything of it is written.
    ///
    /// @throws Failure if this is more than the user allows: nothing more is taken then
    void begin(EntryPath path, long bytes) throws Failure;

    /// It has its name.
    ///
    /// @param timesNs see [FileSteps]
    void placed(EntryPath path, long bytes, long[] timesNs, Level reached);

    /// What has its name stays.
    void kept(EntryPath path);

    void failed(EntryPath path, long bytes, Failure failure);
  }

  /// Directories that are held for files that wait to be forced.
  private static final int HELD_MAX = 16;

  private final Terms terms;
  private final Folders folders;

  /// Null if nothing is deleted.
  private final SurplusEntries surplus;

  private final PlaceFile place;
  private final PerThread<SmallFile> tasks = new PerThread<>(SmallFile::new);

  SmallFiles(Terms terms, Folders folders, SurplusEntries surplus) {
    this.terms = terms;
    this.folders = folders;
    this.surplus = surplus;
    this.place = terms.placeFile();
  }

  /// Writes all files of a part, whose bytes are as they were sent.
  ///
  /// @param directories as in [dev.zcp.exchange.ReceiverAction.TakePart]
  /// @param level how far the arrival is to be proved
  /// @throws Failure if nothing more is to be taken
  PartResult write(
      Part part, List<EntryPath> directories, ByteBuffer bytes, Level level, SmallFileEvents events)
      throws Failure {
    PartResult result = new PartResult();
    PublicationQueue queue = terms.durability().new PublicationQueue();
    FileHash hash = new FileHash();
    // Files that wait to be forced need their directories.
    List<Folders.HeldFolder> held = new ArrayList<>(1);
    Folders.HeldFolder folder = null;
    EntryPath directory = null;
    Failure closed = null;
    int run = -1;
    int end = bytes.position();
    try {
      for (Part.Cursor file = part.cursor(); file.next(); ) {
        if (file.isNewDirectory()) {
          run++;
          directory = directories.get(run);
          if (!terms.durability().isDurable() || held.size() == HELD_MAX) {
            queue.flush();
            close(held);
          }
          closed = refusal(directory);
          if (closed == null) {
            try {
              folder = folders.hold(terms.discards() ? null : directory, true);
              held.add(folder);
              hash.in(directory);
            } catch (IOException e) {
              closed = Reasons.destination(directory, e);
            } catch (Failure failure) {
              closed = failure;
            }
          }
        }
        end += file.rawBytes();
        bytes.limit(end);
        byte[] name = file.name();
        EntryPath path = directory == null ? EntryPath.of(name) : directory.child(name);
        events.begin(path, file.size());
        SmallFile task = terms.durability().isDurable() ? new SmallFile() : tasks.get();
        task.begin(part.firstId() + file.index(), path, file.size(), result, events);
        if (closed != null) {
          task.notPlaced(Failure.of(closed.exitCode(), path.toString(), closed.reason()));
        } else {
          task.reached = level;
          task.hash = hash.of(name, file.size(), level == Level.NONE ? 0 : file.crc32c());
          task.write(file, name, folder, bytes, level, queue);
        }
        bytes.position(end);
      }
      queue.flush();
    } finally {
      close(held);
    }
    return result;
  }

  private static void close(List<Folders.HeldFolder> held) {
    held.forEach(Folders.HeldFolder::close);
    held.clear();
  }

  /// Why nothing comes to a directory; null if it may.
  private static Failure refusal(EntryPath directory) {
    if (directory == null) {
      return Failure.of(ExitCode.DESTINATION, "", "its directory was not offered, or not taken");
    }
    return directory.hasNameFrom(HiddenName.prefix()) ? reserved(directory) : null;
  }

  private static Failure reserved(EntryPath path) {
    return Failure.of(
        ExitCode.USAGE, path.toString(), "names with .zcp- are zcp's own partial files");
  }

  /// A file on its way.
  private final class SmallFile extends FileTask implements ClaimSource {

    private long fileId;
    private EntryPath path;
    private long bytes;
    private long hash;
    private Level reached;
    private PartResult result;
    private SmallFileEvents events;

    SmallFile() {
      super(place);
    }

    private void begin(
        long newFileId,
        EntryPath newPath,
        long newBytes,
        PartResult newResult,
        SmallFileEvents newEvents) {
      fileId = newFileId;
      path = newPath;
      bytes = newBytes;
      result = newResult;
      events = newEvents;
    }

    private void write(
        Part.Cursor given,
        byte[] name,
        Folders.HeldFolder folder,
        ByteBuffer content,
        Level level,
        PublicationQueue queue) {
      stamp(FileSteps.BEGUN);
      boolean isMade = false;
      try {
        if (HiddenName.isReserved(name)) {
          throw reserved(path);
        }
        if (given.isAbsent()) {
          throw Failure.of(ExitCode.SOURCE, path.toString(), "the sender could not read it");
        }
        begin(this, folder.directory(), name, terms.status(given), folder.isNew(), false);
        if (!isInNew()) {
          if (surplus != null) {
            surplus.offered(path);
          }
          terms.conflict().look(this);
        }
        if (isOver() && !terms.discards()) {
          kept();
          return;
        }
        place.create(this);
        isMade = true;
        place.write(this, content);
        if (level.compareTo(Level.WIRE) > 0) {
          reached = ReadBack.prove(file(), bytes, given.crc32c(), level, terms.work(), path);
        }
        if (terms.discards()) {
          stamp(FileSteps.COMPLETED);
          dropFile();
          stamp(FileSteps.PUBLISHED);
          placed();
          return;
        }
        place.complete(this, terms.given(given, path), status());
        queue.accept(this);
      } catch (IOException e) {
        fail(isMade, Reasons.destination(path, e));
      } catch (Failure failure) {
        fail(isMade, failure);
      }
    }

    private void fail(boolean isMade, Failure failure) {
      if (isMade) {
        dropFile();
      }
      notPlaced(failure);
    }

    @Override
    public Object source() {
      return path;
    }

    @Override
    public Object target() {
      return path;
    }

    @Override
    protected void placed() {
      result.published(hash, bytes, reached);
      events.placed(path, bytes, timesNs(), reached);
    }

    @Override
    protected void kept() {
      result.kept(fileId);
      events.kept(path);
    }

    @Override
    protected void notPlaced(Failure failure) {
      result.failed(fileId, failure.exitCode(), failure.reason());
      events.failed(path, bytes, failure);
    }
  }
}
