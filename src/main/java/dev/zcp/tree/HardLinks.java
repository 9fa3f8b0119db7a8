package dev.zcp.tree;

import dev.zcp.linux.FileStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/// Which names of sources are names of one file, so that it is copied once and the other names are
/// linked to the copy. A table and nothing more: it does no input or output, and no thread waits in
/// it. Any thread may call it.
///
/// A file is known by its device, its inode number and its type. What it remembers of a file is
/// dropped once as many names came as `st_nlink` counts, so its memory grows only with the files
/// that are under way or have names elsewhere. Three limits follow, none of which makes a copy's
/// bytes wrong:
///
/// - A name that was made, or renamed to where it is met again, while the tree is copied may come
///   when its file is forgotten. It becomes a file of its own.
/// - A file that is deleted and whose inode number another file with several names gets, of the
///   same type and while the tree is copied, is taken for that other one, as by cp(1).
/// - If links are followed, more names come than `st_nlink` counts: nothing may be dropped then.
///
/// @param <P> where a copy is to be found
/// @param <W> a name that waits for the copy
public final class HardLinks<P, W> {

  private final Map<FileKey, LinkedFile<P, W>> entries = new HashMap<>();
  private final boolean keepsAll;

  /// @param keepsAll whether nothing is dropped, since more names may come than `st_nlink` counts
  public HardLinks(boolean keepsAll) {
    this.keepsAll = keepsAll;
  }

  /// What is to be done with a name.
  public sealed interface NameClaim<P> {}

  /// It is the first: copy the file, then call [#published] or [#failed], one of them, once.
  public record First<P>() implements NameClaim<P> {}

  /// The file is copied: link to it.
  public record At<P>(P place) implements NameClaim<P> {}

  /// The file is being copied, and the name is remembered: [#published] or [#failed] will give it
  /// to whoever copies the file.
  public record Waits<P>() implements NameClaim<P> {}

  /// Takes notice of another name of a file.
  ///
  /// @param status what the name leads to, no directory
  /// @param waiter what is remembered if the name must wait
  public synchronized NameClaim<P> claim(FileStatus status, W waiter) {
    FileKey key = FileKey.of(status);
    LinkedFile<P, W> entry = entries.get(key);
    if (entry == null) {
      entry = new LinkedFile<>();
      entries.put(key, entry);
    }
    entry.claimed++;
    entry.names = status.links();
    if (entry.place != null) {
      P place = entry.place;
      dropIfDone(key, entry);
      return new At<>(place);
    }
    if (entry.underWay) {
      entry.waiters.add(waiter);
      return new Waits<>();
    }
    entry.underWay = true;
    return new First<>();
  }

  /// The file was copied, and the copy has its name. Called again for a file, it names another copy
  /// to link to from now on, for example if the one before has all the names that it can have.
  ///
  /// @return the names that waited, to be linked to `place` by the caller
  public synchronized List<W> published(FileStatus status, P place) {
    FileKey key = FileKey.of(status);
    LinkedFile<P, W> entry = entries.get(key);
    if (entry == null) {
      return List.of();
    }
    List<W> waiters = new ArrayList<>(entry.waiters);
    entry.waiters.clear();
    entry.underWay = false;
    entry.place = place;
    dropIfDone(key, entry);
    return waiters;
  }

  /// The file could not be copied under its first name.
  ///
  /// @return the name that is the first now, for the caller to copy, or null if none waited: then
  ///   the next name that comes is the first then
  public synchronized W failed(FileStatus status) {
    FileKey key = FileKey.of(status);
    LinkedFile<P, W> entry = entries.get(key);
    if (entry == null) {
      return null;
    }
    W next = entry.waiters.poll();
    if (next == null) {
      entry.underWay = false;
      dropIfDone(key, entry);
    }
    return next;
  }

  /// How many files it remembers.
  public synchronized int size() {
    return entries.size();
  }

  private void dropIfDone(FileKey key, LinkedFile<P, W> entry) {
    if (!keepsAll && entry.claimed >= entry.names) {
      entries.remove(key);
    }
  }

  private static final class LinkedFile<P, W> {

    private final Queue<W> waiters = new ArrayDeque<>();

    /// How many names came.
    private int claimed;

    /// `st_nlink`, as the latest name saw it.
    private int names;

    /// Whether somebody copies it.
    private boolean underWay;

    /// Null until it is copied.
    private P place;
  }
}
