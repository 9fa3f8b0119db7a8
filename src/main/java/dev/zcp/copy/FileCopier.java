package dev.zcp.copy;

import dev.zcp.copy.Verification.Evidence;
import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.PerThread;
import dev.zcp.core.Quietly;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.FileSteps;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Insight.Made;
import dev.zcp.insight.Stage;
import dev.zcp.linux.ChannelEnd;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.StandardStreams;
import dev.zcp.place.Conflict.Claim;
import dev.zcp.place.FileTask;
import dev.zcp.place.FormerCopies;
import dev.zcp.place.PlaceFile;
import dev.zcp.place.PlaceLink.Linked;
import dev.zcp.place.PlaceOther;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.tree.Handle;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Walk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.Arrays;

/// Copies one file: opens it, and moves its bytes into what [PlaceFile] makes for them. Three kinds
/// of target get the bytes directly: a file that is written in place, a device or FIFO, and
/// standard output. Any thread may call it that holds the entry's folder.
final class FileCopier {

  private static final int NEW_FILE_MODE = 0666;

  /// From here on it pays to go on with a file: a smaller one is there as soon.
  private static final long LASTING_BYTES_MIN = 256L << 20;

  private final CopyContext context;
  private final ByteMover mover;
  private final Verification verification;
  private final StandardStreams streams;
  private final PlaceFile place;
  private final PlaceOther other;
  private final PerThread<CopiedFile> tasks = new PerThread<>(CopiedFile::new);
  private final boolean hearsEachFile;

  // Both null until the walk begins.
  private Walk walk;
  private FurtherNames names;

  /// Null if there are none.
  private FormerCopies former;

  FileCopier(
      CopyContext context, ByteMover mover, Verification verification, StandardStreams streams) {
    this.context = context;
    this.mover = mover;
    this.verification = verification;
    this.streams = streams;
    this.place = context.placeFile();
    this.other = context.placeOther();
    this.hearsEachFile = context.insight().hearsEachFile();
  }

  /// @param newNames hears of each file how its copy ended, also if [#copy] throws: that may be
  ///   after [#copy] has returned, and on another thread
  void begin(Walk newWalk, FurtherNames newNames) {
    walk = newWalk;
    names = newNames;
  }

  /// @param newFormer what unchanged files become names of, or null
  void use(FormerCopies newFormer) {
    former = newFormer;
  }

  /// A file to be copied: one for each thread, or a new one if files wait to be forced.
  CopiedFile task() {
    return context.request().assurance().durable() ? new CopiedFile() : tasks.get();
  }

  /// Opens a regular file.
  ///
  /// @throws Failure SOURCE if it cannot be opened, or is no regular file any more
  NativeFile open(CopiedFile file, Entry entry) throws Failure {
    file.stamp(FileSteps.BEGUN);
    try {
      return entry.folder().source().file(entry.name(), entry.follow());
    } catch (IOException e) {
      throw entry.failure(e);
    }
  }

  /// Copies a file to where the entry is to be in the target.
  ///
  /// @param source a [NativeFile] if it is a regular file, else a stream; null for the dry run of a
  ///   stream
  /// @param status what the source was when it was opened
  void copy(CopiedFile file, Entry entry, Source source, FileStatus status) throws Failure {
    file.begin(entry, source, status);
    FileStatus special;
    Linked linked = Linked.OBSTACLE;
    try {
      special = look(file);
      if (former != null && special == null && !file.isOver() && source instanceof NativeFile) {
        linked = linkToFormer(file, entry, status);
      }
    } catch (IOException | Failure | RuntimeException e) {
      names.failed(status);
      throw Reasons.atTarget(entry.target(), e);
    }
    if (file.isOver()) {
      file.kept();
    } else if (linked == Linked.MADE || linked == Linked.ALREADY) {
      names.published(entry, status, linked == Linked.ALREADY, null);
      file.release();
    } else if (context.request().dryRun()) {
      try {
        plan(file, source instanceof NativeFile ? status.sizeBytes() : -1);
      } catch (IOException | Failure e) {
        names.failed(status);
        throw Reasons.atTarget(entry.target(), e);
      }
      names.published(entry, status, false, null);
    } else if (special != null) {
      writeInto(entry, special, source, status);
      names.failed(status);
    } else {
      file.copy();
    }
  }

  /// Looks what has the name, and decides.
  ///
  /// @return the status of a device or a FIFO that an operand is to be written into, or null
  private FileStatus look(CopiedFile file) throws IOException, Failure {
    if (file.isInNew()) {
      return null;
    }
    long startedNs = System.nanoTime();
    Entry entry = file.entry;
    FileStatus existing = entry.folder().target().statusOf(entry.newName());
    boolean mayBeSpecial =
        entry.folder().isAnchor() && !context.request().policy().remove() && !isOfAttributes();
    FileStatus special = mayBeSpecial ? specialTarget(entry, existing) : null;
    if (special != null) {
      context.conflict().decide(file, special);
    } else if (existing != null
        && existing.isSymlink()
        && context.conflict().writesThroughLinks()) {
      file.followLink();
    } else {
      context.conflict().decide(file, existing);
    }
    refuseToReplace(file, true);
    file.lookNs = System.nanoTime() - startedNs;
    return special;
  }

  /// Makes the file another name of a former copy that is the same, and tells it.
  private Linked linkToFormer(CopiedFile file, Entry entry, FileStatus status)
      throws IOException, Failure {
    byte[] path = file.pathInTarget().bytes();
    int length = Math.max(0, path.length - entry.newName().length - 1);
    byte[] directory = Arrays.copyOf(path, length);
    Handle source = file.sourceFile.reuse(((NativeFile) file.source).descriptor());
    if (context.request().dryRun()) {
      Linked planned = former.plan(file, directory, source);
      if (planned == Linked.MADE) {
        plan(file, Planned.MAKE_HARD_LINK, -1);
      } else if (planned == Linked.ALREADY) {
        planToKeep(file);
      }
      return planned;
    }
    Linked linked = former.link(file, directory, source);
    if (linked == Linked.MADE) {
      context.insight().made(Made.HARD_LINK);
      context.insight().placed(entry, file.label());
    } else if (linked == Linked.ALREADY) {
      context.insight().kept(file.label(), "is the same as " + file.sourceLabel());
    }
    return linked;
  }

  /// Copies what a FIFO or a device gives, up to its end.
  void copyStream(Entry entry, FileStatus status) throws Failure {
    // Before it is opened: what was read of it could not be given back.
    verification.refuseStream(entry);
    RawPath path =
        RawPath.of("/proc/self/fd/" + entry.folder().source().descriptor()).resolve(entry.name());
    if (context.request().dryRun()) {
      copy(task(), entry, null, status);
      return;
    }
    try (ChannelEnd source = ChannelEnd.openToRead(path.toPath(), status.mode())) {
      copy(task(), entry, source, status);
    } catch (IOException e) {
      throw Reasons.source(entry, e);
    }
  }

  /// Copies standard input.
  ///
  /// @param entry its name is that of the target
  void copyStandardInput(Entry entry) throws Failure {
    Instant now = Instant.now();
    FileStatus status = FileStatus.ofNew(FileType.REGULAR | NEW_FILE_MODE, now);
    try (Source source = streams.source()) {
      copy(task(), entry, source, status);
    } catch (IOException e) {
      throw Reasons.source(entry, e);
    }
  }

  /// Copies to standard output.
  ///
  /// @param source a regular file; else a stream
  void copyToStandardOutput(Object label, Source source, FileStatus status) throws Failure {
    FileLog log = beginLog(label, source, status);
    try (Sink sink = streams.sink()) {
      refuseEndless(label, source, sink);
      copyToStream(source, status, sink, label, "-", log);
      log.done(Level.NONE);
    } catch (IOException | Failure | RuntimeException e) {
      log.failed(Reasons.atTarget("standard output", e));
    }
  }

  /// A file that is appended to itself has no end; cat(1) refuses it, too.
  private static void refuseEndless(Object label, Source source, Sink sink)
      throws IOException, Failure {
    if (sink.traits().hasDescriptor() && reads(source, NativeFile.status(sink.descriptor()))) {
      throw Failure.of(ExitCode.EXISTS, label, "is the file that standard output is redirected to");
    }
  }

  /// Whether a source, standard input among them, reads from a regular file with this status.
  private static boolean reads(Source source, FileStatus status) throws IOException {
    return status.isRegular()
        && source.traits().hasDescriptor()
        && status.isSameFile(NativeFile.status(source.descriptor()));
  }

  private FileLog beginLog(Object label, Source source, FileStatus status) {
    boolean isFile = source instanceof NativeFile;
    if (!isFile) {
      context.insight().readsStream();
    }
    return context.insight().begin(label, isFile ? status.sizeBytes() : -1, Stage.COPY);
  }

  private void plan(CopiedFile file, long bytes) throws IOException, Failure {
    Planned copies = isOfAttributes() ? Planned.COPY_ATTRIBUTES : Planned.COPY;
    if (keepsData(file)) {
      tellPlanned(file, Planned.COPY_ATTRIBUTES, 0);
    } else {
      plan(file, copies, isOfAttributes() ? 0 : bytes);
    }
    file.release();
  }

  /// Tells what would be done.
  ///
  /// @param asNew if nothing loses its name
  void plan(Claim claim, Planned asNew, long bytes) throws IOException, Failure {
    if (claim.replaced() == null) {
      tellPlanned(claim, asNew, bytes);
    } else {
      context.conflict().rememberPlanned(claim, claim.replaced());
      context
          .insight()
          .plannedToReplace(asNew, claim.sourceLabel().toString(), claim.label().toString(), bytes);
    }
  }

  void tellPlanned(Claim claim, Planned action, long bytes) {
    context
        .insight()
        .planned(action, claim.sourceLabel().toString(), claim.label().toString(), bytes);
  }

  /// Tells that the target stays as it is.
  void kept(Claim claim) {
    if (claim.isRepeated()) {
      return;
    }
    if (context.request().dryRun()) {
      if (claim.isSame()) {
        planToKeep(claim);
      } else {
        tellPlanned(claim, Planned.KEEP, -1);
      }
    } else {
      context.insight().kept(claim.label(), claim.keptBecause());
    }
  }

  /// Tells of what is in a dry run what it is to be: by name only if somebody hears of each file.
  void planToKeep(Claim claim) {
    if (hearsEachFile) {
      tellPlanned(claim, Planned.KEEP, -1);
    } else {
      context.insight().plannedToKeep();
    }
  }

  /// Whether no bytes are copied.
  private boolean isOfAttributes() {
    return context.request().form().kind() == CopyForm.CopyKind.ATTRIBUTES;
  }

  /// `--attributes-only` replaces nothing: attributes go to a file that exists, or to a new one.
  ///
  /// @param isFile whether the source is a regular file
  void refuseToReplace(Claim claim, boolean isFile) throws Failure {
    boolean mayReplace = !isOfAttributes() || context.request().policy().remove();
    if (!mayReplace && claim.replaced() != null && !(isFile && isInPlace(claim))) {
      throw Failure.of(ExitCode.EXISTS, claim.label(), "already exists")
          .with("--remove-destination replaces it");
    }
  }

  /// Whether the file that has the target's name keeps it.
  private boolean isInPlace(Claim claim) {
    return keepsData(claim) || context.request().policy().inPlace() && isFile(claim.replaced());
  }

  /// Whether the target is a file that gets attributes and keeps its data.
  boolean keepsData(Claim claim) {
    return isOfAttributes() && !context.request().policy().remove() && isFile(claim.replaced());
  }

  private static boolean isFile(FileStatus replaced) {
    return replaced != null && replaced.isRegular();
  }

  /// @param existing what has the name, or null
  private static FileStatus specialTarget(Entry entry, FileStatus existing)
      throws IOException, Failure {
    FileStatus behind = existing;
    if (existing != null && existing.isSymlink()) {
      behind = entry.folder().target().statusBehind(entry.newName());
    }
    if (behind == null || behind.isRegular() || behind.isDirectory()) {
      return null;
    }
    if (behind.isSocket()) {
      throw Failure.of(ExitCode.DESTINATION, entry.targetLabel(), "is a socket");
    }
    return behind;
  }

  private void writeInto(Entry entry, FileStatus special, Source source, FileStatus status) {
    FileLog log = beginLog(entry, source, status);
    RawPath path =
        RawPath.of("/proc/self/fd/" + entry.folder().target().descriptor())
            .resolve(entry.newName());
    try (Sink sink = ChannelEnd.openToWrite(path.toPath(), special.mode())) {
      copyToStream(source, status, sink, entry, entry.targetLabel(), log);
      context.insight().placed(entry, entry.targetLabel());
      log.done(Level.NONE);
    } catch (IOException | Failure | RuntimeException e) {
      log.failed(Reasons.atTarget(entry.targetLabel(), e));
    }
  }

  private void copyToStream(
      Source source,
      FileStatus status,
      Sink sink,
      Object sourceLabel,
      Object targetLabel,
      FileLog log)
      throws Failure {
    if (!(source instanceof NativeFile file)) {
      mover.moveStream(source, sink, Long.MAX_VALUE, sourceLabel, targetLabel, log);
      return;
    }
    mover
        .watch()
        .copy(
            file,
            status,
            null,
            sourceLabel,
            targetLabel,
            now -> {
              long size = now.sizeBytes();
              long bytes = SourceWatch.saysNothing(size) ? Long.MAX_VALUE : size;
              return mover.moveStream(file, sink, bytes, sourceLabel, targetLabel, log);
            });
  }

  /// A file whose bytes are on their way. Its folder stays open, and is not completed before this
  /// is over.
  final class CopiedFile extends FileTask implements SourceWatch.Move {

    private final Handle sourceFile = Handle.of(-1);
    private Entry entry;
    private Source source;
    private Evidence evidence;

    /// How many bytes the target has.
    private long bytes;

    /// How long it took to see what had the name.
    private long lookNs;

    /// Null as long as nobody hears of this file: see [Insight#file].
    private FileLog log;

    /// The directory of the file that a link leads to which is written through, or null.
    private OpenDirectory behindLink;

    private boolean isHeld;

    CopiedFile() {
      super(place);
    }

    private void begin(Entry newEntry, Source newSource, FileStatus status) {
      entry = newEntry;
      source = newSource;
      evidence = null;
      lookNs = 0;
      log = null;
      context.claim(this, newEntry, status);
    }

    /// Claims what the link of the name leads to.
    private void followLink() throws IOException, Failure {
      RawPath real = realPath(entry);
      OpenDirectory directory = OpenDirectory.open(real.parent());
      behindLink = directory;
      boolean isDecided = false;
      try {
        begin(entry, directory, real.lastComponent(), status(), false, context.mergesSources());
        FileStatus behind = directory.statusOf(name());
        if (behind != null && !behind.isRegular()) {
          throw Failure.of(
              ExitCode.DESTINATION,
              entry.targetLabel(),
              "is a link to something that is not a regular file");
        }
        context.conflict().decide(this, behind);
        isDecided = true;
      } finally {
        if (!isDecided) {
          release();
        }
      }
    }

    /// Gives the file its bytes and, if it is a new one, its metadata, and has it published.
    private void copy() {
      FileStatus status = status();
      boolean isQuiet =
          !hearsEachFile
              && !verification.isAsked()
              && !isOfAttributes()
              && source instanceof NativeFile
              && mover.isSmall(status, directory());
      log = isQuiet ? null : beginLog(entry, source, status);
      if (log != null && source instanceof NativeFile) {
        log.sample(Stage.OPEN, timesNs()[FileSteps.OPENED] - timesNs()[FileSteps.BEGUN]);
      }
      try {
        fill(status);
      } catch (IOException e) {
        failed(place.notReplaced(this, e));
        return;
      } catch (Failure | RuntimeException e) {
        failed(Reasons.atTarget(entry, e));
        return;
      }
      place.publish(this);
    }

    /// From then on it may wait longer than its thread holds its folder.
    private void fill(FileStatus status) throws IOException, Failure {
      if (isInPlace(this) && (keepsData(this) || context.conflict().keepsAlone(this, replaced()))) {
        if (reads(source, replaced())) {
          throw Failure.of(ExitCode.EXISTS, entry.targetLabel(), "is the file that is read")
              .with("it is unharmed");
        }
        place.openInPlace(this, keepsData(this));
      } else {
        long startedNs = log == null ? 0 : System.nanoTime();
        if (mayGoOn(status)) {
          place.createLasting(this);
        } else {
          place.create(this);
        }
        if (log != null) {
          log.sample(Stage.CREATE, timesNs()[FileSteps.CREATED] - startedNs);
        }
      }
      FileStatus copied = status;
      if (isOfAttributes()) {
        evidence = Evidence.of(Level.NONE);
      } else if (source instanceof NativeFile regular) {
        copied = mover.watch().copy(regular, status, file(), entry, this, this);
        stamp(FileSteps.CHECKED);
        evidence =
            verification.isAsked()
                ? verification.check(regular, copied, file(), pathInTarget(), log())
                : Evidence.of(Level.NONE);
      } else {
        mover.moveStream(source, file(), Long.MAX_VALUE, entry, this, log);
        evidence = verification.list(file(), pathInTarget(), log);
      }
      if (isNew()) {
        long startedNs = log == null ? 0 : System.nanoTime();
        place.complete(this, sourceFile.reuse(source.descriptor()), copied);
        if (log != null) {
          log.sample(Stage.METADATA, timesNs()[FileSteps.COMPLETED] - startedNs);
        }
      } else if (isOfAttributes()) {
        context
            .metadata()
            .existing(
                sourceFile.reuse(source.descriptor()),
                copied,
                Handle.of(file().descriptor()),
                file().status(),
                entry);
      }
      if (context.request().assurance().durable()) {
        entry.folder().oneMore();
        isHeld = true;
        walk.folders().hold(entry.folder());
      }
    }

    private RawPath pathInTarget() {
      return entry.folder().pathInTarget(entry.newName());
    }

    private FileLog log() {
      if (log == null) {
        log = beginLog(entry, source, status());
      }
      return log;
    }

    /// Moves the bytes of the source, which is `now` what it was when the move began.
    @Override
    public long of(FileStatus now) throws Failure {
      NativeFile regular = (NativeFile) source;
      bytes = log == null ? throughBuffer(regular, now.sizeBytes()) : -1;
      if (bytes < 0) {
        long from = isLasting() ? goOnFrom(regular, now) : 0;
        bytes =
            from == 0
                ? mover.move(regular, now, file(), entry, this, log())
                : mover.moveRest(regular, now, file(), from, entry, this, log());
      }
      return bytes;
    }

    private boolean mayGoOn(FileStatus status) {
      return context.request().policy().resumes()
          && source instanceof NativeFile
          && status.sizeBytes() >= LASTING_BYTES_MIN
          && !isOfAttributes()
          && !context.request().form().zerosToHoles();
    }

    /// Compares what is there of the file from before with the source, and cuts it off where that
    /// is another, and before its end: so there is something to move.
    ///
    /// @return how many bytes are those of the source
    private long goOnFrom(NativeFile regular, FileStatus now) throws Failure {
      try {
        long there = file().status().sizeBytes();
        long bytesMax = Math.min(there, now.sizeBytes() - 1);
        long difference =
            FileComparison.differenceByTwo(
                regular,
                file(),
                bytesMax,
                (_, _, elapsedNs) -> log().sample(Stage.READ_BACK, elapsedNs));
        long same = difference == FileComparison.SAME ? bytesMax : difference;
        long from = same - same % FileComparison.PIECE_BYTES;
        if (there > from) {
          file().resize(from);
        }
        if (from > 0) {
          context
              .insight()
              .note(entry + ": resumes after " + new ByteSize(from) + " of an interrupted copy");
        }
        return from;
      } catch (IOException e) {
        throw Reasons.move(entry, this, e);
      }
    }

    /// One read and one write.
    ///
    /// @return -1 if the source is not as long as it says; nothing was written then
    private long throughBuffer(NativeFile from, long size) throws Failure {
      ByteBuffer buffer = place.buffer();
      try {
        int count = Math.max(from.read(buffer, 0), 0);
        stamp(FileSteps.READ);
        if (count != size) {
          return -1;
        }
      } catch (IOException e) {
        throw Reasons.source(entry, e);
      }
      try {
        place.write(this, buffer.flip());
      } catch (IOException e) {
        throw Reasons.destination(this, e);
      }
      mover.spend(size, context.insight());
      return size;
    }

    @Override
    public void reveal() throws IOException, Failure {
      long startedNs = log == null ? 0 : System.nanoTime();
      super.reveal();
      if (log != null && isNew()) {
        log.sample(Stage.PUBLISH, timesNs()[FileSteps.PUBLISHED] - startedNs);
      }
    }

    @Override
    protected void placed() {
      evidence.published();
      names.published(entry, status(), false, evidence);
      if (log == null) {
        context.insight().file(timesNs(), lookNs, bytes, entry, evidence.level());
      } else {
        context.insight().placed(entry, label());
        log.done(evidence.level());
      }
      release();
    }

    @Override
    protected void kept() {
      // Another program has made one of its name while its bytes moved.
      if (log != null) {
        log.left();
      }
      if (isSame() && context.request().dryRun() && needsCorrection()) {
        tellPlanned(this, Planned.CORRECT_ATTRIBUTES, -1);
      } else {
        // What waited to be forced has no source any more.
        if (isSame() && !context.request().dryRun() && !isHeld) {
          correct();
        }
        FileCopier.this.kept(this);
      }
      // With `-u` or `--skip-same` further names of the source are linked to it, as with `cp -au`.
      if (context.conflict().linksToKept()) {
        names.published(entry, status(), true, null);
      } else {
        names.failed(status());
      }
      release();
    }

    private boolean needsCorrection() {
      try {
        return other.needsCorrection(this, sourceFile.reuse(source.descriptor()));
      } catch (IOException e) {
        context.errors().tell(entry, Reasons.destination(this, e));
        return false;
      }
    }

    private void correct() {
      try {
        other.correct(this, sourceFile.reuse(source.descriptor()));
      } catch (IOException e) {
        Failure failure = Reasons.destination(this, e);
        context.errors().tell(entry, context.ofTarget(entry.folder(), failure));
      }
    }

    @Override
    protected void notPlaced(Failure failure) {
      context.errors().tell(log(), context.ofTarget(entry.folder(), failure));
      names.failed(status());
      release();
    }

    private void release() {
      Quietly.close(behindLink);
      behindLink = null;
      if (isHeld) {
        isHeld = false;
        Folder folder = entry.folder();
        walk.folders().release(folder);
        walk.oneIsOver(folder);
      }
    }
  }

  private static RawPath realPath(Entry entry) throws IOException, Failure {
    RawPath held = RawPath.of("/proc/self/fd/" + entry.folder().target().descriptor());
    try {
      return RawPath.of(held.resolve(entry.newName()).toPath().toRealPath());
    } catch (NoSuchFileException e) {
      throw Failure.of(ExitCode.DESTINATION, entry.targetLabel(), "is a link that leads nowhere");
    }
  }
}
