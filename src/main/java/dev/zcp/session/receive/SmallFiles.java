package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Name;
import dev.zcp.core.PerThread;
import dev.zcp.core.Quietly;
import dev.zcp.exchange.FileHash;
import dev.zcp.exchange.PartResult;
import dev.zcp.insight.FileSteps;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Conflict.Claim;
import dev.zcp.place.Conflict.ClaimSource;
import dev.zcp.place.Durability.PublicationQueue;
import dev.zcp.place.FileTask;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.place.PlaceFile;
import dev.zcp.place.PlaceLink.Linked;
import dev.zcp.place.PlaceOther;
import dev.zcp.tree.AttributeSource.GivenAttributes;
import dev.zcp.tree.FileAge;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Part;
import dev.zcp.wire.Wants.Want;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;

/// Writes the files of parts, one after the other, from the buffer that they were received in; and
/// looks what has their names. Any thread may call it, each for another part.
final class SmallFiles {

  /// Directories that are held for files that wait to be forced.
  private static final int HELD_MAX = 16;

  private final Terms terms;
  private final Folders folders;
  private final FirstNames firstNames;

  /// Null if nothing is deleted.
  private final SurplusEntries surplus;

  /// Null if there are no former copies.
  private final FormerFiles former;

  private final PlaceFile place;
  private final PlaceOther other;
  private final PerThread<SmallFile> tasks = new PerThread<>(SmallFile::new);

  SmallFiles(
      Terms terms,
      Folders folders,
      FirstNames firstNames,
      SurplusEntries surplus,
      FormerFiles former) {
    this.terms = terms;
    this.folders = folders;
    this.firstNames = firstNames;
    this.surplus = surplus;
    this.former = former;
    this.place = terms.placeFile();
    this.other = terms.placeOther();
  }

  /// What is wanted of the files of a look, in their order.
  ///
  /// @param directories as in [dev.zcp.exchange.ReceiverAction.Look]
  Want[] look(Part look, List<EntryPath> directories, PartWriter events) {
    Want[] wants = new Want[look.count()];
    if (terms.discards()) {
      Arrays.fill(wants, Want.BYTES);
      return wants;
    }
    Folders.HeldFolder folder = null;
    Want unseen = Want.BYTES;
    int run = -1;
    try {
      for (Part.Cursor file = look.cursor(); file.next(); ) {
        if (file.isNewDirectory()) {
          run++;
          Quietly.close(folder);
          boolean isRefused = directories.get(run) == null || refusal(directories.get(run)) != null;
          folder = isRefused ? null : open(directories.get(run));
          unseen = isRefused ? Want.NOTHING : Want.BYTES;
        }
        EntryPath directory = directories.get(run);
        wants[file.index()] =
            folder != null
                ? want(file, folder, directory, events)
                : unseen == Want.BYTES && isFormer(file, directory) ? Want.NOTHING : unseen;
      }
    } finally {
      Quietly.close(folder);
    }
    return wants;
  }

  /// @return null if it is not there yet; or cannot be opened, as will be told when files come
  private Folders.HeldFolder open(EntryPath directory) {
    try {
      return folders.hold(directory, false);
    } catch (IOException | Failure e) {
      // See above.
      return null;
    }
  }

  /// Whether there is a former copy of what comes to a directory that is not there yet.
  private boolean isFormer(Part.Cursor file, EntryPath directory) {
    if (former == null) {
      return false;
    }
    Claim claim = new Claim().begin(null, null, file.name(), terms.status(file), true, false);
    try {
      return former.isLike(claim, directory);
    } catch (IOException e) {
      // Its bytes come then, and need no former copy.
      return false;
    }
  }

  private Want want(
      Part.Cursor file, Folders.HeldFolder folder, EntryPath directory, PartWriter events) {
    if (folder.isNew() && former == null) {
      return Want.BYTES;
    }
    byte[] name = file.name();
    EntryPath path = directory.child(name);
    Claim claim = folder.claim(new Claim(), path, terms.status(file));
    try {
      requireName(path, name);
      FileStatus there = folder.directory().statusOf(name);
      Failure refused = terms.conflict().decideIfReplaced(claim, there);
      if (claim.isOver() && !file.mayGetNames()) {
        return keep(claim, file, path, events);
      }
      boolean isFormer = former != null && refused == null && former.isLike(claim, directory);
      if (claim.isOver() || isFormer) {
        return Want.NOTHING;
      }
      if (there != null && FileAge.isSame(there, claim.status())) {
        return Want.DIGEST;
      }
      return refused == null ? Want.BYTES : Want.NOTHING;
    } catch (IOException e) {
      // It is told when the bytes have come.
      return Want.BYTES;
    } catch (Failure e) {
      // It is told when the part without them has come.
      return Want.NOTHING;
    }
  }

  private Want keep(Claim claim, Part.Cursor file, EntryPath path, PartWriter events) {
    try {
      correct(claim, file, path);
    } catch (IOException e) {
      // It is told when the file comes, without bytes.
      return Want.NOTHING;
    }
    if (surplus != null) {
      surplus.offered(path);
    }
    events.kept(path);
    return Want.KEPT;
  }

  /// What has the name stays, and gets the metadata of its source.
  private void correct(Claim claim, Part.Cursor file, EntryPath path) throws IOException {
    if (claim.isSame() && terms.replaces()) {
      other.correct(claim, terms.given(file, path));
    }
  }

  private void requireName(EntryPath path, byte[] name) throws Failure {
    if (HiddenName.isReserved(name)) {
      throw reserved(path);
    }
    if (path.parent() == null && !terms.isAskedFor(Name.of(name))) {
      throw Failure.of(ExitCode.PROTOCOL, path.toString(), "nobody asked for this");
    }
  }

  /// Writes all files of a part, whose bytes are as they were sent.
  ///
  /// @param directories as in [dev.zcp.exchange.ReceiverAction.TakePart]
  /// @param level how far the arrival is to be proved
  PartResult write(
      Part part, List<EntryPath> directories, ByteBuffer bytes, Level level, PartWriter events) {
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
          closed = directory == null ? null : refusal(directory);
          if (directory != null && closed == null) {
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
        if (directory == null) {
          result.failedWithDirectory(part.firstId() + file.index());
          bytes.position(end);
          continue;
        }
        byte[] name = file.name();
        EntryPath path = directory.child(name);
        SmallFile task = terms.durability().isDurable() ? new SmallFile() : tasks.get();
        task.begin(part, file, path, result, events);
        if (closed != null) {
          task.notPlaced(
              Failure.of(closed.exitCode(), path.toString(), closed.reason())
                  .because(closed.getCause()));
        } else {
          task.reached = level;
          task.hash = hash.of(name, file.size(), level == Level.NONE ? 0 : file.crc32c());
          task.write(file, name, folder, bytes, level, queue);
        }
        bytes.position(end);
      }
    } finally {
      // Also if the session is over: what waits is complete, and would stay under its hidden name.
      queue.flush();
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
    return directory.hasNameFrom(HiddenName.prefix()) ? reserved(directory) : null;
  }

  static Failure reserved(EntryPath path) {
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
    private PartWriter events;
    private boolean mayGetNames;

    /// Whether its sender knows that what exists is kept.
    private boolean isKnownToStay;

    /// What had its name, or null.
    private FileStatus there;

    /// Whether it [counts][FileWork#use].
    private boolean isCounted;

    private boolean isMade;

    /// Whether it has the bytes of a former copy.
    private boolean isFormer;

    /// Whether another file has its name and its bytes.
    private boolean isEqualThere;

    SmallFile() {
      super(place);
    }

    private void begin(
        Part part,
        Part.Cursor given,
        EntryPath newPath,
        PartResult newResult,
        PartWriter newEvents) {
      fileId = part.firstId() + given.index();
      path = newPath;
      bytes = given.size();
      mayGetNames = given.mayGetNames();
      isKnownToStay = given.isBare() && !part.isRepeated();
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
      isMade = false;
      isCounted = false;
      isFormer = false;
      isEqualThere = false;
      try {
        begin(this, folder.directory(), name, terms.status(given), folder.isNew(), false);
        requireName(path, name);
        Failure refused = look();
        if (isOver()) {
          keep(given);
          return;
        }
        if (given.isShown() && isThere(given) && present(given, level)) {
          return;
        }
        if (refused != null && !mayBeEqual(given)) {
          throw refused;
        }
        if (given.isShown()) {
          result.wanted(fileId);
          return;
        }
        if (given.isBare()) {
          takeFormer(given, queue);
          return;
        }
        create();
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
        fail(Reasons.destination(path, e));
      } catch (Failure failure) {
        fail(failure);
      } catch (CancellationException e) {
        drop();
        notThere();
        throw e;
      }
    }

    /// Whether what has the name may have the bytes that have come, as of another session that sent
    /// the same file: it is seen when this one is to get its name.
    private boolean mayBeEqual(Part.Cursor given) {
      return !given.isShown() && !given.isBare() && FileAge.isSame(there, status());
    }

    private void create() throws IOException, Failure {
      terms.work().use(path, bytes);
      isCounted = true;
      place.create(this);
      isMade = true;
    }

    private void notThere() {
      if (isCounted) {
        terms.work().giveBack(bytes);
      }
    }

    private void drop() {
      if (isMade) {
        dropFile();
      }
    }

    /// @return why what has the name is not replaced, or null if it may be, or stays
    private Failure look() throws IOException, Failure {
      there = null;
      if (isInNew() || terms.discards()) {
        return null;
      }
      if (surplus != null) {
        surplus.offered(path);
      }
      there = directory().statusOf(name());
      return terms.conflict().decideIfReplaced(this, there);
    }

    /// What has the name stays.
    private void keep(Part.Cursor given) throws IOException {
      correct(this, given, path);
      kept();
    }

    /// Whether what has the name has the bytes that were shown.
    private boolean isThere(Part.Cursor given) throws IOException {
      if (there == null || !FileAge.isSame(there, status())) {
        return false;
      }
      try (NativeFile whole = directory().file(name(), false)) {
        return ReadBack.isAsShown(whole, there, given.crc32c(), given.shown(), terms.work());
      } catch (AccessDeniedException e) {
        // A file that may not be read may be replaced all the same.
        return false;
      }
    }

    /// It was read once by now, so any level up to READBACK is reached.
    ///
    /// @return false if it is another file, too, and so is to be made anew
    private boolean present(Part.Cursor given, Level level) throws IOException, Failure {
      if (!other.keepSame(this, there, () -> terms.given(given, path))) {
        return false;
      }
      if (terms.replaces()) {
        other.correct(this, terms.given(given, path));
      }
      // Nobody knows whether it was ever forced.
      terms.durability().made(directory());
      if (level == Level.MEDIA) {
        try (NativeFile whole = directory().file(name(), false)) {
          reached = ReadBack.prove(whole, bytes, given.crc32c(), level, terms.work(), path);
        }
      }
      remember();
      result.present(hash, bytes, reached);
      events.present(path, bytes, reached);
      return true;
    }

    private void remember() {
      if (mayGetNames) {
        firstNames.arrived(fileId, path);
      }
    }

    /// Its bytes did not come, since a former copy has them. If all else is the same, too, it is
    /// another name of that; else a copy.
    private void takeFormer(Part.Cursor given, PublicationQueue queue) throws IOException, Failure {
      EntryPath directory = path.parent();
      if (former == null || !former.isLike(this, directory)) {
        throw withoutBytes();
      }
      GivenAttributes attributes = terms.given(given, path);
      if (former.link(this, directory, attributes) != Linked.OBSTACLE) {
        remember();
        kept();
        return;
      }
      try (NativeFile copy = former.open(this, directory)) {
        create();
        if (copy == null || copyAll(copy) != bytes) {
          throw withoutBytes();
        }
      }
      isFormer = true;
      place.complete(this, attributes, status());
      queue.accept(this);
    }

    /// @return how many bytes it has
    private long copyAll(NativeFile from) throws IOException {
      ByteBuffer buffer = place.buffer();
      long at = 0;
      int count = from.read(buffer, 0);
      // One that grows may have no end.
      for (; count > 0 && at <= bytes; count = from.read(buffer.clear(), at)) {
        file().writeAll(buffer.flip(), at);
        at += count;
      }
      stamp(FileSteps.WRITTEN);
      return at;
    }

    private Failure withoutBytes() {
      return isKnownToStay
          ? Failure.of(
                  ExitCode.DESTINATION,
                  path.toString(),
                  "the file that was there changed while it was compared")
              .with("run the same command again")
          : Failure.of(ExitCode.SOURCE, path.toString(), "the sender could not read it");
    }

    private void fail(Failure failure) {
      drop();
      notPlaced(withRoom(failure));
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
    protected boolean isEqual(FileStatus another, byte[] hidden) throws IOException {
      isEqualThere = !terms.replaces() && terms.isArrivedTwice(this, another, hidden);
      if (isEqualThere) {
        reached = reached.lesser(Level.READBACK);
      }
      return isEqualThere;
    }

    @Override
    protected void placed() {
      remember();
      // It is here to stay.
      isCounted = false;
      if (isFormer) {
        kept();
        return;
      }
      result.published(hash, bytes, reached);
      events.placed(path, bytes, timesNs(), reached);
    }

    @Override
    protected void kept() {
      notThere();
      if (isEqualThere && !isFormer) {
        placed();
        return;
      }
      if (terms.conflict().linksToKept()) {
        remember();
      }
      if (!isKnownToStay) {
        result.kept(fileId);
      }
      events.kept(path);
    }

    @Override
    protected void notPlaced(Failure failure) {
      notThere();
      result.failed(fileId, failure.exitCode(), failure.reason());
      events.failed(path, bytes, failure);
    }
  }
}
