package dev.zcp.bench.tune;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.io.FileStatus;
import dev.zcp.profile.Mounts;
import dev.zcp.profile.Way;
import dev.zcp.session.Explanation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/// Where the trials take place: both ends looked at, room found, the trial file made. Closing it
/// removes all that was made.
final class Ground implements Closeable {

  /// What a file system keeps for itself beside the bytes of a file, in parts of them.
  private static final int ROOM_PARTS = 16;

  private final List<TrialDirectory> directories = new ArrayList<>();
  private RawPath source;
  private long fileBytes;
  private Way way;
  private Trial trial;
  private AutoByItself auto;

  private Ground() {}

  /// @throws Failure where an end is not there, is of no use, or has no room
  static Ground prepare(TuneRequest request, Strategies strategies) throws Failure {
    Ground ground = new Ground();
    try {
      ground.takeSource(request);
      ground.takeTarget(request, strategies);
      return ground;
    } catch (Failure | RuntimeException e) {
      ground.close();
      throw e;
    }
  }

  long fileBytes() {
    return fileBytes;
  }

  Way way() {
    return way;
  }

  Trial trial() {
    return trial;
  }

  /// What `auto` does here without a profile.
  AutoByItself auto() {
    return auto;
  }

  @Override
  public void close() {
    for (TrialDirectory directory : directories) {
      directory.close();
    }
  }

  private void takeSource(TuneRequest request) throws Failure {
    RawPath path = request.source();
    FileStatus status = statusOf(path, ExitCode.SOURCE);
    if (status.isRegular()) {
      requireLength(path, status.sizeBytes());
      source = path;
      fileBytes = status.sizeBytes();
      return;
    }
    if (!status.isDirectory()) {
      throw Failure.of(ExitCode.USAGE, path.toString(), "is neither a file nor a directory");
    }
    requireLength(path, request.fileBytes());
    fileBytes = request.fileBytes();
    requireRoom(path, copiesIn(request, status));
    source = directoryIn(path).file("source");
    try {
      TrialFile.make(source.toPath(), fileBytes, request.seed());
    } catch (IOException e) {
      throw failure(ExitCode.SOURCE, path, e);
    }
  }

  /// How many files of the trials lie in the file system of a source that is a directory.
  private static int copiesIn(TuneRequest request, FileStatus source) throws Failure {
    if (request.target() instanceof TuneRequest.Target.Directory(RawPath path)) {
      return statusOf(path, ExitCode.DESTINATION).device() == source.device() ? 2 : 1;
    }
    return 1;
  }

  private void takeTarget(TuneRequest request, Strategies strategies) throws Failure {
    switch (request.target()) {
      case TuneRequest.Target.Directory(RawPath path) -> {
        if (!statusOf(path, ExitCode.DESTINATION).isDirectory()) {
          throw Failure.of(ExitCode.DESTINATION, path.toString(), "not a directory")
              .with("trials are made in one, and removed");
        }
        requireRoom(path, 1);
        way = wayTo(path);
        RawPath target = directoryIn(path).file("target");
        auto = AutoByItself.on(strategies, source, target);
        trial = new CopyTrial(source, target, strategies);
      }
      case TuneRequest.Target.Peer peer -> {
        way = Explanation.wayTo(peer.address());
        auto = AutoByItself.on(strategies, source, RawPath.of(peer.address().toString()));
        trial = new SendTrial(source, peer, strategies);
      }
    }
  }

  private Way wayTo(RawPath directory) throws Failure {
    try {
      Way.Copy found = Mounts.read().between(source.toPath(), directory.toPath());
      if (found == null) {
        throw Failure.of(
            ExitCode.DESTINATION, directory.toString(), "no mount is known that holds it");
      }
      return found;
    } catch (IOException e) {
      throw failure(ExitCode.DESTINATION, directory, e);
    }
  }

  private TrialDirectory directoryIn(RawPath parent) throws Failure {
    TrialDirectory directory = TrialDirectory.in(parent);
    directories.add(directory);
    return directory;
  }

  private static void requireLength(RawPath path, long bytes) throws Failure {
    if (bytes < TuneRequest.FILE_BYTES_MIN) {
      throw Failure.of(
              ExitCode.USAGE,
              path.toString(),
              "a trial of " + new ByteSize(bytes) + " is too short to tell ways apart")
          .with("it takes " + new ByteSize(TuneRequest.FILE_BYTES_MIN) + " at least");
    }
  }

  private void requireRoom(RawPath directory, int files) throws Failure {
    long needed = files * (fileBytes + fileBytes / ROOM_PARTS);
    try {
      long free = Files.getFileStore(directory.toPath()).getUsableSpace();
      if (free < needed) {
        throw Failure.of(
                ExitCode.DESTINATION,
                directory.toString(),
                "has no room: " + new ByteSize(needed) + " needed, " + new ByteSize(free) + " free")
            .with("nothing was made; --size makes trials shorter");
      }
    } catch (IOException e) {
      throw failure(ExitCode.DESTINATION, directory, e);
    }
  }

  private static FileStatus statusOf(RawPath path, ExitCode code) throws Failure {
    try {
      return FileStatus.of(path.toPath());
    } catch (IOException e) {
      throw failure(code, path, e);
    }
  }

  private static Failure failure(ExitCode code, RawPath path, IOException e) {
    String reason =
        e instanceof NoSuchFileException
            ? "no such file or directory"
            : String.valueOf(e.getMessage());
    return Failure.of(code, path.toString(), reason).because(e);
  }
}
