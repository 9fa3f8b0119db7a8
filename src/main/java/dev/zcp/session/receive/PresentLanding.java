package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Level;
import dev.zcp.wire.Offered;
import java.io.IOException;

/// A file that was there, complete, and has the source's bytes. Nothing comes down; it stays as it
/// is.
final class PresentLanding implements Landing {

  private final Terms terms;
  private final Offered entry;
  private final Folders folders;
  private final FileStatus status;
  private final WhenOver whenOver;
  private boolean over;

  /// @param status what it was when its bytes were read for the answer
  /// @param whenOver told when it is over
  PresentLanding(
      Terms terms, Offered entry, Folders folders, FileStatus status, WhenOver whenOver) {
    this.terms = terms;
    this.entry = entry;
    this.folders = folders;
    this.status = status;
    this.whenOver = whenOver;
  }

  /// Its bytes were read once for the answer, so any level up to READBACK is reached.
  @Override
  public Level publish(Ending ending, Level level) throws Failure {
    boolean proved = false;
    try {
      Level reached = prove(ending, level);
      proved = true;
      return reached;
    } catch (IOException e) {
      throw Reasons.destination(entry.path(), e);
    } finally {
      end(proved);
    }
  }

  private Level prove(Ending ending, Level level) throws IOException, Failure {
    Folders.Folder folder = folders.hold(entry.path().parent(), false);
    try {
      OpenDirectory directory = folder.directory();
      byte[] name = entry.path().name().bytes();
      FileStatus now = directory.statusOf(name);
      if (now == null || !now.isUnchangedSince(status)) {
        throw Failure.of(
                ExitCode.DESTINATION, entry.path().toString(), "was changed while it was compared")
            .with("run the same command again");
      }
      if (level != Level.MEDIA) {
        return level;
      }
      try (NativeFile file = directory.file(name, false)) {
        return ReadBack.prove(
            file, now.sizeBytes(), ending.crc32c(), level, terms.work(), entry.path());
      }
    } finally {
      folders.release(folder);
    }
  }

  @Override
  public Sink sink() {
    throw nothingComes();
  }

  @Override
  public Source written() {
    throw nothingComes();
  }

  @Override
  public void begin(Span span) {
    throw nothingComes();
  }

  @Override
  public void hole(Span span) {
    throw nothingComes();
  }

  @Override
  public void verified(Span span, int crc32c) {
    throw nothingComes();
  }

  @Override
  public long keep() {
    drop();
    return 0;
  }

  @Override
  public void drop() {
    end(false);
  }

  @Override
  public void close() {
    drop();
  }

  private void end(boolean arrived) {
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
    }
    whenOver.over(arrived);
  }

  private IllegalStateException nothingComes() {
    return new IllegalStateException(entry.path() + " is there, and no bytes of it come");
  }
}
