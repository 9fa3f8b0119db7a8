package dev.zcp.session.receive;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Quietly;
import dev.zcp.core.Span;
import dev.zcp.delta.Chunking;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.Forcing;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Durability;
import dev.zcp.place.FileTask;
import dev.zcp.place.PlaceFile;
import dev.zcp.place.PlaceLink.Linked;
import dev.zcp.place.PlaceOther;
import dev.zcp.place.PrivateFile;
import dev.zcp.place.RoomCheck;
import dev.zcp.secure.Cryptography;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.tree.FileAge;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Held;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Show;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The regular files of one session that were offered, answered and are not over. Each comes down
/// beside its place, under a hidden name, and gets its own when it is complete; or is thrown away
/// there. One that was there and has the source's bytes stays as it is. Any thread may call it,
/// several at once for different files.
final class IncomingFiles {

  /// A version that is more times as long as the new one takes longer to read than the new one to
  /// arrive: think of a log that was begun anew.
  private static final int BASE_TIMES_MAX = 16;

  private final Terms terms;
  private final PlaceFile place;
  private final PlaceOther other;
  private final Folders folders;
  private final PathLocks pathLocks;
  private final PathLocks.Holder holder;
  private final FirstNames firstNames;

  /// Null if there are none.
  private final FormerFiles former;

  /// Null if nobody looks for files that were renamed.
  private final MovedFiles moved;

  private final OpenFileCount open;

  /// @param former null if there are no former copies
  /// @param moved null if nobody looks for files that were renamed
  /// @param open counts those that have a partial file
  IncomingFiles(
      Terms terms,
      Folders folders,
      PathLocks pathLocks,
      PathLocks.Holder holder,
      FirstNames firstNames,
      FormerFiles former,
      MovedFiles moved,
      OpenFileCount open) {
    this.terms = terms;
    this.place = terms.placeFile();
    this.other = terms.placeOther();
    this.folders = folders;
    this.pathLocks = pathLocks;
    this.holder = holder;
    this.firstNames = firstNames;
    this.former = former;
    this.moved = moved;
    this.open = open;
  }

  Answer consider(IncomingEntry incoming) throws IOException, Failure {
    if (incoming.answer() != null) {
      return incoming.answer();
    }
    Offered entry = incoming.offered();
    if (!pathLocks.take(entry.path(), holder, entry.fileId())) {
      throw pathLocks.taken(entry.path(), holder);
    }
    Incoming file = new Incoming(incoming);
    boolean isAnswered = false;
    try {
      Answer answer = file.answer();
      incoming.land(answer, file);
      isAnswered = true;
      return answer;
    } finally {
      if (!isAnswered) {
        file.close();
      }
    }
  }

  /// A file that nobody else of this process is at. Has no lock: see [Landing].
  private final class Incoming extends FileTask implements Landing {

    private enum State {
      /// It has no partial file. From the start.
      ANSWERED,
      /// It has a partial file, a folder, and counts as open. From ANSWERED.
      OPEN,
      /// It is complete and waits for its name. It counts as open no more. From OPEN.
      WAITING,
      /// It arrived, and its bytes are to be freed. From OPEN.
      DISCARDED,
      /// It holds nothing, nor its name. From anywhere.
      OVER
    }

    private final IncomingEntry incoming;
    private final Offered entry;
    private State state = State.ANSWERED;

    /// What had its name when it was offered, or null.
    private FileStatus there;

    private Folders.HeldFolder folder;
    private ResumableFile resumable;

    /// Null unless it is put together from another version.
    private Rebuilding rebuilding;

    private long bytesBelieved;
    private long bytesKept;

    // Set once it is complete.
    private Level reached;
    private PublishOutcome outcome;

    /// Whether another file has its name and its bytes.
    private boolean isEqualThere;

    Incoming(IncomingEntry incoming) {
      super(place);
      this.incoming = incoming;
      this.entry = incoming.offered();
    }

    private byte[] ownName() {
      return entry.path().name().bytes();
    }

    /// What is wanted of it. What there is to go on with is opened now; a new partial file is made
    /// when its first bytes come.
    Answer answer() throws IOException, Failure {
      if (!terms.discards()) {
        try (Folders.HeldFolder above = folders.hold(entry.path().parent(), true)) {
          Answer whole = answerOfPresent(above);
          if (whole != null) {
            return whole;
          }
          if (hasBase(above)) {
            return Answer.of(entry.fileId(), Answer.AnswerKind.BASE);
          }
          HiddenNames names = isResumable() ? HiddenNames.of(name()) : null;
          if (names != null
              && above.directory().statusOf(names.journal()) != null
              && open.enterHeld()) {
            openCounted();
          }
        }
      }
      return resumable == null ? rest(List.of()) : rest(resumable.held());
    }

    private Answer rest(List<Held> held) {
      return held.isEmpty()
          ? Answer.of(entry.fileId(), Answer.AnswerKind.ALL)
          : Answer.rest(entry.fileId(), held);
    }

    /// Whether another version of it is there that is worth reading, and the sender can tell what
    /// both have in common.
    private boolean hasBase(Folders.HeldFolder above) {
      if (!terms.cuts() || !isResumable() || !Chunking.fits(entry.size())) {
        return false;
      }
      try (NativeFile base = openBase(above.directory())) {
        long bytes = base == null ? 0 : base.status().sizeBytes();
        return bytes >= Chunking.FILE_BYTES_MIN && bytes <= BASE_TIMES_MAX * entry.size();
      } catch (IOException e) {
        // It went, or is not for this user: all comes from the sender.
        return false;
      }
    }

    /// What has its name, had it in a former copy, or may have been renamed; null if nothing has.
    private NativeFile openBase(OpenDirectory directory) throws IOException {
      if (there != null && there.isRegular()) {
        return directory.file(name(), false);
      }
      NativeFile version = former == null ? null : former.openVersion(this, entry.path().parent());
      return version != null || moved == null ? version : moved.open(terms.status(entry));
    }

    @Override
    public boolean openToRebuild(Consumer<Runnable> again) throws IOException, Failure {
      if (state == State.ANSWERED) {
        if (!open.enterHeld(again)) {
          return false;
        }
        openCounted();
      }
      return true;
    }

    @Override
    public Answer take(Chunks chunks, Budget.Share room) throws IOException {
      if (rebuilding == null) {
        rebuilding = new Rebuilding(resumable, entry.size(), room, terms.work());
      }
      // Asked only now, since it loads BoringSSL, which most sessions do not need.
      if (rebuilding.usesAny(chunks) && Cryptography.isNative()) {
        try (NativeFile base = openBase(folder.directory())) {
          if (base != null) {
            rebuilding.take(base, chunks);
          }
        } catch (IOException e) {
          // As in hasBase.
        }
      }
      if (!chunks.isLast()) {
        return null;
      }
      List<Held> taken = rebuilding.held();
      rebuilding.close();
      return rest(taken);
    }

    /// @return null if nothing has its name, or it may be replaced and is not the source's
    private Answer answerOfPresent(Folders.HeldFolder above) throws IOException, Failure {
      there = above.directory().statusOf(ownName());
      Failure refused = decide(above);
      if (isOver()) {
        if (isSame() && terms.replaces()) {
          other.correct(this, terms.given(entry).attributes());
        }
        if (terms.conflict().linksToKept()) {
          firstNames.arrived(entry);
        }
        return Answer.of(entry.fileId(), Answer.AnswerKind.KEPT);
      }
      if (refused == null && isLinkedToFormer()) {
        firstNames.arrived(entry);
        return Answer.of(entry.fileId(), Answer.AnswerKind.KEPT);
      }
      if (there != null && mayBeWhole()) {
        return Answer.of(entry.fileId(), Answer.AnswerKind.WHOLE);
      }
      throwIfAny(refused);
      return null;
    }

    /// Whether it is another name of a former copy now, or something has taken its name that stays.
    private boolean isLinkedToFormer() throws IOException, Failure {
      EntryPath directory = entry.path().parent();
      return former != null
          && former.isLike(this, directory)
          && former.link(this, directory, terms.given(entry).attributes()) != Linked.OBSTACLE;
    }

    /// @return why what has the name is not replaced, or null
    private Failure decide(Folders.HeldFolder above) throws IOException, Failure {
      above.claim(this, entry.path(), terms.status(entry));
      return terms.conflict().decideIfReplaced(this, there);
    }

    private boolean mayBeWhole() {
      return entry.hasSize() && FileAge.isSame(there, terms.status(entry));
    }

    private boolean isResumable() {
      return !terms.discards() && entry.hasSize() && entry.size() >= ResumableFile.BYTES_MIN;
    }

    private void open() throws IOException, Failure {
      if (state == State.ANSWERED) {
        if (!open.enter()) {
          throw Failure.of(
              ExitCode.DESTINATION,
              entry.path().toString(),
              "more than " + open.max() + " files are under way");
        }
        openCounted();
      } else if (state != State.OPEN) {
        throw new IllegalStateException(entry.path() + " is " + state);
      }
    }

    /// Makes or takes over the partial file, once it counts as open.
    private void openCounted() throws IOException, Failure {
      Folders.HeldFolder above = null;
      try {
        above = folders.hold(terms.discards() ? null : entry.path().parent(), true);
        long startedNs = System.nanoTime();
        resumable = terms.discards() ? unnamed(above) : open(above);
        place.take(this, resumable.partial(), resumable.file());
        folder = above;
        state = State.OPEN;
        terms.work().sample(Stage.CREATE, System.nanoTime() - startedNs);
      } finally {
        if (folder == null) {
          open.leave();
          Quietly.close(above);
        }
      }
    }

    /// Files of many directories are discarded in one.
    private ResumableFile unnamed(Folders.HeldFolder above) throws IOException {
      return ResumableFile.unnamed(terms.partials(), above.directory(), PrivateFile.MODE);
    }

    private ResumableFile open(Folders.HeldFolder above) throws IOException, Failure {
      decide(above);
      int mode = place.creationMode(this);
      return isResumable()
          ? ResumableFile.open(
              terms.partials(),
              above.directory(),
              name(),
              mode,
              entry.size(),
              entry.identity(),
              terms.resumeVerify(),
              terms.work())
          : ResumableFile.passing(terms.partials(), above.directory(), name(), mode);
    }

    @Override
    public Sink sink() {
      return file();
    }

    @Override
    public Source written() {
      return file();
    }

    @Override
    public void begin(Span span) throws Failure {
      try {
        open();
        resumable.takeBack(span);
      } catch (IOException e) {
        throw Reasons.destination(entry.path(), e);
      }
    }

    @Override
    public void hole(Span span) throws IOException {
      resumable.hole(span);
    }

    @Override
    public void verified(Span span, int crc32c) {
      long startedNs = System.nanoTime();
      if (!span.isEmpty() && resumable.append(span, crc32c)) {
        terms.work().sample(Stage.JOURNAL, System.nanoTime() - startedNs);
      }
    }

    @Override
    public void publish(
        Ending ending, Level level, Durability.PublicationQueue queue, PublishOutcome outcome) {
      try {
        open();
        requireSize(ending.size());
        publishOpen(ending, level, queue, outcome);
      } catch (IOException e) {
        fail(Reasons.destination(entry.path(), e), outcome);
      } catch (Failure e) {
        fail(e, outcome);
      }
    }

    /// Ends it. What can be gone on with is kept, unless it has other bytes than were sent or may
    /// not have its name.
    private void fail(Failure failure, PublishOutcome outcome) {
      boolean keeps = failure.exitCode() == ExitCode.DESTINATION;
      Failure told = keeps ? withKept(failure) : failure;
      if (!keeps) {
        drop();
      }
      close();
      outcome.failed(told);
    }

    @Override
    public Failure withKept(Failure failure) {
      long kept = bytesToKeep();
      long rest = entry.hasSize() ? entry.size() - kept : 0;
      List<String> words = new ArrayList<>();
      words.add(isUnnamed() ? RoomCheck.missing(failure, directory(), rest, unverified(kept)) : "");
      words.add(kept > 0 ? new ByteSize(kept) + " that arrived are kept" : "");
      words.add(kept > 0 ? "the same command again goes on" : "");
      words.removeIf(String::isEmpty);
      return words.isEmpty() ? failure : failure.with(String.join("; ", words));
    }

    /// How many bytes of the file will not be kept.
    private long unverified(long kept) {
      try {
        return Math.max(0, file().status().dataBytes() - kept);
      } catch (IOException e) {
        return 0;
      }
    }

    @Override
    public boolean isThere(Show shown, Level level, PublishOutcome newOutcome) {
      try {
        Level proved = prove(shown, level);
        if (proved != null) {
          over(true);
          newOutcome.arrived(proved);
        }
        return proved != null;
      } catch (IOException e) {
        fail(Reasons.destination(entry.path(), e), newOutcome);
      } catch (Failure e) {
        fail(e, newOutcome);
      }
      return true;
    }

    /// @return null if what is there is something else, and may be replaced
    private Level prove(Show shown, Level level) throws IOException, Failure {
      try (Folders.HeldFolder above = folders.hold(entry.path().parent(), true)) {
        there = above.directory().statusOf(ownName());
        Failure refused = decide(above);
        refuseIfKept();
        if (there == null || !mayBeWhole()) {
          throwIfAny(refused);
          return null;
        }
        Level proved = keepIfSame(shown, level);
        if (proved == null) {
          throwIfAny(refused);
        }
        return proved;
      }
    }

    /// What is there was read once by this, so any level up to READBACK is reached.
    ///
    /// @return null if it is something else, or another file, too
    private Level keepIfSame(Show shown, Level level) throws IOException, Failure {
      try (NativeFile whole = directory().file(name(), false)) {
        boolean isSame =
            ReadBack.isAsShown(whole, there, shown.crc32c(), shown.digest(), terms.work());
        if (!isSame || !other.keepSame(this, there, () -> terms.given(entry).attributes())) {
          return null;
        }
        if (terms.replaces()) {
          other.correct(this, terms.given(entry).attributes());
        }
        // Nobody knows whether it was ever forced.
        terms.durability().made(directory());
        return level == Level.MEDIA
            ? ReadBack.prove(whole, entry.size(), shown.crc32c(), level, terms.work(), entry.path())
            : level;
      } catch (AccessDeniedException e) {
        // A file that may not be read may be replaced all the same.
        return null;
      }
    }

    private static void throwIfAny(Failure refused) throws Failure {
      if (refused != null) {
        throw refused;
      }
    }

    private void publishOpen(
        Ending ending, Level level, Durability.PublicationQueue queue, PublishOutcome newOutcome)
        throws IOException, Failure {
      Level proved =
          ReadBack.prove(file(), ending.size(), ending.crc32c(), level, terms.work(), entry.path());
      // Who has read the whole file need not believe anything of it.
      bytesBelieved = proved == Level.WIRE ? resumable.bytesBelieved() : 0;
      reached = bytesBelieved == 0 ? proved : Level.NONE;
      outcome = newOutcome;
      if (terms.discards()) {
        resumable.forgo();
        state = State.DISCARDED;
        outcome.arrived(reached);
        return;
      }
      if (isThereByNow()) {
        resumable.drop();
        placed();
        return;
      }
      complete();
      if (terms.durability().isDurable()) {
        if (proved != Level.MEDIA) {
          writeOut(ending.size());
        }
        state = State.WAITING;
        open.leave();
      }
      queue.accept(this);
    }

    /// Tells the sender of progress while a large file is written out.
    private void writeOut(long bytes) throws IOException {
      long startedNs = System.nanoTime();
      try {
        Forcing.writeOut(file(), bytes, _ -> terms.work().goesOn());
      } catch (IOException e) {
        resumable.drop();
        throw e;
      }
      terms.work().sample(Stage.FLUSH, System.nanoTime() - startedNs);
    }

    /// Every byte is there, as the sender's digest and the count of its blocks say; the file's end
    /// may be a hole that nobody wrote.
    private void requireSize(long bytes) throws IOException, Failure {
      long size = file().status().sizeBytes();
      if (size != bytes) {
        throw Failure.of(
            ExitCode.INTEGRITY,
            entry.path().toString(),
            "has " + size + " bytes in place of " + bytes);
      }
    }

    /// Gives the file what it is to have besides its bytes. From now on nobody can go on with it:
    /// it may be somebody else's.
    private void complete() throws IOException {
      Given given = terms.given(entry);
      long startedNs = System.nanoTime();
      try {
        place.complete(this, given.attributes(), given.status());
      } catch (IOException e) {
        resumable.drop();
        throw e;
      }
      terms.work().sample(Stage.METADATA, System.nanoTime() - startedNs);
    }

    /// Whether something may be replaced, and is the same file by now: another session brought it.
    ///
    /// @throws Failure as [#refuseIfKept]
    private boolean isThereByNow() throws IOException, Failure {
      if (terms.replaces()) {
        terms.conflict().look(this);
        keepIfEqual();
      }
      return isEqualThere;
    }

    /// @throws Failure as [#refuseIfKept]
    private void keepIfEqual() throws IOException, Failure {
      FileStatus now = isOver() ? directory().statusOf(name()) : null;
      boolean isLike = now != null && FileAge.isSame(now, status());
      if (!isLike || !compare(now, resumable.partial().name())) {
        refuseIfKept();
      } else if (isSame()) {
        other.correct(this, terms.given(entry).attributes());
      }
    }

    /// @throws Failure EXISTS if something has come to its name that stays
    private void refuseIfKept() throws Failure {
      if (isOver()) {
        throw Failure.of(
            ExitCode.EXISTS,
            entry.path().toString(),
            "appeared while it was received, and " + keptBecause());
      }
    }

    @Override
    public long bytesMoved(long bytes) {
      return bytes - incoming.bytesResumed();
    }

    @Override
    protected boolean isEqual(FileStatus another, byte[] hidden) throws IOException {
      return !terms.replaces() && compare(another, hidden);
    }

    private boolean compare(FileStatus another, byte[] hidden) throws IOException {
      isEqualThere = terms.isArrivedTwice(this, another, hidden);
      if (isEqualThere) {
        reached = reached.lesser(Level.READBACK);
      }
      return isEqualThere;
    }

    @Override
    public void reveal() throws IOException, Failure {
      long startedNs = System.nanoTime();
      super.reveal();
      if (!isEqualThere) {
        keepIfEqual();
      }
      if (isEqualThere) {
        resumable.drop();
        return;
      }
      resumable.revealed();
      terms.work().sample(Stage.PUBLISH, System.nanoTime() - startedNs);
    }

    @Override
    protected void placed() {
      over(true);
      outcome.arrived(reached);
    }

    @Override
    protected void kept() {
      placed();
    }

    @Override
    protected void notPlaced(Failure failure) {
      fail(failure, outcome);
    }

    @Override
    protected Failure withRoom(Failure failure) {
      // As fail does, with what is kept.
      return failure;
    }

    @Override
    protected void notWritten() {
      // Whatever the journal tells.
      resumable.drop();
    }

    /// Nobody can go on with it, since it is [complete][#complete].
    @Override
    protected void dropFile() {
      resumable.drop();
    }

    private boolean isUnnamed() {
      return state == State.OPEN || state == State.WAITING;
    }

    @Override
    public long bytesBelieved() {
      return bytesBelieved;
    }

    @Override
    public String leftBehind() {
      return resumable == null ? null : resumable.leftBehind();
    }

    @Override
    public long bytesToKeep() {
      return isUnnamed() ? resumable.keptBytes() : bytesKept;
    }

    @Override
    public long keep() {
      bytesKept = bytesToKeep();
      if (isUnnamed()) {
        resumable.keep();
      }
      if (state != State.DISCARDED) {
        over(false);
      }
      return bytesKept;
    }

    @Override
    public void drop() {
      if (isUnnamed()) {
        resumable.drop();
      }
      if (state != State.DISCARDED) {
        over(false);
      }
    }

    @Override
    public void close() {
      keep();
      if (state == State.DISCARDED) {
        // Its bytes are freed by this.
        resumable.drop();
        over(false);
      }
    }

    private void over(boolean arrived) {
      if (state == State.OVER) {
        return;
      }
      if (state == State.OPEN || state == State.DISCARDED) {
        open.leave();
      }
      state = State.OVER;
      Quietly.close(rebuilding);
      Quietly.close(folder);
      if (arrived) {
        firstNames.arrived(entry);
      }
      pathLocks.release(entry.path(), holder, entry.fileId());
    }
  }
}
