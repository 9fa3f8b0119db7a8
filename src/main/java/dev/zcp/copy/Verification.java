package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.StandardStreams;
import dev.zcp.place.Partials;
import dev.zcp.spi.MoveException;
import dev.zcp.tree.MediaReading;
import dev.zcp.tree.Reasons;
import java.io.Closeable;
import java.io.IOException;

/// Makes sure of the bytes of each file before it gets its name, as far as was asked for, and lists
/// them. Any thread may call it, each for another file.
///
/// If nothing was asked for it costs nothing.
final class Verification implements Closeable {

  /// How often what differs is written again, before the file fails.
  private static final int MENDINGS_MAX = 3;

  /// What a comparison reads by, as a strategy is called: into direct buffers.
  private static final String READING = "direct";

  private final Level asked;
  private final boolean durable;

  /// Null if none was asked for.
  private final ManifestFile manifest;

  private final Insight insight;

  // Guarded by this.
  private boolean toldInMemory;

  private Verification(Level asked, boolean durable, ManifestFile manifest, Insight insight) {
    this.asked = asked;
    this.durable = durable;
    this.manifest = manifest;
    this.insight = insight;
  }

  /// @throws Failure if the manifest cannot be begun, or has no place there
  static Verification of(
      CopyRequest request, Partials partials, StandardStreams streams, Insight insight)
      throws Failure {
    Assurance assurance = request.assurance();
    ManifestFile manifest =
        assurance.manifest() == null
            ? null
            : ManifestFile.create(assurance.manifest(), partials, streams);
    return new Verification(assurance.verify(), assurance.durable(), manifest, insight);
  }

  boolean isAsked() {
    return asked != Level.NONE || manifest != null;
  }

  /// Makes sure that the target has the bytes of the source. To be called once it has all of them,
  /// and before it has its name.
  ///
  /// A piece of the target that differs is written again, by reading and writing, and all is read
  /// once more; [#MENDINGS_MAX] times at most.
  ///
  /// @param status what the source was when its bytes were copied
  /// @param target open for reading and writing
  /// @param path the target's, relative to the directory in which a manifest is to be checked: to
  ///   the target directory, or to that of the one file that is the target
  /// @return the level that was reached; to be told when the file has its name
  /// @throws Failure INTEGRITY if they differ, SOURCE if the source has changed since or cannot be
  ///   read, DESTINATION if the target cannot
  Evidence check(NativeFile source, FileStatus status, NativeFile target, RawPath path, FileLog log)
      throws Failure {
    if (!isAsked()) {
      return Evidence.of(Level.NONE);
    }
    try {
      long bytes = target.status().sizeBytes();
      Level reached = Level.NONE;
      if (asked == Level.NONE) {
        FileComparison.mine().begin(true).digest(target, bytes, readBack(log));
      } else {
        requireLength(source, status, bytes, path);
        reached = compare(source, status, target, bytes, path, log);
      }
      return evidence(reached, path);
    } catch (IOException e) {
      throw Reasons.move(path, path, e);
    }
  }

  /// To be called before a source is opened that can be read only once.
  ///
  /// @throws Failure SOURCE if copies are to be compared with their sources
  void refuseStream(Object label) throws Failure {
    if (asked != Level.NONE) {
      throw Failure.of(
              ExitCode.SOURCE, label, "is a stream, which cannot be read again to be verified")
          .with("leave --verify out");
    }
  }

  /// As [#check], of a copy of a stream, which is not compared.
  Evidence list(NativeFile target, RawPath path, FileLog log) throws Failure {
    return check(null, null, target, path, log);
  }

  /// Compares the bytes of two files that are equally long, and mends nothing. Their bytes count as
  /// moved.
  ///
  /// @param differences gets the first of them
  /// @return the level that was reached; for the manifest if the files are the same
  /// @throws MoveException with the end that cannot be read
  /// @throws Failure SOURCE if the source changed meanwhile
  Evidence compare(
      NativeFile source,
      FileStatus status,
      NativeFile target,
      RawPath path,
      Differences differences,
      FileLog log)
      throws IOException, Failure {
    Level level = asked == Level.MEDIA ? asked : Level.READBACK;
    try (MediaReading reading = reading(level, target, path)) {
      FileComparison.PieceListener pieces =
          (offset, count, elapsedNs) -> log.moved(READING, offset, count, elapsedNs);
      long bytes = status.sizeBytes();
      long at =
          manifest == null
              ? FileComparison.differenceByTwo(source, reading.file(), bytes, pieces)
              : FileComparison.mine()
                  .begin(true)
                  .difference(source, reading.file(), 0, bytes, pieces);
      if (at != FileComparison.SAME) {
        requireUnchanged(source, status, path);
        differences.add("differs from its source at byte " + at);
      }
      return evidence(reading.reached(), path);
    }
  }

  /// Of the file that this thread has just read.
  private Evidence evidence(Level reached, RawPath path) {
    return manifest == null
        ? Evidence.of(reached)
        : new Evidence(reached, manifest, path, FileComparison.mine().sha256());
  }

  /// Publishes the manifest, also if some files failed: it has those that did not.
  void finish() throws Failure {
    if (manifest != null) {
      manifest.publish(durable);
    }
  }

  /// Releases it; a manifest that was not published is gone.
  @Override
  public void close() throws IOException {
    if (manifest != null) {
      manifest.close();
    }
  }

  private static FileComparison.PieceListener readBack(FileLog log) {
    return (offset, bytes, elapsedNs) -> log.sample(Stage.READ_BACK, offset, bytes, elapsedNs);
  }

  /// Opens a target to be read back, which is on its device by then if that is asked for.
  private MediaReading reading(Level level, NativeFile target, RawPath path) throws IOException {
    long startedNs = System.nanoTime();
    MediaReading reading = MediaReading.of(level, target);
    if (reading.reached() == Level.MEDIA) {
      insight.sample(Stage.FLUSH, System.nanoTime() - startedNs);
    } else if (level == Level.MEDIA) {
      tellInMemory(path);
    }
    return reading;
  }

  private static void requireLength(NativeFile source, FileStatus status, long bytes, RawPath path)
      throws Failure, MoveException {
    long expected = status.sizeBytes();
    if (bytes == expected) {
      return;
    }
    boolean endsThere =
        SourceWatch.saysNothing(expected) && FileComparison.mine().ends(source, bytes);
    if (!endsThere) {
      throw different(path, "has " + bytes + " bytes of " + expected);
    }
  }

  private Level compare(
      NativeFile source,
      FileStatus status,
      NativeFile target,
      long bytes,
      RawPath path,
      FileLog log)
      throws IOException, Failure {
    for (int mendings = 0; ; mendings++) {
      try (MediaReading reading = reading(asked, target, path)) {
        long at = compareOnce(source, target, reading.file(), bytes, mendings, log);
        if (at == FileComparison.SAME) {
          return reading.reached();
        }
        requireUnchanged(source, status, path);
        if (mendings == MENDINGS_MAX) {
          throw different(path, "differs from its source at byte " + at);
        }
        insight.note(path + ": differed from its source at byte " + at + " and was written again");
      }
    }
  }

  /// @return where the first difference was, which was mended if that may still be done
  private long compareOnce(
      NativeFile source,
      NativeFile target,
      NativeFile reading,
      long bytes,
      int mendings,
      FileLog log)
      throws IOException {
    long first = FileComparison.SAME;
    long from = 0;
    if (manifest == null) {
      first = FileComparison.differenceByTwo(source, reading, bytes, readBack(log));
      if (first == FileComparison.SAME) {
        return first;
      }
      from = first - first % FileComparison.PIECE_BYTES;
    }
    FileComparison pair = FileComparison.mine().begin(manifest != null);
    while (from < bytes) {
      long at = pair.difference(source, reading, from, bytes, readBack(log));
      if (at == FileComparison.SAME) {
        return first;
      }
      first = first == FileComparison.SAME ? at : first;
      if (mendings == MENDINGS_MAX) {
        return first;
      }
      from = at - at % FileComparison.PIECE_BYTES;
      target.writeAll(pair.sourcePiece(), from);
      from += FileComparison.PIECE_BYTES;
    }
    return first;
  }

  /// What differs since somebody wrote to the source is no fault of the copy.
  private static void requireUnchanged(NativeFile source, FileStatus status, RawPath path)
      throws Failure, IOException {
    boolean isPseudo = status.sizeBytes() == 0;
    if (isPseudo || !source.status().isUnchangedSince(status)) {
      throw Failure.of(ExitCode.SOURCE, path, "its source changed before it was verified")
          .with("run the same command again");
    }
  }

  private static Failure different(RawPath path, String what) {
    return Failure.of(ExitCode.INTEGRITY, path, what)
        .with("nothing was published, run the same command again");
  }

  private synchronized void tellInMemory(RawPath path) {
    if (!toldInMemory) {
      toldInMemory = true;
      insight.note(
          path + ": is read back from memory, since its file system cannot be read past it");
    }
  }

  /// What is known of the bytes of one file that is about to get its name.
  ///
  /// @param level how far the arrival of the bytes was proved
  /// @param manifest what gets a line for the file, or null
  /// @param path as the manifest is to name it
  record Evidence(Level level, ManifestFile manifest, RawPath path, byte[] digest) {

    private static final Evidence OF_NOTHING = new Evidence(Level.NONE, null, null, null);
    private static final Evidence OF_READBACK = new Evidence(Level.READBACK, null, null, null);
    private static final Evidence OF_MEDIA = new Evidence(Level.MEDIA, null, null, null);

    /// For no manifest.
    static Evidence of(Level level) {
      return switch (level) {
        case NONE, WIRE -> OF_NOTHING;
        case READBACK -> OF_READBACK;
        case MEDIA -> OF_MEDIA;
      };
    }

    /// To be called once the file has its name: from then on it is in the manifest, if there is
    /// one.
    void published() {
      alsoNamed(path);
    }

    /// To be called for each further name that the same file gets, as a hard link.
    ///
    /// @param other below the target, as [Verification#check] has it
    void alsoNamed(RawPath other) {
      if (manifest != null) {
        manifest.add(other, digest);
      }
    }
  }
}
