package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/// Where a manifest may be: not in what is copied and not in the copy, which the next copy or
/// comparison would find there, and above all not in place of a file that is either.
final class ManifestPlace {

  private final RawPath manifest;
  private final Path directory;

  /// What has the manifest's name now, or null.
  private final FileStatus old;

  private ManifestPlace(RawPath manifest, Path directory, FileStatus old) {
    this.manifest = manifest;
    this.directory = directory;
    this.old = old;
  }

  /// Refuses a manifest that has no place where it is to be. Changes nothing.
  ///
  /// @throws Failure USAGE where it would be in the way, DESTINATION where its directory cannot be
  ///   looked at
  static void require(CopyRequest request) throws Failure {
    RawPath manifest = request.assurance().manifest();
    if (manifest == null || manifest.isStandardStream()) {
      return;
    }
    try {
      // Of a directory the name is all that counts, and not where a link of that name leads.
      Path directory = manifest.toPath().toAbsolutePath().getParent().toRealPath();
      FileStatus old = FileStatus.ofExisting(manifest);
      if (old != null && !old.isRegular()) {
        throw Failure.of(ExitCode.DESTINATION, manifest.toString(), "is no regular file");
      }
      new ManifestPlace(manifest, directory, old).requireOutside(request);
    } catch (IOException e) {
      throw Reasons.destination(manifest, e);
    }
  }

  private void requireOutside(CopyRequest request) throws IOException, Failure {
    RawPath target = request.target();
    if (target.isStandardStream()) {
      return;
    }
    FileStatus status = FileStatus.ofExisting(target);
    boolean into =
        request.placement() != Placement.EXACTLY && status != null && status.isDirectory();
    for (RawPath source : request.sources()) {
      if (source.isStandardStream()) {
        continue;
      }
      requireNot(source, "is what is copied");
      requireNot(into ? copyIn(target, source) : target, "is where a copy goes");
    }
  }

  /// What `source` becomes in the directory `target`; the directory itself where its content goes
  /// there, as with `source/.`.
  private static RawPath copyIn(RawPath target, RawPath source) {
    byte[] name = source.lastComponent();
    boolean hasName = name.length > 2 || name.length > 0 && name[0] != '.';
    hasName |= name.length == 2 && name[1] != '.';
    return hasName ? target.resolve(name) : target;
  }

  private void requireNot(RawPath path, String what) throws IOException, Failure {
    FileStatus status = FileStatus.ofExisting(path);
    boolean same = status == null ? isNamed(path) : old != null && old.isSameFile(status);
    boolean inside = status != null && status.isDirectory() && isBelow(status);
    if (same || inside) {
      String where = inside ? " or is in it" : "";
      throw Failure.of(ExitCode.USAGE, manifest.toString(), "the manifest " + what + where)
          .with("put it elsewhere");
    }
  }

  /// Whether the manifest would have the very name of `path`, which nothing has yet.
  private boolean isNamed(RawPath path) throws IOException {
    FileStatus parent = FileStatus.ofExisting(path.parent());
    return parent != null
        && parent.isSameFile(FileStatus.of(directory))
        && Arrays.equals(path.lastComponent(), manifest.lastComponent());
  }

  private boolean isBelow(FileStatus above) throws IOException {
    for (Path each = directory; each != null; each = each.getParent()) {
      if (FileStatus.of(each).isSameFile(above)) {
        return true;
      }
    }
    return false;
  }
}
