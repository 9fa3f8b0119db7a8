package dev.zcp.ssh;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.ssh.ServeReply.Found;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What the paths of a request mean on the machine that serves it. They are given as they were
/// asked for, an empty one for the home directory.
interface ServedPaths {

  byte[] HERE = {'.'};

  /// The path of a source or target, whose last name is that of the entry itself.
  ///
  /// @throws Failure if there can be none
  RawPath entry(byte[] asked) throws Failure;

  /// The path of a directory that is there, with all its names.
  ///
  /// @throws Failure if there can be none
  RawPath directory(byte[] asked) throws Failure;

  /// What a source is.
  Found source(byte[] asked) throws Failure;

  /// What is at a target.
  Found target(byte[] asked) throws Failure;

  /// The directories of former copies of a target; relative ones begin there.
  List<RawPath> formerCopies(List<byte[]> asked, byte[] target) throws Failure;

  /// Any path of this machine, as scp(1) has it: relative to the home directory, where ssh starts a
  /// command.
  ///
  /// @param home the user's home directory, or null
  record OfMachine(RawPath home) implements ServedPaths {

    @Override
    public RawPath entry(byte[] asked) throws Failure {
      if (asked.length == 0) {
        return RawPath.of(HERE);
      }
      RawPath path = RawPath.of(asked);
      if (asked[0] != '~') {
        return path.isStandardStream() ? RawPath.of("./-") : path;
      }
      if (asked.length > 1 && asked[1] != '/' || home == null) {
        throw noHome(path);
      }
      return home.resolve(
          RemotePath.isContent(asked) ? HERE : Arrays.copyOfRange(asked, 2, asked.length));
    }

    @Override
    public RawPath directory(byte[] asked) throws Failure {
      return entry(asked);
    }

    @Override
    public Found source(byte[] asked) throws Failure {
      try {
        return RemoteTransfer.found(entry(asked));
      } catch (IOException e) {
        // Whoever opens it tells why it cannot be.
        return Found.OTHER;
      }
    }

    @Override
    public Found target(byte[] asked) throws Failure {
      return RemoteTransfer.target(entry(asked));
    }

    @Override
    public List<RawPath> formerCopies(List<byte[]> asked, byte[] target) throws Failure {
      List<RawPath> paths = new ArrayList<>();
      for (byte[] each : asked) {
        paths.add(entry(each));
      }
      return paths;
    }

    static Failure noHome(RawPath path) {
      return Failure.of(ExitCode.USAGE, path, "only ~ itself stands for a home directory")
          .with("a file of that name is ./" + path);
    }
  }
}
