package dev.zcp.walk;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.tree.HardLinks;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.walk.Selection.Links;
import dev.zcp.walk.Walk.WalkErrors;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Counts what a [Walk] will find, by a walk of its own over names and statuses. Not what a list
/// names.
///
/// It decides nothing. If it meets with something that it cannot count, it gives up: the other walk
/// finds out itself what is wrong there.
public final class TreeCounter implements Visitor, WalkErrors {

  /// Files with several names: so much memory and no more.
  private static final int REMEMBERED_MAX = 100_000;

  private static final int OPEN_FOLDERS_MAX = 64;

  private final Selection selection;
  private final boolean keepsLinks;
  private final HardLinks<Boolean, Boolean> links;
  private final OpenFolders folders = new OpenFolders(OPEN_FOLDERS_MAX);
  private final Walk walk;
  private final LongAdder entries = new LongAdder();
  private final LongAdder files = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder dataBytes = new LongAdder();

  private final LongAdder unread = new LongAdder();
  private final FileListener listener;

  /// Nothing more is counted, since nobody wants it or there is no telling.
  private volatile boolean stopped;

  /// Hears of each regular file that is counted, on the threads that count.
  @FunctionalInterface
  public interface FileListener {
    void on(Entry file, FileStatus status);
  }

  /// @param keepsLinks whether a file with several names is one file
  /// @param jobs how many threads count, at least one
  public TreeCounter(Selection selection, boolean keepsLinks, int jobs) {
    this(selection, keepsLinks, jobs, (_, _) -> {});
  }

  public TreeCounter(Selection selection, boolean keepsLinks, int jobs, FileListener listener) {
    this.selection = selection;
    this.listener = listener;
    this.keepsLinks = keepsLinks;
    this.links = new HardLinks<>(selection.links() != Links.KEPT);
    this.walk = new Walk(selection, folders, new WorkerPool(jobs), this, this);
  }

  /// Counts what these sources have. To be called once.
  ///
  /// @return whether the sums are known now
  public boolean count(List<RawPath> sources) {
    OperandRoots roots = new OperandRoots(walk, null);
    for (RawPath source : sources) {
      try {
        add(roots, source);
      } catch (Failure failure) {
        tell(source, failure);
      }
    }
    roots.flush();
    walk.workers().run();
    folders.close();
    return !stopped && !walk.workers().isStopped();
  }

  /// Ends the count, wherever it is. Any thread may call it.
  public void stop() {
    stopped = true;
    walk.workers().stop();
  }

  /// Of every kind, all names; but for the operands that have no name, as `.` has none.
  public long entries() {
    return entries.sum();
  }

  /// Regular files.
  public long files() {
    return files.sum();
  }

  /// The sum of their sizes.
  public long bytes() {
    return bytes.sum();
  }

  /// The same without holes.
  public long dataBytes() {
    return dataBytes.sum();
  }

  /// What was skipped because it is not there any more, may not be read or is a loop.
  public long unread() {
    return unread.sum();
  }

  private void add(OperandRoots roots, RawPath source) throws Failure {
    byte[] name = OperandRoots.name(source);
    boolean follow = selection.links() != Links.KEPT || source.endsInSlash();
    FileStatus status = roots.hold(source, name, follow);
    try {
      if (!status.isDirectory()) {
        roots.add(name, null, status.type());
      } else if (selection.recursive()) {
        walk.push(roots.top(name, name, follow, true));
      }
    } finally {
      roots.release();
    }
  }

  @Override
  public Entered enter(Folder folder, OpenDirectory source) {
    if (!folder.parent().isAnchor() || !OperandRoots.isDots(folder.sourceName())) {
      entries.increment();
    }
    return Entered.NOTHING;
  }

  @Override
  public void entry(Entry entry, int type, FileStatus known) throws Failure {
    if (type == FileType.SOCKET) {
      return;
    }
    if (type != FileType.REGULAR) {
      entries.increment();
      return;
    }
    FileStatus status = known != null ? known : entry.status(entry.follow());
    entries.increment();
    if (isFirst(status)) {
      files.increment();
      bytes.add(status.sizeBytes());
      dataBytes.add(status.dataBytes());
      listener.on(entry, status);
    }
  }

  /// What is not there, may not be read or is a loop will not be walked by the other walk either.
  /// Of anything else there is no telling, and a share of what is not known would be no share.
  @Override
  public void tell(Object label, Failure failure) {
    Throwable cause = failure.getCause();
    boolean isSkipped =
        cause == null
            || cause instanceof AccessDeniedException
            || cause instanceof NoSuchFileException;
    if (isSkipped && failure.exitCode() == ExitCode.SOURCE) {
      unread.increment();
    } else {
      stop();
    }
  }

  @Override
  public boolean isOver() {
    return stopped;
  }

  private boolean isFirst(FileStatus status) {
    if (!keepsLinks || status.links() < 2) {
      return true;
    }
    boolean first = links.claim(status, true) instanceof HardLinks.First;
    if (first) {
      links.published(status, true);
    }
    if (links.size() > REMEMBERED_MAX) {
      stop();
    }
    return first;
  }
}
