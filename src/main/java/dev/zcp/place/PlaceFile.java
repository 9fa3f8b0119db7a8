package dev.zcp.place;

import dev.zcp.core.Failure;
import dev.zcp.core.PerThread;
import dev.zcp.core.Quietly;
import dev.zcp.insight.FileSteps;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.tree.AttributeSource;
import dev.zcp.tree.FileAge;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;

/// Places one file after the other, in steps: what has its name is looked at; a file with a hidden
/// name is made beside it; it gets its bytes, then all that it is to have besides; and then it gets
/// its name. Any thread may call it, each for its own [FileTask].
///
/// The steps are the same for every file. A plain one, in a directory that this run has made, goes
/// through each of them by the shortest way.
public final class PlaceFile {

  /// Up to this size a file may go through one buffer.
  public static final int SMALL_BYTES_MAX = 128 << 10;

  /// One page more than a small file has, so that the read that takes its last byte finds its end,
  /// too.
  private static final int BUFFER_BYTES = SMALL_BYTES_MAX + 4096;

  private final Conflict conflict;
  private final Partials partials;
  private final Metadata metadata;
  private final Durability.PublicationQueue queue;
  private final PerThread<ByteBuffer> buffers =
      new PerThread<>(() -> ByteBuffer.allocateDirect(BUFFER_BYTES));

  public PlaceFile(
      Conflict conflict, Partials partials, Metadata metadata, Durability.PublicationQueue queue) {
    this.conflict = conflict;
    this.partials = partials;
    this.metadata = metadata;
    this.queue = queue;
  }

  Partials partials() {
    return partials;
  }

  /// Memory of the calling thread with room for a small file and a page more.
  public ByteBuffer buffer() {
    return buffers.get().clear();
  }

  /// Makes the file under a hidden name.
  public void create(FileTask task) throws IOException {
    int mode =
        task.isInNew()
            ? metadata.creationModeInNew(task.status(), task.directory())
            : creationMode(task);
    if (task.directory().status().isAppendOnly()) {
      createInView(task, mode);
    } else {
      begin(task, task.reusable());
      task.partial.begin(task.directory());
      task.file = task.partial.createFile(mode);
    }
    task.madeMode = mode;
    task.stamp(FileSteps.CREATED);
  }

  /// Makes a file that takes long, under a hidden name by which the next copy to its place finds it
  /// again if this one is interrupted; or opens what is there of it. Of that any byte may be wrong,
  /// or of another source. If there can be no such name, as when another process is at it, it is a
  /// file as [#create] makes it.
  public void createLasting(FileTask task) throws IOException {
    byte[] hidden = HiddenName.lasting(task.name());
    NativeFile file = task.directory().status().isAppendOnly() ? null : openLasting(task, hidden);
    if (file == null) {
      create(task);
    } else {
      take(task, partials.goOnWith(task.directory(), hidden), file);
      task.isFoundAgain = true;
    }
  }

  /// @return null if it is not this process's alone
  private NativeFile openLasting(FileTask task, byte[] hidden) throws IOException {
    NativeFile file = PrivateFile.open(task.directory(), hidden, creationMode(task));
    boolean isOwn = false;
    try {
      isOwn = file != null && file.tryLock() && PrivateFile.isNamed(task.directory(), hidden, file);
    } catch (IOException e) {
      PrivateFile.removeIfEmpty(task.directory(), hidden, file);
    } finally {
      if (!isOwn) {
        Quietly.close(file);
      }
    }
    return isOwn ? file : null;
  }

  /// The mode to make the file with: see [Metadata#creationMode].
  public int creationMode(FileTask task) {
    FileStatus replaced = task.replaced();
    boolean isNew = replaced == null || !replaced.isRegular() || conflict.takesNames();
    return metadata.creationMode(task.status(), task.directory(), isNew);
  }

  /// Takes a file that was made elsewhere, or is gone on with, with the task's [#creationMode].
  public void take(FileTask task, Partials.Partial partial, NativeFile file) {
    begin(task, partial);
    task.file = file;
    task.stamp(FileSteps.CREATED);
  }

  /// Nothing in a directory that only takes new entries can be renamed or removed: chattr(1).
  private void createInView(FileTask task, int mode) throws IOException {
    begin(task, null);
    if (task.replaced() != null) {
      throw new FileSystemException(
          task.toString(), null, "cannot be replaced, since its directory only takes new entries");
    }
    task.isMadeInView = true;
    task.file = task.directory().create(task.name(), mode);
    conflict.note(
        task + ": is made under its own name, since nothing can be renamed in its directory");
  }

  private static void begin(FileTask task, Partials.Partial partial) {
    task.partial = partial;
    task.file = null;
    task.madeMode = Metadata.AS_IT_IS;
    task.isFoundAgain = false;
    task.isOverwritten = false;
    task.isMadeInView = false;
  }

  /// Opens the file that has the name, to write into it. It keeps its owner and mode, as with
  /// cp(1).
  ///
  /// @param keepsData whether its bytes stay, and it only gets attributes
  public void openInPlace(FileTask task, boolean keepsData) throws IOException {
    begin(task, null);
    task.file = task.openReplaced();
    if (!keepsData) {
      task.isOverwritten = true;
      task.file.resize(0);
    }
    task.stamp(FileSteps.CREATED);
  }

  /// Writes what remains of `bytes` from the beginning of the file on.
  public void write(FileTask task, ByteBuffer bytes) throws IOException {
    task.file.writeAll(bytes, 0);
    task.stamp(FileSteps.WRITTEN);
  }

  /// Gives the file all that it is to have besides its bytes. From then on nobody can go on with
  /// it: it may be somebody else's.
  ///
  /// @param source the file, or what was told of it
  /// @param status what the source was when its first byte was read
  public void complete(FileTask task, AttributeSource source, FileStatus status)
      throws IOException {
    if (task.isFoundAgain) {
      task.partial.hide();
      task.isFoundAgain = false;
    }
    metadata.file(
        source,
        status,
        task.directory(),
        task.file,
        task.madeMode,
        task.replaced() == null ? null : conflict.predecessor(task),
        task.sourceLabel());
    task.stamp(FileSteps.COMPLETED);
  }

  /// Gives the file its name, now or when it has been forced with others.
  public void publish(FileTask task) {
    queue.accept(task);
  }

  /// Closes the file and gives it its name: see [Durability.Publication#reveal].
  void reveal(FileTask task) throws IOException, Failure {
    if (conflict.remembers(task)) {
      conflict.remember(task, task.file.status());
    }
    try {
      task.file.close();
    } catch (IOException e) {
      // Some file systems say only here what they could not write.
      task.notWritten();
      throw e;
    }
    if (task.partial != null) {
      try {
        if (task.replaced() == null) {
          revealNew(task);
        } else {
          conflict.reveal(task, task.partial::reveal);
        }
      } catch (IOException e) {
        throw notReplaced(task, e);
      }
    }
    task.stamp(FileSteps.PUBLISHED);
  }

  /// Nearly always nothing has the name.
  private void revealNew(FileTask task) throws IOException, Failure {
    try {
      task.partial.reveal(task.name(), false);
    } catch (FileAlreadyExistsException e) {
      if (!keepsEqual(task)) {
        conflict.reveal(task, task.partial::reveal);
      }
    }
  }

  /// Whoever has taken the name meanwhile may have made the same file.
  private boolean keepsEqual(FileTask task) throws IOException, Failure {
    FileStatus there = task.directory().statusOf(task.name());
    return there != null
        && FileAge.isSame(there, task.status())
        && task.isEqual(there, task.partial.name())
        && conflict.keepSame(task, there);
  }

  /// Some files can be written and not replaced: mounted ones, and those in a directory that may
  /// not be changed.
  public Failure notReplaced(FileTask task, IOException e) {
    Failure failure = Reasons.destination(task.label(), e);
    boolean mayBeWritten =
        switch (Errno.of(e)) {
          case Errno.EBUSY, Errno.EACCES, Errno.EPERM -> true;
          default -> false;
        };
    boolean isReplacing = task.replaced() != null && task.replaced().isRegular();
    return mayBeWritten && isReplacing && conflict.mayWriteInPlace()
        ? failure.with("'zcp copy --inplace' writes into the file that is there")
        : failure;
  }

  /// Closes the file and removes it, if it has not got its name.
  void drop(FileTask task) {
    if (task.partial != null) {
      task.partial.discard();
    }
    Quietly.close(task.file);
  }
}
