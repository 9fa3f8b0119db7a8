package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.Forcing;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Durability;
import dev.zcp.place.Metadata;
import dev.zcp.place.Metadata.Replaced;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Held;
import dev.zcp.wire.Level;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// The regular files of one session that were answered and are not over. Each comes down beside its
/// place, under a hidden name, and gets its own when it is complete; or is thrown away there. One
/// that was there and has the source's bytes stays as it is. Any thread may call it, several at
/// once for different files.
final class IncomingFiles {

  private final Terms terms;
  private final Folders folders;
  private final PathLocks pathLocks;
  private final PathLocks.Holder holder;
  private final FirstNames firstNames;
  private final int openMax;
  private final int heldMax;
  private final AtomicInteger open = new AtomicInteger();

  /// @param openMax how many may have a partial file at a time
  /// @param heldMax up to how many of them what there is to go on with is opened at its offer;
  ///   those beyond come anew
  IncomingFiles(
      Terms terms,
      Folders folders,
      PathLocks pathLocks,
      PathLocks.Holder holder,
      FirstNames firstNames,
      int openMax,
      int heldMax) {
    this.terms = terms;
    this.folders = folders;
    this.pathLocks = pathLocks;
    this.holder = holder;
    this.firstNames = firstNames;
    this.openMax = openMax;
    this.heldMax = heldMax;
  }

  Answer consider(IncomingEntry incoming) throws IOException, Failure {
    if (incoming.answer() != null) {
      return incoming.answer();
    }
    Offered entry = incoming.offered();
    if (!pathLocks.take(entry.path(), holder, entry.fileId())) {
      String who =
          pathLocks.isHeldBy(entry.path(), holder)
              ? "another entry of this sender goes there"
              : "is being received from another sender";
      throw Failure.of(ExitCode.EXISTS, entry.path().toString(), who);
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

  /// Counts one more open file, unless there are `max`.
  private boolean countOpen(int max) {
    boolean fits = open.incrementAndGet() <= max;
    if (!fits) {
      open.decrementAndGet();
    }
    return fits;
  }

  /// A file that nobody else of this process is at. Has no lock: see [Landing].
  private final class Incoming implements Landing {

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
    private final byte[] name;
    private State state = State.ANSWERED;

    /// What it is, if it is there and may be the source's; else null.
    private FileStatus present;

    private Folders.HeldFolder folder;
    private ResumableFile file;
    private long bytesBelieved;

    /// Whether it was [put][#put].
    private boolean cameAtOnce;

    Incoming(IncomingEntry incoming) {
      this.incoming = incoming;
      this.entry = incoming.offered();
      this.name = entry.path().name().bytes();
    }

    /// What is wanted of it. What there is to go on with is opened now; a new partial file is made
    /// when its first bytes come.
    Answer answer() throws IOException, Failure {
      if (!terms.discards()) {
        try (Folders.HeldFolder above = folders.hold(entry.path().parent(), true)) {
          Answer whole = answerOfPresent(above.directory());
          if (whole != null) {
            return whole;
          }
          HiddenNames names = isResumable() ? HiddenNames.of(name) : null;
          if (names != null
              && above.directory().statusOf(names.journal()) != null
              && countOpen(heldMax)) {
            openCounted(true);
          }
        }
      }
      return file == null || file.held().isEmpty()
          ? Answer.of(entry.fileId(), Answer.AnswerKind.ALL)
          : Answer.rest(entry.fileId(), file.held());
    }

    /// @return null if nothing has its name, or it may be replaced and is not the source's
    private Answer answerOfPresent(OpenDirectory directory) throws IOException, Failure {
      FileStatus there = directory.statusOf(name);
      if (there == null) {
        return null;
      }
      if (there.isDirectory()) {
        throw Terms.takenByDirectory(entry);
      }
      if (terms.stays(there, entry)) {
        if (terms.namesWhatStays()) {
          firstNames.arrived(entry);
        }
        return Answer.of(entry.fileId(), Answer.AnswerKind.KEPT);
      }
      Answer whole = mayBeWhole(there) ? read(directory, there) : null;
      if (whole == null && !terms.replaces()) {
        throw Terms.taken(entry);
      }
      return whole;
    }

    private boolean mayBeWhole(FileStatus there) {
      return entry.hasSize()
          && there.isRegular()
          && there.sizeBytes() == entry.size()
          && Metadata.isTimeKept(Given.time(entry.metadata().modified()), there.modified());
    }

    /// @return null if it cannot be read as it was looked at
    private Answer read(OpenDirectory directory, FileStatus there) throws IOException {
      try (NativeFile whole = directory.file(name, false)) {
        if (!whole.status().isUnchangedSince(there)) {
          return null;
        }
        Span all = new Span(0, there.sizeBytes());
        int crc32c = ReadBack.crc32c(whole, all, terms.work());
        if (!whole.status().isUnchangedSince(there)) {
          return null;
        }
        present = there;
        List<Held> held = all.isEmpty() ? List.of() : List.of(new Held(all, crc32c));
        Failure taken = terms.replaces() ? null : Terms.taken(entry);
        return taken == null
            ? Answer.whole(entry.fileId(), held, ExitCode.OK, "")
            : Answer.whole(entry.fileId(), held, taken.exitCode(), taken.reason());
      } catch (AccessDeniedException e) {
        // A file that may not be read may be replaced all the same.
        return null;
      }
    }

    private boolean isResumable() {
      return !terms.discards() && entry.hasSize() && entry.size() >= ResumableFile.BYTES_MIN;
    }

    private void open(boolean resumable) throws IOException, Failure {
      if (state == State.ANSWERED) {
        if (!countOpen(openMax)) {
          throw Failure.of(
              ExitCode.DESTINATION,
              entry.path().toString(),
              "more than " + openMax + " files are under way");
        }
        openCounted(resumable && isResumable());
      } else if (state != State.OPEN) {
        throw new IllegalStateException(entry.path() + " is " + state);
      }
    }

    /// Makes or takes over the partial file, once it counts as open.
    private void openCounted(boolean resumable) throws IOException, Failure {
      Folders.HeldFolder above = null;
      try {
        above = folders.hold(terms.discards() ? null : entry.path().parent(), true);
        long startedNs = System.nanoTime();
        file = resumable ? resumable(above.directory()) : passing(above.directory());
        folder = above;
        state = State.OPEN;
        terms.work().sample(Stage.CREATE, System.nanoTime() - startedNs);
      } finally {
        if (file == null) {
          open.decrementAndGet();
          if (above != null) {
            above.close();
          }
        }
      }
    }

    private ResumableFile resumable(OpenDirectory directory) throws IOException, Failure {
      return ResumableFile.open(
          terms.partials(),
          directory,
          name,
          entry.size(),
          entry.identity(),
          terms.resumeVerify(),
          terms.work());
    }

    /// Files of many directories are discarded in one.
    private ResumableFile passing(OpenDirectory directory) throws IOException {
      return terms.discards()
          ? ResumableFile.passing(terms.partials(), directory)
          : ResumableFile.passing(terms.partials(), directory, name);
    }

    @Override
    public Sink sink() {
      return file.file();
    }

    @Override
    public Source written() {
      return file.file();
    }

    @Override
    public void begin(Span span) throws Failure {
      try {
        open(true);
        file.takeBack(span);
      } catch (IOException e) {
        throw Reasons.destination(entry.path(), e);
      }
    }

    @Override
    public void hole(Span span) throws IOException {
      file.hole(span);
    }

    @Override
    public void verified(Span span, int crc32c) {
      long startedNs = System.nanoTime();
      if (!span.isEmpty() && file.append(span, crc32c)) {
        terms.work().sample(Stage.JOURNAL, System.nanoTime() - startedNs);
      }
    }

    @Override
    public void put(
        ByteBuffer bytes,
        Ending ending,
        Level level,
        Durability.PublicationQueue queue,
        PublishOutcome outcome) {
      try {
        boolean isNew = state == State.ANSWERED;
        cameAtOnce = true;
        open(false);
        long startedNs = System.nanoTime();
        Writing.all(file.file(), bytes, 0);
        terms.work().sample(Stage.WRITE, System.nanoTime() - startedNs);
        if (!isNew) {
          // A new file has exactly the bytes that were just written.
          requireSize(ending.size());
        }
        publishOpen(ending, level, queue, outcome);
      } catch (IOException e) {
        fail(Reasons.destination(entry.path(), e), outcome);
      } catch (Failure e) {
        fail(e, outcome);
      }
    }

    @Override
    public void publish(
        Ending ending, Level level, Durability.PublicationQueue queue, PublishOutcome outcome) {
      try {
        if (state == State.ANSWERED && present != null) {
          Level reached = provePresent(ending, level);
          over(true);
          outcome.arrived(reached);
          return;
        }
        open(true);
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
      Failure told = keeps ? IncomingEntries.withKept(failure, bytesToKeep()) : failure;
      if (!keeps) {
        drop();
      }
      close();
      outcome.failed(told);
    }

    /// Its bytes were read once for the answer, so any level up to READBACK is reached.
    private Level provePresent(Ending ending, Level level) throws IOException, Failure {
      try (Folders.HeldFolder above = folders.hold(entry.path().parent(), false)) {
        FileStatus now = above.directory().statusOf(name);
        if (now == null || !now.isUnchangedSince(present)) {
          throw Failure.of(
                  ExitCode.DESTINATION,
                  entry.path().toString(),
                  "was changed while it was compared")
              .with("run the same command again");
        }
        // Nobody knows whether it was ever forced.
        terms.durability().made(above.directory());
        if (level != Level.MEDIA) {
          return level;
        }
        try (NativeFile whole = above.directory().file(name, false)) {
          return ReadBack.prove(
              whole, now.sizeBytes(), ending.crc32c(), level, terms.work(), entry.path());
        }
      }
    }

    private void publishOpen(
        Ending ending, Level level, Durability.PublicationQueue queue, PublishOutcome outcome)
        throws IOException, Failure {
      Level reached =
          ReadBack.prove(
              file.file(), ending.size(), ending.crc32c(), level, terms.work(), entry.path());
      // Who has read the whole file need not believe anything of it.
      bytesBelieved = reached == Level.WIRE ? file.bytesBelieved() : 0;
      Level told = bytesBelieved == 0 ? reached : Level.NONE;
      if (terms.discards()) {
        file.forgo();
        state = State.DISCARDED;
        outcome.arrived(told);
        return;
      }
      setMetadata();
      if (!terms.durability().isDurable()) {
        reveal();
        over(true);
        outcome.arrived(told);
        return;
      }
      if (!cameAtOnce && reached != Level.MEDIA) {
        writeOut(ending.size());
      }
      state = State.WAITING;
      open.decrementAndGet();
      queue.accept(new Complete(told, outcome));
    }

    /// Tells the sender of progress while a large file is written out.
    private void writeOut(long bytes) throws IOException {
      long startedNs = System.nanoTime();
      try {
        Forcing.writeOut(file.file(), bytes, terms.work()::readAgain);
      } catch (IOException e) {
        file.drop();
        throw e;
      }
      terms.work().sample(Stage.FLUSH, System.nanoTime() - startedNs);
    }

    /// Every byte is there, as the sender's digest and the count of its blocks say; the file's end
    /// may be a hole that nobody wrote.
    private void requireSize(long bytes) throws IOException, Failure {
      long there = file.file().status().sizeBytes();
      if (there != bytes) {
        throw Failure.of(
            ExitCode.INTEGRITY,
            entry.path().toString(),
            "has " + there + " bytes in place of " + bytes);
      }
    }

    private void setMetadata() throws IOException, Failure {
      Replaced replaced = replaced();
      Given given = terms.given(entry);
      long startedNs = System.nanoTime();
      terms
          .preserver()
          .file(
              given.attributes(),
              given.status(),
              folder.directory(),
              file.file(),
              replaced,
              entry.path());
      terms.work().sample(Stage.METADATA, System.nanoTime() - startedNs);
    }

    private void reveal() throws IOException, Failure {
      long startedNs = System.nanoTime();
      try {
        file.file().close();
      } catch (IOException e) {
        // Some file systems say only here what they could not write, whatever the journal tells.
        file.drop();
        throw e;
      }
      try {
        file.reveal(name, terms.replaces());
      } catch (FileAlreadyExistsException e) {
        throw Terms.taken(entry).because(e);
      }
      terms.work().sample(Stage.PUBLISH, System.nanoTime() - startedNs);
    }

    /// Only its name is missing, which waits until its bytes are forced.
    private final class Complete implements Durability.Publication {

      private final Level reached;
      private final PublishOutcome outcome;

      Complete(Level reached, PublishOutcome outcome) {
        this.reached = reached;
        this.outcome = outcome;
      }

      @Override
      public Object label() {
        return entry.path();
      }

      @Override
      public NativeFile file() {
        return file.file();
      }

      @Override
      public OpenDirectory directory() {
        return folder.directory();
      }

      @Override
      public long bytesMoved(long bytes) {
        return cameAtOnce ? bytes : bytes - incoming.bytesResumed();
      }

      @Override
      public void reveal() throws IOException, Failure {
        Incoming.this.reveal();
      }

      @Override
      public void done() {
        over(true);
        outcome.arrived(reached);
      }

      @Override
      public void failed(Failure failure) {
        // The kernel tells of a lost page once: whoever went on with it could not know.
        file.drop();
        fail(failure, outcome);
      }
    }

    /// What loses its name to this one, or null.
    private Replaced replaced() throws IOException, Failure {
      if (!terms.replaces()) {
        return null;
      }
      FileStatus there = folder.directory().statusOf(name);
      if (there != null && there.isDirectory()) {
        throw Terms.takenByDirectory(entry);
      }
      return there != null && there.isRegular()
          ? new Replaced(folder.directory(), name, there)
          : null;
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
      return file == null ? null : file.leftBehind();
    }

    @Override
    public long bytesToKeep() {
      return isUnnamed() ? file.keptBytes() : 0;
    }

    @Override
    public long keep() {
      long kept = bytesToKeep();
      if (isUnnamed()) {
        file.keep();
      }
      if (state != State.DISCARDED) {
        over(false);
      }
      return kept;
    }

    @Override
    public void drop() {
      if (isUnnamed()) {
        file.drop();
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
        file.drop();
        over(false);
      }
    }

    private void over(boolean arrived) {
      if (state == State.OVER) {
        return;
      }
      if (state == State.OPEN || state == State.DISCARDED) {
        open.decrementAndGet();
      }
      state = State.OVER;
      if (folder != null) {
        folder.close();
      }
      if (arrived) {
        firstNames.arrived(entry);
      }
      pathLocks.release(entry.path(), holder, entry.fileId());
    }
  }
}
