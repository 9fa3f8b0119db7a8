package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Insight;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.Libc;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.OwnProcess;
import dev.zcp.tree.Policy.OnChange;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Looks at a source before and after it is read, and sees to it that a mix of two states of it is
/// not taken for one.
///
/// What it goes by is the identity of the file: device, inode, size, and the time that a write
/// changes. A change of ctime alone is one of the name, the links or the mode. A kernel before 6.13
/// counts these in ticks of some milliseconds, so a write within the tick of the first look is not
/// seen there.
final class SourceWatch {

  /// What is said of a source whose change was accepted.
  static final String ACCEPTED = "changed while it was read: the copy mixes old and new content";

  private static final int ATTEMPTS_MAX = 2;

  private final OnChange onChange;
  private final Insight insight;

  SourceWatch(OnChange onChange, Insight insight) {
    this.onChange = onChange;
    this.insight = insight;
  }

  /// Moves the bytes of a source in one state.
  @FunctionalInterface
  interface Move {

    /// @param status what the source is now
    /// @return how many bytes the target has: all that `status` promised, fewer if the source ended
    ///   before, more if it was seen to go on
    long of(FileStatus status) throws Failure;
  }

  /// Whether a file of this size may hold something else, and is to be read to its end: files of
  /// procfs say that they are empty, those of sysfs that they are a page long.
  static boolean saysNothing(long size) {
    return size == 0 || size == OwnProcess.pageBytes();
  }

  /// Moves with `move` until the source was seen not to change meanwhile.
  ///
  /// @param first what the source was when it was opened
  /// @param target null if what was written cannot be taken back, so that there is one attempt
  /// @return what the source was before its first byte; if a change was accepted, with the length
  ///   that the target has
  FileStatus copy(
      NativeFile source,
      FileStatus first,
      NativeFile target,
      Object sourceLabel,
      Object targetLabel,
      Move move)
      throws Failure {
    FileStatus before = first;
    try {
      for (int attempt = target == null ? ATTEMPTS_MAX : 1; ; attempt++) {
        long moved;
        FileStatus after;
        try {
          moved = move.of(before);
          // More was asked for than a small source has, so its end was seen.
          boolean isWhole =
              moved == before.sizeBytes() && moved <= PathChoice.SMALL_BUFFER_BYTES_MAX;
          if (isWhole && source.isUnchangedSince(before)) {
            return before;
          }
          after = source.status();
        } catch (Failure failure) {
          // A mapping of a file that was cut off fails; with the file as it is now it may not.
          before = changed(failure, before, attempt, source);
          empty(target, targetLabel);
          continue;
        }
        String change = change(before, after, moved, source);
        if (change == null) {
          return before;
        }
        if (onChange == OnChange.ACCEPT) {
          insight.note(sourceLabel + ": " + ACCEPTED);
          return before.withSize(moved);
        }
        if (onChange == OnChange.FAIL || attempt == ATTEMPTS_MAX) {
          throw Failure.of(ExitCode.SOURCE, sourceLabel, change)
              .with(
                  target == null
                      ? "the target has other content than the file"
                      : "nothing was published, run the same command again");
        }
        empty(target, targetLabel);
        before = after;
      }
    } catch (IOException e) {
      throw Reasons.source(sourceLabel, e);
    }
  }

  /// The status of a source that could not be read because it changed, if it is to be read once
  /// more.
  ///
  /// @throws Failure this `failure`, if that is not so
  private FileStatus changed(Failure failure, FileStatus before, int attempt, NativeFile source)
      throws IOException, Failure {
    if (onChange != OnChange.RETRY
        || attempt == ATTEMPTS_MAX
        || failure.exitCode() != ExitCode.SOURCE) {
      throw failure;
    }
    FileStatus now = source.status();
    if (now.hasContentOf(before)) {
      throw failure;
    }
    return now;
  }

  /// What happened to the source, as a phrase; null if nothing did.
  private static String change(FileStatus before, FileStatus after, long moved, NativeFile source)
      throws IOException {
    long size = before.sizeBytes();
    if (size == 0 && after.sizeBytes() == 0) {
      return null;
    }
    if (!after.hasContentOf(before)) {
      return "changed while it was read";
    }
    if (moved < size) {
      if (saysNothing(size) && Libc.saysOnePage(source.descriptor())) {
        return null;
      }
      return "ended after " + moved + " of " + size + " bytes";
    }
    // A smaller file was asked for more bytes than its size, so its end has been seen.
    boolean more =
        moved > size
            || size > PathChoice.SMALL_BUFFER_BYTES_MAX
                && source.read(ByteBuffer.allocate(1), size) > 0;
    return more ? "holds more than the " + size + " bytes that it says" : null;
  }

  private static void empty(NativeFile target, Object label) throws Failure {
    try {
      target.resize(0);
    } catch (IOException e) {
      throw Reasons.destination(label, e);
    }
  }
}
