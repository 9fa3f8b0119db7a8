package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Name;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Engine;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.TransferException;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.insight.Verified;
import dev.zcp.io.HeldDirectory;
import dev.zcp.io.SpecialFile;
import dev.zcp.io.StandardStreams;
import dev.zcp.linux.FileStatus;
import dev.zcp.profile.RouteTunings;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.tree.Existing;
import dev.zcp.tree.Loss;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Metadata;
import dev.zcp.tree.OnChange;
import dev.zcp.tree.PartialFile;
import dev.zcp.tree.Reasons;
import dev.zcp.tree.SourceFile;
import dev.zcp.tree.Staging;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Copies one file after the other for a [Copier].
final class FileCopy {

  private final Engine engine;
  private final RouteTunings tunings;
  private final Staging staging;
  private final StandardStreams streams;
  private final Insight insight;
  private final OnChange onChange;
  private final PlainLargeFiles largeFiles;

  FileCopy(
      CopyRequest request,
      Engine engine,
      RouteTunings tunings,
      Staging staging,
      StandardStreams streams,
      Insight insight) {
    this.engine = engine;
    this.tunings = tunings;
    this.staging = staging;
    this.streams = streams;
    this.insight = insight;
    this.onChange = request.policy().onChange();
    this.largeFiles = new PlainLargeFiles(request.choice(), request.preserve().sparse());
  }

  void run(Copier.Job job) {
    FileStatus old;
    try {
      old = job.target().isStandardStream() ? null : oldTarget(job);
    } catch (Failure failure) {
      begin(job).failed(failure);
      return;
    }
    if (old != null && job.existing() == Existing.KEEP) {
      insight.kept(job.target(), "exists and is kept");
      return;
    }
    FileLog log = begin(job);
    try {
      copy(job, old, log);
      log.done(Verified.NONE);
    } catch (Failure failure) {
      log.failed(failure);
    } catch (RuntimeException e) {
      // What one file met with, in a strategy from a jar for instance, is not the others' affair.
      log.failed(Reasons.defect(label(job.source()), e));
    }
  }

  private FileLog begin(Copier.Job job) {
    return insight.begin(label(job.source()), job.bytes(), Stage.COPY);
  }

  private void copy(Copier.Job job, FileStatus old, FileLog log) throws Failure {
    if (job.target().isStandardStream()) {
      try (Sink sink = streams.sink()) {
        fromSourceOnce(job, sink, log);
      } catch (IOException e) {
        throw Reasons.destination("standard output", e);
      }
      return;
    }
    if (old == null) {
      intoPartial(job, job.target().toPath(), null, log);
    } else if (job.existing() != Existing.REPLACE) {
      leave(job);
    } else if (old.isRegular()) {
      replace(job, old, log);
    } else {
      intoSpecial(job, old, log);
    }
  }

  /// Something has the target's name, and is not to be replaced.
  private void leave(Copier.Job job) throws Failure {
    if (job.existing() == Existing.REFUSE) {
      throw Failure.of(ExitCode.EXISTS, job.target().toString(), "already exists");
    }
    insight.kept(job.target(), "exists and is kept");
  }

  /// The status of what is under the target's name now, or null where nothing is.
  private static FileStatus oldTarget(Copier.Job job) throws Failure {
    Path path = job.target().toPath();
    FileStatus old;
    try {
      old = FileStatus.ofExisting(path);
    } catch (IOException e) {
      throw Reasons.destination(job.target(), e);
    }
    if (old == null && job.policy().writeThroughLinks() && FileStatus.exists(job.target())) {
      throw Failure.of(
          ExitCode.DESTINATION, job.target().toString(), "is a link that leads nowhere");
    }
    if (old != null && old.isDirectory()) {
      throw Failure.of(ExitCode.EXISTS, job.target().toString(), "is a directory");
    }
    boolean regularPair =
        old != null && job.sourceStatus() != null && job.sourceStatus().isSameFile(old);
    if (regularPair) {
      throw Failure.of(
              ExitCode.EXISTS, job.target().toString(), "is the same file as " + job.source())
          .with("it is unharmed");
    }
    return old;
  }

  /// A link that has the name is replaced and not what it leads to, unless that was asked for: a
  /// link that somebody planted leads a copy nowhere.
  private void replace(Copier.Job job, FileStatus old, FileLog log) throws Failure {
    Path target = job.target().toPath();
    if (!Files.isSymbolicLink(target)) {
      intoPartial(job, target, old, log);
    } else if (job.policy().writeThroughLinks()) {
      intoPartial(job, realPath(job.target()), old, log);
    } else {
      intoPartial(job, target, null, log);
    }
  }

  private static Path realPath(RawPath target) throws Failure {
    try {
      return target.toPath().toRealPath();
    } catch (IOException e) {
      throw Reasons.destination(target, e);
    }
  }

  /// Writes to what cannot be replaced: a device, a FIFO.
  private void intoSpecial(Copier.Job job, FileStatus old, FileLog log) throws Failure {
    if (old.isSocket()) {
      throw Failure.of(ExitCode.DESTINATION, job.target().toString(), "is a socket");
    }
    try (Sink sink = SpecialFile.sink(job.target().toPath(), old.mode())) {
      fromSourceOnce(job, sink, log);
    } catch (IOException e) {
      throw Reasons.destination(job.target(), e);
    }
  }

  private void intoPartial(Copier.Job job, Path target, FileStatus old, FileLog log)
      throws Failure {
    Path parent = target.toAbsolutePath().getParent();
    try (HeldDirectory directory = hold(job.target(), parent)) {
      PartialFile partial = staging.create(directory);
      boolean published = false;
      try {
        fromSteadySource(job, engineFor(job, parent), partial.end(), log);
        publish(job, partial, RawPath.of(target), old, log);
        published = true;
      } finally {
        if (!published && !partial.discard()) {
          insight.note(job.target() + ": a partial file .zcp-*.part is left beside it");
        }
      }
    } catch (IOException e) {
      throw Reasons.destination(job.target(), e);
    }
  }

  private static HeldDirectory hold(RawPath target, Path parent) throws IOException, Failure {
    try {
      return HeldDirectory.named(parent);
    } catch (NoSuchFileException e) {
      throw Failure.of(ExitCode.DESTINATION, target.toString(), "its directory does not exist")
          .with("create it first")
          .because(e);
    }
  }

  private void publish(
      Copier.Job job, PartialFile partial, RawPath target, FileStatus old, FileLog log)
      throws IOException, Failure {
    int sourceMode = job.sourceStatus() == null ? 0666 : job.sourceStatus().permissions();
    Metadata metadata = old == null ? Metadata.ofNew(sourceMode) : Metadata.ofReplaced(old);
    long startedNs = System.nanoTime();
    Name name = Name.of(target.lastComponent());
    if (job.existing() != Existing.REPLACE) {
      publishNew(job, partial, name, metadata);
    } else if (old == null) {
      partial.publish(name, metadata);
    } else {
      publishInPlace(job, partial, name, metadata);
    }
    log.sample(Stage.PUBLISH, System.nanoTime() - startedNs);
  }

  private void publishInPlace(Copier.Job job, PartialFile partial, Name name, Metadata metadata)
      throws IOException {
    Losses losses = new Losses();
    if (!partial.replace(name, metadata, losses)) {
      insight.note(job.target() + ": belongs to you now, since its owner could not be kept");
    }
    for (Loss loss : losses.all()) {
      insight.lost(loss.kind().label(), loss.files(), job.target().toString(), loss.reason());
    }
  }

  /// Nothing had the name when the copy began; somebody may have taken it meanwhile.
  private void publishNew(Copier.Job job, PartialFile partial, Name name, Metadata metadata)
      throws IOException, Failure {
    try {
      partial.publishNew(name, metadata);
    } catch (FileAlreadyExistsException e) {
      partial.discard();
      leave(job);
    }
  }

  /// The engine for a copy from one file system to another.
  private Engine engineFor(Copier.Job job, Path directory) {
    return job.bytes() < 0
        ? engine
        : engine.tunedBy(tunings.ofCopy(job.source(), directory, job.bytes()));
  }

  /// Into what cannot be taken back.
  private void fromSourceOnce(Copier.Job job, Sink sink, FileLog log) throws Failure {
    Failure change = fromSource(job, engine, sink, log);
    if (change != null) {
      accept(job, change.with("what was written there is not what it holds"));
    }
  }

  /// Into a file that nobody knows of yet, once more where the source changed and that is wanted.
  private void fromSteadySource(Copier.Job job, Engine mover, Sink sink, FileLog log)
      throws Failure, IOException {
    Failure change = fromSource(job, mover, sink, log);
    if (change != null && onChange == OnChange.RETRY) {
      ((FileChannel) sink.channel()).truncate(0);
      change = fromSource(job, mover, sink, log);
    }
    if (change != null) {
      accept(job, change.with("nothing was published, run the same command again"));
    }
  }

  private void accept(Copier.Job job, Failure change) throws Failure {
    if (onChange != OnChange.ACCEPT) {
      throw change;
    }
    insight.note(label(job.source()) + ": " + ChangeWatch.ACCEPTED);
  }

  /// @return what is wrong with the source, where it changed while it was read; else null
  private Failure fromSource(Copier.Job job, Engine mover, Sink sink, FileLog log) throws Failure {
    if (job.source().isStandardStream()) {
      try (Source source = streams.source()) {
        move(job, mover, source, sink, Long.MAX_VALUE, log);
        return null;
      } catch (IOException e) {
        throw Reasons.source("standard input", e);
      }
    }
    try (SourceFile file = SourceFile.open(job.source())) {
      return fromFile(job, mover, file, sink, log);
    } catch (IOException e) {
      throw Reasons.source(job.source(), e);
    }
  }

  private Failure fromFile(Copier.Job job, Engine mover, SourceFile file, Sink sink, FileLog log)
      throws Failure, IOException {
    long expected = file.isSized() ? file.status().sizeBytes() : Long.MAX_VALUE;
    try {
      return change(job, file, move(job, mover, file.end(), sink, expected, log));
    } catch (Failure failure) {
      // A mapping of a file that was cut off fails; with the file as it is now it may not.
      boolean changed = failure.exitCode() == ExitCode.SOURCE && !file.isUnchanged();
      if (onChange == OnChange.RETRY && changed) {
        return failure;
      }
      throw failure;
    }
  }

  private static Failure change(Copier.Job job, SourceFile file, long moved) throws IOException {
    boolean changed = !file.isUnchanged();
    long size = file.status().sizeBytes();
    boolean ended = file.isSized() && moved < size && !ChangeWatch.saysNothing(size);
    if (!ended && !changed && !(file.isSized() && hasMore(file.end(), moved))) {
      return null;
    }
    String what =
        ended && !changed
            ? "ended after " + moved + " of " + size + " bytes"
            : "changed while it was read";
    return Failure.of(ExitCode.SOURCE, job.source().toString(), what);
  }

  private static boolean hasMore(Source source, long offset) throws IOException {
    return source.read(ByteBuffer.allocate(1), offset) > 0;
  }

  private long move(
      Copier.Job job, Engine mover, Source source, Sink sink, long bytesExpected, FileLog log)
      throws Failure {
    try {
      return largeFiles.take(source, sink, bytesExpected)
          ? largeFiles.move(mover, source, sink, bytesExpected, log)
          : mover.moveAll(source, sink, bytesExpected, log);
    } catch (TransferException e) {
      throw Reasons.transfer(label(job.source()), label(job.target()), e);
    } catch (RefusedException e) {
      throw Reasons.refused(label(job.target()), e);
    }
  }

  /// The name for messages; `-` says nothing to a reader.
  private static String label(RawPath path) {
    return path.isStandardStream() ? "-" : path.toString();
  }
}
