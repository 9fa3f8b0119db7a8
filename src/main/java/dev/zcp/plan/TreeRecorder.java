package dev.zcp.plan;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.tree.HardLinks;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.OpenFolders;
import dev.zcp.walk.OperandRoots;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;
import dev.zcp.walk.Visitor;
import dev.zcp.walk.Walk;
import dev.zcp.walk.Walk.WalkErrors;
import dev.zcp.walk.WorkerPool;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Walks the source of a plan once, and writes what it finds into two files: an item for each thing
/// that a shard copies, and the names of all directories. So memory does not grow with the tree,
/// but for 4 bytes for each file with several names.
///
/// An item is the size (8 bytes), the number of its group (4 bytes) and the name, ended by a NUL
/// byte. A group has the names of one file; group 0 is none. Items of one directory stand together.
/// A directory is an item only if it is empty.
final class TreeRecorder implements Visitor, WalkErrors, Closeable {

  private static final int JOBS_MAX = 8;
  private static final int OPEN_FOLDERS_MAX = 64;
  private static final int BUFFER_BYTES = 1 << 16;

  /// Those of an item before its name.
  private static final int NUMBER_BYTES = Long.BYTES + Integer.BYTES;

  /// What is remembered of a directory before it is written.
  private static final int FOLDER_BYTES_MAX = 16 << 10;

  private final Walk walk;
  private final OpenFolders folders = new OpenFolders(OPEN_FOLDERS_MAX);
  private final HardLinks<Integer, Boolean> links = new HardLinks<>(false);
  private final Map<Folder, FolderItems> items = new ConcurrentHashMap<>();

  // What follows is guarded by this.
  private final OutputStream itemFile;
  private final OutputStream directoryFile;
  private int[] namesOfGroup = new int[16];
  private int groups;
  private long entries;
  private long bytes;

  /// What is wrong with the tree, or null. The first counts.
  private volatile Failure failure;

  TreeRecorder(Path itemFile, Path directoryFile, boolean oneFileSystem) throws IOException {
    Selection selection = new Selection(true, true, Links.KEPT, oneFileSystem, Filter.NONE, null);
    int jobs = Math.min(Runtime.getRuntime().availableProcessors(), JOBS_MAX);
    this.itemFile = new BufferedOutputStream(Files.newOutputStream(itemFile), BUFFER_BYTES);
    this.directoryFile =
        new BufferedOutputStream(Files.newOutputStream(directoryFile), BUFFER_BYTES);
    this.walk = new Walk(selection, folders, new WorkerPool(jobs), this, this);
  }

  /// The items of a directory that are not written yet.
  private static final class FolderItems extends ByteArrayOutputStream {

    synchronized byte[] add(long size, int group, byte[] name) {
      writeBytes(ByteBuffer.allocate(NUMBER_BYTES).putLong(size).putInt(group).array());
      writeBytes(name);
      write(0);
      return size() < FOLDER_BYTES_MAX ? null : take();
    }

    synchronized byte[] take() {
      byte[] taken = toByteArray();
      reset();
      return taken;
    }
  }

  /// @throws Failure if not all of the tree could be looked at
  void record(RawPath source) throws Failure, IOException {
    OperandRoots roots = new OperandRoots(walk, null);
    byte[] name = OperandRoots.name(source);
    FileStatus status = roots.hold(source, name, true);
    try {
      if (!status.isDirectory()) {
        throw Failure.of(ExitCode.SOURCE, source, "not a directory").with("a plan is for a tree");
      }
      walk.push(roots.top(name, name, true, true));
    } finally {
      roots.release();
      roots.flush();
    }
    try {
      walk.workers().run();
    } finally {
      folders.close();
    }
    if (failure != null) {
      throw failure;
    }
    // As the lists of shards, it ends with an empty name.
    directoryFile.write(0);
    itemFile.flush();
    directoryFile.flush();
  }

  long entries() {
    return entries;
  }

  long bytes() {
    return bytes;
  }

  /// How many names each group has.
  int[] groups() {
    return Arrays.copyOf(namesOfGroup, groups + 1);
  }

  @Override
  public Entered enter(Folder folder, OpenDirectory source) throws Failure {
    if (!folder.parent().isAnchor()) {
      byte[] path = folder.parent().pathInSource(folder.sourceName());
      write(directoryFile, Arrays.copyOf(path, path.length + 1));
    }
    return Entered.NOTHING;
  }

  @Override
  public void entry(Entry entry, int type, FileStatus known) throws Failure {
    if (type == FileType.SOCKET) {
      return;
    }
    try {
      FileStatus status = known != null ? known : entry.folder().source().statusOf(entry.name());
      if (status != null) {
        add(entry.folder(), entry.name(), status);
      }
    } catch (IOException e) {
      throw Reasons.source(entry.label(), e);
    }
  }

  private void add(Folder folder, byte[] name, FileStatus status) throws Failure {
    long size = status.isRegular() ? status.sizeBytes() : 0;
    int group = 0;
    synchronized (this) {
      int before = groups;
      if (status.links() > 1) {
        group = groupOf(status);
        namesOfGroup[group]++;
      }
      entries++;
      if (group == 0 || group > before) {
        // The sizes of a few sparse files may be more than a long holds.
        bytes = bytes + size < 0 ? Long.MAX_VALUE : bytes + size;
      }
    }
    add(folder, folder.pathInSource(name), size, group);
  }

  private int groupOf(FileStatus status) {
    if (links.claim(status, true) instanceof HardLinks.At<Integer>(Integer group)) {
      return group;
    }
    groups++;
    if (groups == namesOfGroup.length) {
      namesOfGroup = Arrays.copyOf(namesOfGroup, 2 * groups);
    }
    links.published(status, groups);
    return groups;
  }

  private void add(Folder folder, byte[] path, long size, int group) throws Failure {
    byte[] full = items.computeIfAbsent(folder, _ -> new FolderItems()).add(size, group, path);
    if (full != null) {
      write(itemFile, full);
    }
  }

  private synchronized void write(OutputStream out, byte[] text) throws Failure {
    try {
      out.write(text);
    } catch (IOException e) {
      throw Reasons.destination("the plan", e);
    }
  }

  @Override
  public void leave(Folder folder) throws Failure {
    FolderItems mine = items.remove(folder);
    Folder parent = folder.parent();
    if (mine != null) {
      write(itemFile, mine.take());
    } else if (!parent.isAnchor()) {
      synchronized (this) {
        entries++;
      }
      add(parent, parent.pathInSource(folder.sourceName()), 0, 0);
    }
    if (!parent.isAnchor()) {
      // It is not empty.
      items.computeIfAbsent(parent, _ -> new FolderItems());
    }
  }

  /// What was deleted since its directory was listed is no part of the tree.
  @Override
  public synchronized void tell(Object label, Failure cause) {
    if (failure == null && !(cause.getCause() instanceof NoSuchFileException)) {
      failure = cause.with("nothing was planned");
      walk.workers().stop();
    }
  }

  @Override
  public boolean isOver() {
    return failure != null;
  }

  @Override
  public void close() throws IOException {
    try (itemFile;
        directoryFile) {
      // Both are closed, whatever happens to the first.
    }
  }
}
