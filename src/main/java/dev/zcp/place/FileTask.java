package dev.zcp.place;

import dev.zcp.core.Failure;
import dev.zcp.insight.FileSteps;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Partials.Partial;
import java.io.IOException;

/// A file on its way to its name. A worker has one and uses it for file after file; a file that
/// waits to be forced has one of its own. It belongs to one thread at a time.
///
/// [PlaceFile] takes the steps. Whoever brings the bytes extends this by what it knows of the
/// source, and hears how it ended: by exactly one of [#placed], [#kept] and [#notPlaced].
public abstract class FileTask extends Conflict.Claim implements Durability.Publication {

  private final long[] timesNs = new long[FileSteps.COUNT];
  private final PlaceFile place;

  /// Null until a file is made here.
  private Partial reusable;

  /// Null if the file is written in place, or under its name.
  Partial partial;

  /// Null until it is opened.
  NativeFile file;

  /// The mode that the file was made with here, or [Metadata#AS_IT_IS] if it was made elsewhere.
  int madeMode;

  /// Whether other processes find it by its hidden name. Then it is locked.
  boolean isFoundAgain;

  /// Whether bytes that were there are gone already.
  boolean isOverwritten;

  /// Whether it is made under its own name, since nothing can be renamed there.
  boolean isMadeInView;

  protected FileTask(PlaceFile place) {
    this.place = place;
  }

  Partial reusable() {
    if (reusable == null) {
      reusable = place.partials().reusable();
    }
    return reusable;
  }

  /// When each of the [steps][FileSteps] ended, by [System#nanoTime].
  public final long[] timesNs() {
    return timesNs;
  }

  /// The step is over now.
  public final void stamp(int step) {
    timesNs[step] = System.nanoTime();
  }

  /// Whether something may be there of it that was not written by this process.
  public final boolean isLasting() {
    return partial != null && partial.isLasting();
  }

  /// Whether it is a new file, and not what was there and is written into.
  public final boolean isNew() {
    return partial != null || isMadeInView;
  }

  @Override
  public final NativeFile file() {
    return file;
  }

  /// Whether what has taken the name meanwhile, of the same size and time, has the bytes of this
  /// file, too, and may stay in its place.
  ///
  /// @param hidden the name that this file has, in the same directory
  protected boolean isEqual(FileStatus there, byte[] hidden) throws IOException {
    return false;
  }

  /// It has its name.
  protected abstract void placed();

  /// What has the name stays.
  protected abstract void kept();

  /// It has not got its name, and nothing is left of it. Or it has, and the name could not be
  /// forced.
  protected abstract void notPlaced(Failure failure);

  /// What was written to it may be lost, whatever was said before.
  protected void notWritten() {
    // What is new here is dropped.
  }

  /// Closes the file and removes it, if it has not got its name.
  protected void dropFile() {
    place.drop(this);
  }

  @Override
  public void reveal() throws IOException, Failure {
    place.reveal(this);
  }

  @Override
  public final void done() {
    if (isOver()) {
      dropFile();
      kept();
    } else {
      placed();
    }
  }

  @Override
  public final void failed(Failure failure) {
    boolean isIncomplete = isOverwritten || isMadeInView && file != null;
    dropFile();
    notPlaced(
        isIncomplete
            ? failure.with("it was written in place and is incomplete")
            : withRoom(failure));
  }

  /// The failure of a file of which nothing is left, with what it lacked.
  protected Failure withRoom(Failure failure) {
    // What a sender offers has no blocks.
    long bytes = status().blocks() > 0 ? status().dataBytes() : status().sizeBytes();
    String missing = RoomCheck.missing(failure, directory(), bytes, 0);
    return missing.isEmpty() ? failure : failure.with(missing);
  }
}
