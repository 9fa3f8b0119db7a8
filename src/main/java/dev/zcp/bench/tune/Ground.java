package dev.zcp.bench.tune;

import dev.zcp.copy.Explanation;
import dev.zcp.core.Address;
import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.linux.FileStatus;
import dev.zcp.profile.Mounts;
import dev.zcp.profile.Way;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
    FileStatus status = statusOf(path);
    if (status == null) {
      throw Failure.of(ExitCode.SOURCE, path.toString(), "no such file or directory");
    }
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
    FileStatus target = statusOf(request.target());
    TrialDirectory directory = directoryIn(path);
    boolean shared = target != null && target.device() == status.device();
    requireRoom(path, shared ? 2 : 1);
    source = directory.file("source");
    try {
      TrialFile.make(source.toPath(), fileBytes, request.seed());
    } catch (IOException e) {
      throw failure(ExitCode.SOURCE, path, e);
    }
  }

  private void takeTarget(TuneRequest request, Strategies strategies) throws Failure {
    RawPath path = request.target();
    FileStatus status = statusOf(path);
    if (status == null) {
      takePeer(request, addressOf(path), strategies);
      return;
    }
    if (!status.isDirectory()) {
      throw Failure.of(ExitCode.DESTINATION, path.toString(), "not a directory")
          .with("trials are made in one, and removed");
    }
    RawPath target = directoryIn(path).file("target");
    requireRoom(path, 1);
    way = wayTo(path);
    auto = AutoByItself.on(strategies, source, target);
    trial = new CopyTrial(source, target, strategies);
  }

  private void takePeer(TuneRequest request, Address address, Strategies strategies)
      throws Failure {
    way = Explanation.wayTo(address);
    auto = AutoByItself.on(strategies, source, RawPath.of(address.toString()));
    trial = new SendTrial(source, address, request.key(), strategies);
  }

  private static Address addressOf(RawPath target) throws Failure {
    try {
      return Address.parse(new String(target.bytes(), StandardCharsets.ISO_8859_1));
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.DESTINATION, target.toString(), "no such directory")
          .with("nor is it an address, HOST:PORT")
          .because(e);
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
            .with("nothing is left there; --size makes trials shorter");
      }
    } catch (IOException e) {
      throw failure(ExitCode.DESTINATION, directory, e);
    }
  }

  /// The status of what is there, or null where nothing is.
  private static FileStatus statusOf(RawPath path) throws Failure {
    try {
      return FileStatus.ofExisting(path);
    } catch (IOException e) {
      throw failure(ExitCode.DESTINATION, path, e);
    }
  }

  private static Failure failure(ExitCode code, RawPath path, IOException e) {
    return Failure.of(code, path.toString(), String.valueOf(e.getMessage())).because(e);
  }
}
