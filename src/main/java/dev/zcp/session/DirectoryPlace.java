package dev.zcp.session;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.FileLog;
import dev.zcp.io.FileStatus;
import dev.zcp.io.HeldDirectory;
import dev.zcp.tree.Staging;
import dev.zcp.wire.Meta;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// The receiver's directory: files go in under their bare names.
///
/// @param discard whether they are thrown away where they would get them
record DirectoryPlace(HeldDirectory directory, Staging staging, Existing existing, boolean discard)
    implements LandingPlace {

  /// Asking for the free space costs a look at the mount table, which small files are not worth.
  private static final long SPACE_CHECK_BYTES_MIN = 1 << 20;

  @Override
  public Landing prepare(Meta meta, BlockDigest digest, FileLog log) throws Failure {
    try {
      if (!discard) {
        requireName(meta);
      }
      requireSpace(meta);
      return new FileLanding(directory, staging, meta, existing, discard, digest, log);
    } catch (IOException e) {
      throw Reasons.destination(meta.name(), e);
    }
  }

  private void requireName(Meta meta) throws IOException, Failure {
    Path target = directory.entry(meta.name());
    if (existing != Existing.REPLACE && FileStatus.exists(target)) {
      throw FileLanding.taken(meta);
    }
    // A link is replaced, wherever it leads: nothing a peer names is looked for beyond it.
    if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
      throw Failure.of(ExitCode.EXISTS, meta.name().toString(), "is a directory there");
    }
  }

  private void requireSpace(Meta meta) throws IOException, Failure {
    if (!meta.hasSize() || meta.size() < SPACE_CHECK_BYTES_MIN) {
      return;
    }
    long usable = directory.usableBytes();
    if (usable < meta.size()) {
      throw Failure.of(ExitCode.DESTINATION, meta.name().toString(), "no space left")
          .with(new ByteSize(meta.size()) + " needed, " + new ByteSize(usable) + " free");
    }
  }
}
