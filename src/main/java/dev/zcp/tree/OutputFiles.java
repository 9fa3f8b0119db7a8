package dev.zcp.tree;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The files that options write beside the work of a command: latencies, a manifest, a page, and
/// what standard output is redirected to. None of them may be a file that the command reads or
/// writes, by whatever name, or be in a tree that it copies or makes: one would overwrite the
/// other.
///
/// Looks at names only; opens nothing.
public final class OutputFiles {

  private static final RawPath STANDARD_INPUT = RawPath.of("/proc/self/fd/0");

  private static final RawPath STANDARD_OUTPUT = RawPath.of("/proc/self/fd/1");

  private static final byte[] PARENT = {'.', '.'};

  /// path_resolution(7)
  private static final int LINKS_MAX = 40;

  /// A tree deeper than this has no path to its bottom: PATH_MAX / 2.
  private static final int LEVELS_MAX = 2048;

  /// @param by what writes it, as a message names it
  /// @param old what has the name now, or null
  private record OutputFile(String by, RawPath name, FileStatus old) {

    boolean isStandardOutput() {
      return name == STANDARD_OUTPUT;
    }
  }

  private final List<OutputFile> outputs = new ArrayList<>();

  /// Adds the file that an option writes.
  ///
  /// @param file null if the option was not given; `-` is standard output
  /// @throws Failure USAGE if something else writes that file
  public OutputFiles add(String option, RawPath file) throws Failure {
    if (file != null && !file.isStandardStream()) {
      requireApart(file, "is what " + option + " writes");
      outputs.add(new OutputFile(option, file, status(file)));
    } else if (file != null) {
      addStandardOutput();
    }
    return this;
  }

  /// Adds standard output, which matters if it is a regular file.
  public OutputFiles addStandardOutput() {
    FileStatus status = status(STANDARD_OUTPUT);
    if (status != null && status.isRegular()) {
      outputs.add(new OutputFile("standard output", STANDARD_OUTPUT, status));
    }
    return this;
  }

  /// Checks what a copy or a send reads and writes.
  ///
  /// @param target null if it is not on this machine
  /// @param isExact whether the target gets the very name that was typed, be it a directory or not
  /// @throws Failure USAGE if one of the files would be in the way
  public void requireApart(List<RawPath> sources, RawPath target, boolean isExact) throws Failure {
    if (outputs.isEmpty()) {
      return;
    }
    for (RawPath source : sources) {
      requireApart(source, "is what is copied");
    }
    if (target != null && !target.isStandardStream()) {
      requireApartFromCopies(sources, target, isExact);
    }
  }

  /// Checks where copies go of sources that may be on another machine.
  ///
  /// @param isExact whether the target gets the very name that was typed, be it a directory or not
  /// @throws Failure USAGE if one of the files would be in the way
  public void requireApartFromCopies(List<RawPath> sources, RawPath target, boolean isExact)
      throws Failure {
    if (outputs.isEmpty()) {
      return;
    }
    FileStatus status = status(target);
    boolean into = !isExact && status != null && status.isDirectory();
    for (RawPath source : sources) {
      requireApart(into ? copyIn(target, source) : target, "is where a copy goes");
    }
  }

  /// Checks a file that the command reads or writes.
  ///
  /// @param path null if there is none; `-` is standard input
  /// @param what it is, as a phrase
  /// @throws Failure USAGE if one of the files is this one, or is in it
  public void requireApart(RawPath path, String what) throws Failure {
    if (path == null || outputs.isEmpty()) {
      return;
    }
    FileStatus status = status(path.isStandardStream() ? STANDARD_INPUT : path);
    if (path.isStandardStream() && (status == null || !status.isRegular())) {
      return;
    }
    for (OutputFile output : outputs) {
      boolean isSame = status == null ? isNamed(output, path) : isSame(output, status);
      if (isSame || status != null && isBelow(output, status)) {
        RawPath shown = output.isStandardOutput() ? path : output.name();
        String where = isSame ? "" : " or is in it";
        throw Failure.of(ExitCode.USAGE, output.by(), shown + " " + what + where)
            .with("write it elsewhere");
      }
    }
  }

  /// What `source` becomes in the directory `target`; the directory itself if the content of the
  /// source goes there, as with `source/.`.
  private static RawPath copyIn(RawPath target, RawPath source) {
    byte[] name = source.lastComponent();
    boolean hasName = name.length > 2 || name.length > 0 && name[0] != '.';
    hasName |= name.length == 2 && name[1] != '.';
    return hasName ? target.resolve(name) : target;
  }

  private static boolean isSame(OutputFile output, FileStatus status) {
    return output.old() != null && output.old().isRegular() && output.old().isSameFile(status);
  }

  /// Whether the file would get the very name of `path`, which nothing has yet, itself or through a
  /// link that leads nowhere yet.
  private static boolean isNamed(OutputFile output, RawPath path) {
    for (RawPath name : output.old() == null ? names(output) : List.<RawPath>of()) {
      if (Arrays.equals(name.lastComponent(), path.lastComponent())
          && isSameDirectory(name.parent(), path.parent())) {
        return true;
      }
    }
    return false;
  }

  /// The name of the file, and if it is a link, those that it leads to, one after the other.
  private static List<RawPath> names(OutputFile output) {
    List<RawPath> names = new ArrayList<>(List.of(output.name()));
    try {
      while (names.size() < LINKS_MAX) {
        Path link = names.getLast().toPath();
        names.add(RawPath.of(link.resolveSibling(Files.readSymbolicLink(link))));
      }
    } catch (IOException e) {
      // It is no link, or none that can be read.
    }
    return names;
  }

  private static boolean isSameDirectory(RawPath one, RawPath other) {
    FileStatus status = status(one);
    FileStatus otherStatus = status(other);
    return status != null && otherStatus != null && status.isSameFile(otherStatus);
  }

  /// Whether the file is in the directory, itself or by a link, or is reached through it: whoever
  /// writes there can put a link in the way.
  private static boolean isBelow(OutputFile output, FileStatus above) {
    if (!above.isDirectory() || output.isStandardOutput()) {
      return false;
    }
    for (RawPath name : names(output)) {
      if (leadsThrough(name, above)) {
        return true;
      }
    }
    return false;
  }

  private static boolean leadsThrough(RawPath name, FileStatus above) {
    RawPath below = name;
    for (RawPath each = name.parent(); !each.equals(below); each = each.parent()) {
      if (!Arrays.equals(below.lastComponent(), PARENT) && isIn(each, above)) {
        return true;
      }
      below = each;
    }
    return false;
  }

  private static boolean isIn(RawPath place, FileStatus above) {
    RawPath directory = place;
    FileStatus status = status(directory);
    for (int levels = 0; status != null && levels < LEVELS_MAX; levels++) {
      if (status.isSameFile(above)) {
        return true;
      }
      directory = directory.resolve(PARENT);
      FileStatus parent = status(directory);
      if (parent != null && parent.isSameFile(status)) {
        return false;
      }
      status = parent;
    }
    return false;
  }

  /// Null if there is nothing, or nothing that can be looked at: whoever opens it will say so.
  private static FileStatus status(RawPath path) {
    try {
      return FileStatus.ofExisting(path);
    } catch (IOException e) {
      return null;
    }
  }
}
