package dev.zcp.ssh;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.ssh.ServeReply.Found;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.OperandRoots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Paths below one directory, which is the root and the home directory of all that is asked for. A
/// link or a `..` on the way may lead anywhere below it and nowhere else; the kernel sees to that.
///
/// Whoever asks may own what is below, and change it at any time. So a directory that a path leads
/// to is opened once, held to the end, and used by the name that its descriptor has in `/proc`; the
/// entry in it is never followed. Belongs to one thread.
final class PathsBelow implements ServedPaths {

  private static final byte[] ABOVE = {'.', '.'};

  private final OpenDirectory top;
  private final ExitCode code;

  /// Those that are held, by what was asked for.
  private final Map<RawPath, OpenDirectory> held = new HashMap<>();

  private PathsBelow(OpenDirectory top, ExitCode code) {
    this.top = top;
    this.code = code;
  }

  /// @param code of a path that leads nowhere or elsewhere
  /// @throws Failure USAGE if it cannot be opened, or the kernel cannot tell what is below it
  static PathsBelow of(RawPath directory, ExitCode code) throws Failure {
    try {
      OpenDirectory top = OpenDirectory.open(directory);
      top.below(HERE).close();
      return new PathsBelow(top, code);
    } catch (IOException e) {
      throw Failure.of(ExitCode.USAGE, "--below=" + directory, Reasons.of(e))
          .with("it needs a directory, and Linux 5.6 or newer")
          .because(e);
    }
  }

  @Override
  public RawPath entry(byte[] asked) throws Failure {
    RawPath path = relative(asked);
    byte[] name = path.lastComponent();
    if (OperandRoots.isDots(name)) {
      return directory(asked).resolve(HERE);
    }
    return pinned(path.parent()).resolve(name).shownAs(path.bytes());
  }

  @Override
  public RawPath directory(byte[] asked) throws Failure {
    return pinned(relative(asked));
  }

  /// A path that leads to the directory whatever becomes of its name.
  private RawPath pinned(RawPath path) throws Failure {
    try {
      return RawPath.of("/proc/self/fd/" + hold(path).descriptor()).shownAs(path.bytes());
    } catch (IOException e) {
      throw refused(path, e);
    }
  }

  private OpenDirectory hold(RawPath path) throws IOException {
    OpenDirectory there = held.get(path);
    if (there == null) {
      there = top.below(path.bytes());
      held.put(path, there);
    }
    return there;
  }

  @Override
  public Found source(byte[] asked) throws Failure {
    RawPath path = relative(asked);
    byte[] name = path.lastComponent();
    try {
      if (OperandRoots.isDots(name)) {
        hold(path);
        return Found.DIRECTORY;
      }
      FileStatus status = hold(path.parent()).statusOf(name);
      return status == null ? Found.NOTHING : status.isDirectory() ? Found.DIRECTORY : Found.OTHER;
    } catch (NoSuchFileException | NotDirectoryException e) {
      return Found.NOTHING;
    } catch (IOException e) {
      throw refused(path, e);
    }
  }

  @Override
  public Found target(byte[] asked) throws Failure {
    try {
      hold(relative(asked));
      return Found.DIRECTORY;
    } catch (IOException e) {
      // It is no directory, or a link that leads out of ours.
      return source(asked);
    }
  }

  /// A target need not be there yet, and has nothing above it for the kernel then.
  @Override
  public List<RawPath> formerCopies(List<byte[]> asked, byte[] target) throws Failure {
    List<RawPath> paths = new ArrayList<>();
    for (byte[] each : asked) {
      boolean isAbsolute = each.length > 0 && (each[0] == '/' || each[0] == '~');
      paths.add(directory(isAbsolute ? each : joined(relative(target), each)));
    }
    return paths;
  }

  /// `below`, begun at `directory`, without each `..` that follows a name.
  private static byte[] joined(RawPath directory, byte[] below) {
    List<byte[]> names = new ArrayList<>();
    for (byte[] part : new byte[][] {directory.bytes(), below}) {
      int start = 0;
      for (int at = 0; at <= part.length; at++) {
        if (at == part.length || part[at] == '/') {
          byte[] name = Arrays.copyOfRange(part, start, at);
          boolean isAbove = Arrays.equals(name, ABOVE);
          if (isAbove && !names.isEmpty() && !Arrays.equals(names.getLast(), ABOVE)) {
            names.removeLast();
          } else if (name.length > 0 && !Arrays.equals(name, HERE)) {
            names.add(name);
          }
          start = at + 1;
        }
      }
    }
    ByteArrayOutputStream path = new ByteArrayOutputStream();
    path.writeBytes(HERE);
    for (byte[] each : names) {
      path.write('/');
      path.writeBytes(each);
    }
    return path.toByteArray();
  }

  /// What was asked for, as a path from the top.
  private static RawPath relative(byte[] asked) throws Failure {
    int start = 0;
    if (asked.length > 0 && asked[0] == '~') {
      if (asked.length > 1 && asked[1] != '/') {
        throw OfMachine.noHome(RawPath.of(asked));
      }
      start = 1;
    }
    while (start < asked.length && asked[start] == '/') {
      start++;
    }
    return RawPath.of(
        start == asked.length ? HERE : Arrays.copyOfRange(asked, start, asked.length));
  }

  private Failure refused(RawPath path, IOException e) {
    String reason =
        Errno.of(e) == Errno.EXDEV
            ? "leads out of the only directory that is served"
            : Reasons.of(e);
    return Failure.of(code, path, reason).because(e);
  }
}
