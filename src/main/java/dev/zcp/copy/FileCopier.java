package dev.zcp.copy;

import dev.zcp.copy.Verification.Evidence;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Stage;
import dev.zcp.insight.Verified;
import dev.zcp.linux.ChannelEnd;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.StandardStreams;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.tree.Durability;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Partials.Partial;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Walk;
import java.io.IOException;
import java.time.Instant;

/// Copies one file: opens it, moves its bytes into a partial file beside the target, checks them,
/// sets metadata, and publishes it. Three kinds of target get the bytes directly: a file that is
/// written in place, a device or FIFO, and standard output. Any thread may call it that holds the
/// entry's folder.
final class FileCopier {

  private static final int NEW_FILE_MODE = 0666;

  private final CopyContext context;
  private final ByteMover mover;
  private final Verification verification;
  private final StandardStreams streams;

  /// Null until the walk begins.
  private Walk walk;

  FileCopier(
      CopyContext context, ByteMover mover, Verification verification, StandardStreams streams) {
    this.context = context;
    this.mover = mover;
    this.verification = verification;
    this.streams = streams;
  }

  void begin(Walk newWalk) {
    walk = newWalk;
  }

  /// Is told once how the copy of a file ended, also if [#copy] throws. That may be after [#copy]
  /// has returned, and on another thread.
  interface CopyListener {

    /// The entry's name in the target leads to a file that further names may be linked to.
    ///
    /// @param evidence what is known of its bytes, or null if none were moved
    void published(Evidence evidence);

    /// There is no file that further names may be linked to.
    void failed();

    /// For a file that has no further names.
    CopyListener IGNORED =
        new CopyListener() {
          @Override
          public void published(Evidence evidence) {}

          @Override
          public void failed() {}
        };
  }

  /// Opens a regular file.
  ///
  /// @throws Failure SOURCE if it cannot be opened, or is not a regular file any more
  NativeFile open(Entry entry) throws Failure {
    try {
      long startedNs = System.nanoTime();
      NativeFile file = entry.folder().source().file(entry.name(), entry.follow());
      context.insight().sample(Stage.OPEN, System.nanoTime() - startedNs);
      return file;
    } catch (IOException e) {
      throw Reasons.source(entry.label(), e);
    }
  }

  /// Copies a file to where the entry is to be in the target.
  ///
  /// @param source a [NativeFile] if it is a regular file, else a stream; null for the dry run of a
  ///   stream
  /// @param status what the source was when it was opened
  void copy(Entry entry, Source source, FileStatus status, CopyListener listener) throws Failure {
    FileStatus special;
    TargetConflict conflict;
    try {
      boolean mayBeSpecial =
          entry.folder().isAnchor() && !context.request().policy().remove() && !isOfAttributes();
      special = mayBeSpecial ? specialTarget(entry) : null;
      conflict =
          special != null
              ? TargetConflict.of(context.overwriting(), entry, status, special)
              : TargetConflict.ofFile(context.overwriting(), entry, status);
      refuseToReplace(conflict, true);
    } catch (IOException e) {
      listener.failed();
      throw Reasons.destination(entry.targetLabel(), e);
    } catch (Failure | RuntimeException e) {
      listener.failed();
      throw e;
    }
    if (conflict.isOver()) {
      kept(entry, conflict, listener);
    } else if (context.request().dryRun()) {
      long bytes = source instanceof NativeFile ? status.sizeBytes() : -1;
      plan(entry, conflict, bytes);
      listener.published(null);
    } else if (special != null) {
      writeInto(entry, special, source, status);
      listener.failed();
    } else {
      publish(entry, source, status, conflict, listener);
    }
  }

  /// Copies what a FIFO or a device gives, up to its end.
  void copyStream(Entry entry, FileStatus status) throws Failure {
    // Before it is opened: what was read of it could not be given back.
    verification.refuseStream(entry.label());
    RawPath path =
        RawPath.of("/proc/self/fd/" + entry.folder().source().descriptor()).resolve(entry.name());
    if (context.request().dryRun()) {
      copy(entry, null, status, CopyListener.IGNORED);
      return;
    }
    try (ChannelEnd source = ChannelEnd.openToRead(path.toPath(), status.mode())) {
      copy(entry, source, status, CopyListener.IGNORED);
    } catch (IOException e) {
      throw Reasons.source(entry.label(), e);
    }
  }

  /// Copies standard input.
  ///
  /// @param entry its name is that of the target
  void copyStandardInput(Entry entry) throws Failure {
    Instant now = Instant.now();
    FileStatus status = FileStatus.ofNew(FileType.REGULAR | NEW_FILE_MODE, now);
    try (Source source = streams.source()) {
      copy(entry, source, status, CopyListener.IGNORED);
    } catch (IOException e) {
      throw Reasons.source(entry.label(), e);
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
      log.done(Verified.NONE);
    } catch (IOException e) {
      log.failed(Reasons.destination("standard output", e));
    } catch (Failure failure) {
      log.failed(failure);
    } catch (RuntimeException e) {
      log.failed(Reasons.defect(label, e));
    }
  }

  /// A file that is appended to itself has no end; cat(1) refuses it, too.
  private static void refuseEndless(Object label, Source source, Sink sink)
      throws IOException, Failure {
    if (sink.traits().hasDescriptor() && reads(source, NativeFile.status(sink.descriptor()))) {
      throw Failure.of(
          ExitCode.EXISTS, label.toString(), "is the file that standard output is redirected to");
    }
  }

  /// Whether a source, standard input among them, reads from a regular file with this status.
  private static boolean reads(Source source, FileStatus status) throws IOException {
    return status.isRegular()
        && source.traits().hasDescriptor()
        && status.isSameFile(NativeFile.status(source.descriptor()));
  }

  private FileLog beginLog(Object label, Source source, FileStatus status) {
    return context
        .insight()
        .begin(label, source instanceof NativeFile ? status.sizeBytes() : -1, Stage.COPY);
  }

  private void plan(Entry entry, TargetConflict conflict, long bytes) {
    Planned action =
        keepsData(conflict)
            ? Planned.COPY_ATTRIBUTES
            : conflict.planned(isOfAttributes() ? Planned.COPY_ATTRIBUTES : Planned.COPY);
    context
        .insight()
        .planned(
            action, entry.label().toString(), entry.targetLabel(), isOfAttributes() ? 0 : bytes);
    conflict.close();
  }

  private void publish(
      Entry entry,
      Source source,
      FileStatus status,
      TargetConflict conflict,
      CopyListener listener) {
    FileLog log = beginLog(entry.label(), source, status);
    Pending pending = new Pending(entry, conflict, log, listener);
    try {
      pending.fill(source, status);
    } catch (IOException e) {
      pending.failed(pending.notReplaced(e));
      return;
    } catch (Failure failure) {
      pending.failed(failure);
      return;
    } catch (RuntimeException e) {
      pending.failed(Reasons.defect(entry.label(), e));
      return;
    }
    context.publishing().accept(pending);
  }

  /// Tells that the target stays as it is. With `-u` or `--skip-same` further names of the source
  /// are linked to it, as with `cp -au`.
  void kept(Entry entry, TargetConflict conflict, CopyListener listener) {
    if (context.request().dryRun()) {
      context.insight().planned(Planned.KEEP, entry.label().toString(), entry.targetLabel(), -1);
    } else {
      context.insight().kept(conflict.label(), conflict.keptBecause());
    }
    conflict.close();
    if (context.overwriting().linksToKept()) {
      listener.published(null);
    } else {
      listener.failed();
    }
  }

  /// Whether no bytes are copied.
  private boolean isOfAttributes() {
    return context.request().form().kind() == CopyForm.CopyKind.ATTRIBUTES;
  }

  /// `--attributes-only` replaces nothing: attributes go to a file that exists, or to a new one.
  ///
  /// @param isFile whether the source is a regular file
  void refuseToReplace(TargetConflict conflict, boolean isFile) throws Failure {
    boolean mayReplace = !isOfAttributes() || context.request().policy().remove();
    if (!mayReplace && conflict.replaced() != null && !(isFile && isInPlace(conflict))) {
      conflict.close();
      throw Failure.of(ExitCode.EXISTS, conflict.label().toString(), "already exists")
          .with("--remove-destination replaces it");
    }
  }

  /// Whether the file that has the target's name keeps it.
  private boolean isInPlace(TargetConflict conflict) {
    return keepsData(conflict)
        || context.request().policy().inPlace() && conflict.replacedFile() != null;
  }

  /// Whether the target is a file that gets attributes and keeps its data.
  boolean keepsData(TargetConflict conflict) {
    return isOfAttributes()
        && !context.request().policy().remove()
        && conflict.replacedFile() != null;
  }

  /// The status of a device or a FIFO that an operand is to be written into, or null.
  private static FileStatus specialTarget(Entry entry) throws IOException, Failure {
    FileStatus existing = TargetConflict.existing(entry);
    if (existing != null && existing.isSymlink()) {
      existing = entry.folder().target().statusBehind(entry.newName());
    }
    if (existing == null || existing.isRegular() || existing.isDirectory()) {
      return null;
    }
    if (existing.isSocket()) {
      throw Failure.of(ExitCode.DESTINATION, entry.targetLabel(), "is a socket");
    }
    return existing;
  }

  private void writeInto(Entry entry, FileStatus special, Source source, FileStatus status) {
    FileLog log = beginLog(entry.label(), source, status);
    RawPath path =
        RawPath.of("/proc/self/fd/" + entry.folder().target().descriptor())
            .resolve(entry.newName());
    try (Sink sink = ChannelEnd.openToWrite(path.toPath(), special.mode())) {
      copyToStream(source, status, sink, entry.label(), entry.targetLabel(), log);
      context.insight().placed(entry.label(), entry.targetLabel());
      log.done(Verified.NONE);
    } catch (IOException e) {
      log.failed(Reasons.destination(entry.targetLabel(), e));
    } catch (Failure failure) {
      log.failed(failure);
    } catch (RuntimeException e) {
      log.failed(Reasons.defect(entry.label(), e));
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
  /// is done or has failed.
  private final class Pending implements Durability.Publication {

    private final Entry entry;
    private final TargetConflict conflict;
    private final FileLog log;
    private final CopyListener listener;

    /// Null if an existing file is written into, or only gets attributes. A file that is written
    /// into keeps its owner and mode, as with cp(1).
    private final Partial partial;

    /// Null until it is opened.
    private NativeFile file;

    private Evidence evidence;
    private boolean isHeld;

    Pending(Entry entry, TargetConflict conflict, FileLog log, CopyListener listener) {
      this.entry = entry;
      this.conflict = conflict;
      this.log = log;
      this.listener = listener;
      this.partial = isInPlace(conflict) ? null : context.partials().begin(conflict.directory());
    }

    /// Gives the file its bytes and, if it is a new one, its metadata. From then on it may wait
    /// longer than its thread holds its folder.
    void fill(Source source, FileStatus status) throws IOException, Failure {
      open(source, status);
      RawPath path = entry.folder().pathInTarget(entry.newName());
      FileStatus copied = status;
      if (isOfAttributes()) {
        evidence = Evidence.of(Verified.NONE);
      } else if (source instanceof NativeFile regular) {
        copied = mover.copy(regular, status, file, entry.label(), conflict.label(), log);
        evidence = verification.check(regular, copied, file, path, log);
      } else {
        mover.moveStream(source, file, Long.MAX_VALUE, entry.label(), conflict.label(), log);
        evidence = verification.list(file, path, log);
      }
      if (partial != null) {
        setMetadata(source, copied);
      } else if (isOfAttributes()) {
        context.preserver().existingFile(source.descriptor(), copied, file, entry.label());
      }
      if (context.request().assurance().durable()) {
        entry.folder().oneMore();
        isHeld = true;
        walk.folders().hold(entry.folder());
      }
    }

    private void open(Source source, FileStatus status) throws IOException, Failure {
      if (partial == null) {
        if (reads(source, conflict.replaced())) {
          throw Failure.of(ExitCode.EXISTS, entry.targetLabel(), "is the file that is read")
              .with("it is unharmed");
        }
        file = conflict.openReplaced();
        if (!isOfAttributes()) {
          file.resize(0);
        }
        return;
      }
      boolean isNew = conflict.predecessor() == null;
      int mode = context.preserver().creationMode(status, conflict.directory(), isNew);
      long startedNs = System.nanoTime();
      file = partial.createFile(mode);
      log.sample(Stage.CREATE, System.nanoTime() - startedNs);
    }

    private void setMetadata(Source source, FileStatus copied) throws IOException, Failure {
      long startedNs = System.nanoTime();
      context
          .preserver()
          .file(
              source.descriptor(),
              copied,
              conflict.directory(),
              file,
              conflict.predecessor(),
              entry.label());
      log.sample(Stage.METADATA, System.nanoTime() - startedNs);
    }

    /// Some files can be written and not replaced: mounted ones, and those in a directory that may
    /// not be changed.
    Failure notReplaced(IOException e) {
      Failure failure = Reasons.destination(entry.targetLabel(), e);
      boolean mayBeWritten =
          switch (Errno.of(e)) {
            case Errno.EBUSY, Errno.EACCES, Errno.EPERM -> true;
            default -> false;
          };
      return mayBeWritten && partial != null && conflict.replacedFile() != null
          ? failure.with("--inplace writes into the file that is there")
          : failure;
    }

    @Override
    public Object label() {
      return conflict.label();
    }

    @Override
    public NativeFile file() {
      return file;
    }

    @Override
    public OpenDirectory directory() {
      return conflict.directory();
    }

    @Override
    public void reveal() throws IOException, Failure {
      long startedNs = System.nanoTime();
      file.close();
      if (partial == null) {
        return;
      }
      try {
        conflict.reveal(partial);
      } catch (IOException e) {
        throw notReplaced(e);
      }
      log.sample(Stage.PUBLISH, System.nanoTime() - startedNs);
    }

    @Override
    public void done() {
      if (conflict.isOver()) {
        partial.discard();
        kept(entry, conflict, listener);
      } else {
        evidence.published();
        listener.published(evidence);
        context.insight().placed(entry.label(), conflict.label());
      }
      log.done(evidence.level());
      release();
    }

    @Override
    public void failed(Failure failure) {
      Failure told = failure;
      if (partial != null) {
        partial.discard();
      } else if (file != null && !isOfAttributes()) {
        told = failure.with("it was written in place and is incomplete");
      }
      if (file != null) {
        try {
          file.close();
        } catch (IOException e) {
          // The first failure is told.
        }
      }
      context.errors().tell(log, told);
      listener.failed();
      release();
    }

    private void release() {
      conflict.close();
      if (isHeld) {
        isHeld = false;
        Folder folder = entry.folder();
        walk.folders().release(folder);
        walk.oneIsOver(folder);
      }
    }
  }
}
