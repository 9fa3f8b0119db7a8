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
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Partials.Partial;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Walk;
import java.io.IOException;
import java.time.Instant;

/// Copies one file: opens it, moves its bytes into a partial file beside the target, checks them,
/// sets metadata, and publishes it. What cannot be renamed, a stream or a device, gets the bytes
/// directly. Any thread may call it that holds the entry's folder.
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

  /// Hears of a file's end, which may come after [#copy] has returned, and on another thread. If
  /// that throws, nothing is told.
  interface Outcome {

    /// It is in the target, under the entry's name.
    ///
    /// @param evidence what is known of its bytes, or null if none were moved
    void published(Evidence evidence);

    /// It is not.
    void failed();

    /// For those whom nobody waits for.
    Outcome IGNORED =
        new Outcome() {
          @Override
          public void published(Evidence evidence) {}

          @Override
          public void failed() {}
        };
  }

  /// Opens a regular file.
  ///
  /// @throws Failure SOURCE if it cannot be opened, or is none any more
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

  /// Copies a regular file.
  ///
  /// @param status what it was when it was opened
  void copy(Entry entry, NativeFile source, FileStatus status, Outcome outcome) throws Failure {
    boolean underWay = false;
    try {
      underWay = begin(entry, source, source, status, outcome);
    } finally {
      if (!underWay) {
        outcome.failed();
      }
    }
  }

  /// Copies what a FIFO or a device gives, up to its end.
  void copyStream(Entry entry, FileStatus status) throws Failure {
    RawPath path =
        RawPath.of("/proc/self/fd/" + entry.folder().source().descriptor()).resolve(entry.name());
    if (context.request().dryRun()) {
      begin(entry, null, null, status, Outcome.IGNORED);
      return;
    }
    try (ChannelEnd source = ChannelEnd.openToRead(path.toPath(), status.mode())) {
      begin(entry, source, null, status, Outcome.IGNORED);
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
      begin(entry, source, null, status, Outcome.IGNORED);
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

  private FileLog beginLog(Object label, Source source, FileStatus status) {
    return context
        .insight()
        .begin(label, source instanceof NativeFile ? status.sizeBytes() : -1, Stage.COPY);
  }

  /// @param file the source if it is a regular file, else null
  /// @return whether its publication has been taken on, which will tell the rest
  private boolean begin(
      Entry entry, Source source, NativeFile file, FileStatus status, Outcome outcome)
      throws Failure {
    TargetConflict conflict;
    FileStatus special;
    try {
      special = entry.folder().isAnchor() ? specialTarget(entry) : null;
      conflict =
          special != null
              ? TargetConflict.of(context.overwriting(), entry, status, special)
              : TargetConflict.ofFile(context.overwriting(), entry, status);
    } catch (IOException e) {
      throw Reasons.destination(entry.targetLabel(), e);
    }
    if (conflict.isOver()) {
      return kept(entry, conflict, outcome);
    }
    if (context.request().dryRun()) {
      String from = entry.label().toString();
      Planned action = conflict.planned(Planned.COPY);
      long bytes = file == null ? -1 : status.sizeBytes();
      context.insight().planned(action, from, entry.targetLabel(), bytes);
      conflict.close();
      outcome.published(null);
      return true;
    }
    FileLog log = beginLog(entry.label(), source, status);
    if (special != null) {
      writeInto(entry, special, source, status, log);
      return false;
    }
    if (context.request().policy().inPlace() && conflict.replacedFile() != null) {
      return writeInPlace(entry, source, file, status, conflict, log);
    }
    Pending pending = new Pending(entry, conflict, log, outcome);
    try {
      pending.complete(fill(entry, source, file, status, conflict, pending, log));
    } catch (IOException e) {
      pending.failed(notReplaced(entry, conflict, e));
      return true;
    } catch (Failure failure) {
      pending.failed(failure);
      return true;
    } catch (RuntimeException e) {
      pending.failed(Reasons.defect(entry.label(), e));
      return true;
    }
    context.durability().accept(pending);
    return true;
  }

  /// What is kept may be what the file's other names are to be linked to: as with `cp -au`.
  boolean kept(Entry entry, TargetConflict conflict, Outcome outcome) {
    if (context.request().dryRun()) {
      context.insight().planned(Planned.KEEP, entry.label().toString(), entry.targetLabel(), -1);
    } else {
      context.insight().kept(conflict.label(), conflict.keptBecause());
    }
    conflict.close();
    if (context.overwriting().linksToKept()) {
      outcome.published(null);
      return true;
    }
    return false;
  }

  /// Some files can be written and not replaced: mounted ones, and those in a directory that may
  /// not be changed.
  private static Failure notReplaced(Entry entry, TargetConflict conflict, IOException e) {
    Failure failure = Reasons.destination(entry.targetLabel(), e);
    boolean mayBeWritten =
        switch (Errno.of(e)) {
          case Errno.EBUSY, Errno.EACCES, Errno.EPERM -> true;
          default -> false;
        };
    return mayBeWritten && conflict.replacedFile() != null
        ? failure.with("--inplace writes into the file that is there")
        : failure;
  }

  /// Writes into the file that is there. It keeps its owner and its mode, as with cp(1).
  ///
  /// @return false: nothing more is to be told
  private boolean writeInPlace(
      Entry entry,
      Source source,
      NativeFile file,
      FileStatus status,
      TargetConflict conflict,
      FileLog log) {
    try (NativeFile target = conflict.openReplaced()) {
      target.resize(0);
      Evidence evidence;
      RawPath path = entry.folder().pathInTarget(entry.newName());
      if (file != null) {
        FileStatus copied = mover.copy(file, status, target, entry.label(), conflict.label(), log);
        evidence = verification.check(file, copied, target, path, log);
      } else {
        mover.moveStream(source, target, Long.MAX_VALUE, entry.label(), conflict.label(), log);
        evidence = verification.checkStream(target, path, log);
      }
      evidence.published();
      log.done(evidence.level());
    } catch (IOException e) {
      context.errors().tell(log, Reasons.destination(entry.targetLabel(), e));
    } catch (Failure failure) {
      context.errors().tell(log, failure.with("it was written in place and is incomplete"));
    } finally {
      conflict.close();
    }
    return false;
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

  private void writeInto(
      Entry entry, FileStatus special, Source source, FileStatus status, FileLog log) {
    RawPath path =
        RawPath.of("/proc/self/fd/" + entry.folder().target().descriptor())
            .resolve(entry.newName());
    try (Sink sink = ChannelEnd.openToWrite(path.toPath(), special.mode())) {
      copyToStream(source, status, sink, entry.label(), entry.targetLabel(), log);
      log.done(Verified.NONE);
    } catch (IOException e) {
      log.failed(Reasons.destination(entry.targetLabel(), e));
    } catch (Failure failure) {
      log.failed(failure);
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

  private Evidence fill(
      Entry entry,
      Source source,
      NativeFile file,
      FileStatus status,
      TargetConflict conflict,
      Pending pending,
      FileLog log)
      throws IOException, Failure {
    OpenDirectory directory = conflict.directory();
    NativeFile target = pending.create(status);
    FileStatus copied = status;
    Evidence evidence;
    RawPath path = entry.folder().pathInTarget(entry.newName());
    if (file != null) {
      copied = mover.copy(file, status, target, entry.label(), conflict.label(), log);
      evidence = verification.check(file, copied, target, path, log);
    } else {
      mover.moveStream(source, target, Long.MAX_VALUE, entry.label(), conflict.label(), log);
      evidence = verification.checkStream(target, path, log);
    }
    long startedNs = System.nanoTime();
    context
        .preserver()
        .file(
            source.descriptor(), copied, directory, target, conflict.replacedFile(), entry.label());
    log.sample(Stage.METADATA, System.nanoTime() - startedNs);
    return evidence;
  }

  /// One file on its way to its name. Its folder stays open and is not completed before it has it.
  private final class Pending implements Durability.Publication {

    private final Entry entry;
    private final TargetConflict conflict;
    private final FileLog log;
    private final Outcome outcome;
    private final Partial partial;
    private NativeFile file;
    private Evidence evidence;
    private boolean isHeld;

    Pending(Entry entry, TargetConflict conflict, FileLog log, Outcome outcome) {
      this.entry = entry;
      this.conflict = conflict;
      this.log = log;
      this.outcome = outcome;
      this.partial = context.partials().begin(conflict.directory());
    }

    NativeFile create(FileStatus source) throws IOException {
      boolean isNew = conflict.replaced() == null;
      int mode = context.preserver().creationMode(source, conflict.directory(), isNew);
      long startedNs = System.nanoTime();
      file = partial.createFile(mode);
      log.sample(Stage.CREATE, System.nanoTime() - startedNs);
      return file;
    }

    /// It has all its bytes, and all besides. From here on it may wait longer than its thread holds
    /// its folder.
    void complete(Evidence found) throws Failure {
      evidence = found;
      if (context.request().assurance().durable()) {
        entry.folder().oneMore();
        isHeld = true;
        walk.folders().hold(entry.folder());
      }
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
      try {
        conflict.reveal(partial);
      } catch (IOException e) {
        throw notReplaced(entry, conflict, e);
      }
      log.sample(Stage.PUBLISH, System.nanoTime() - startedNs);
    }

    @Override
    public void done() {
      if (conflict.isOver()) {
        partial.discard();
        if (!kept(entry, conflict, outcome)) {
          outcome.failed();
        }
      } else {
        evidence.published();
        outcome.published(evidence);
      }
      log.done(evidence.level());
      release();
    }

    @Override
    public void failed(Failure failure) {
      partial.discard();
      if (file != null) {
        try {
          file.close();
        } catch (IOException e) {
          // What it says of its bytes is of no interest: they are gone.
        }
      }
      context.errors().tell(log, failure);
      outcome.failed();
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
