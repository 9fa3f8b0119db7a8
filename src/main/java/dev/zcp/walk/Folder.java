package dev.zcp.walk;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.RawPath;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/// A directory under way: one of the source and, if there is one, that of the target that takes its
/// entries.
///
/// It is known by its parent and its names, so that it can be closed and [opened
/// again][OpenFolders] when descriptors are short. At the top of each chain of parents stands an
/// anchor: the directories that hold the operands of the command, which are themselves not taken.
public final class Folder {

  final Folder parent;
  final byte[] sourceName;
  final byte[] targetName;
  final boolean followLink;

  /// What messages show in place of the `sourceName` of an anchor; null of other folders.
  private final byte[] shownSource;

  /// Whether paths in the target are told from here on, see [#pathInTarget].
  final boolean isTargetRoot;

  /// What is not over yet: its listing, batches of its entries, folders in it, names that wait for
  /// their first copy. At zero it is completed.
  final AtomicInteger pending = new AtomicInteger(1);

  /// Both null until it is opened for the first time, and never changed then.
  FileStatus sourceStatus;

  FileStatus targetStatus;

  /// What the visitor has of it. Its `target` is the one that was opened first.
  Visitor.Entered entered = Visitor.Entered.NOTHING;

  /// Where the next part of the listing begins.
  long position;

  // What follows belongs to OpenFolders and is read by those who hold the folder.

  /// Null if it is not open.
  OpenDirectory source;

  /// Null if it is not open, or if there is none.
  OpenDirectory target;

  int holders;
  boolean completed;

  volatile boolean isImplied;

  private Folder(
      Folder parent,
      byte[] sourceName,
      byte[] shownSource,
      byte[] targetName,
      boolean followLink,
      boolean isTargetRoot) {
    this.parent = parent;
    this.sourceName = sourceName;
    this.shownSource = shownSource;
    this.targetName = targetName;
    this.followLink = followLink;
    this.isTargetRoot = isTargetRoot;
  }

  /// The directories that hold an operand and its copy.
  ///
  /// @param target null if there is none
  static Folder anchor(RawPath source, RawPath target) {
    byte[] targetName = target == null ? null : target.bytes();
    return new Folder(null, source.bytes(), source.shown(), targetName, true, true);
  }

  /// A directory named as an operand.
  Folder operand(byte[] name, byte[] newName, boolean followLink, boolean isTargetRoot) {
    return new Folder(this, name, null, newName, followLink, isTargetRoot);
  }

  /// A directory in this one.
  Folder child(byte[] name, boolean followLink) {
    return new Folder(this, name, null, name, followLink, false);
  }

  public boolean isAnchor() {
    return parent == null;
  }

  /// Whether it was opened once: before, it is not known which directories it means.
  boolean isKnown() {
    return sourceStatus != null;
  }

  /// Null for an anchor.
  public Folder parent() {
    return parent;
  }

  /// Its name in the source, one component; of an anchor its path, as the user gave it.
  public byte[] sourceName() {
    return sourceName;
  }

  /// As [#sourceName], in the target; of an anchor null if there is no target.
  public byte[] targetName() {
    return targetName;
  }

  /// Whether the source's name may be that of a link.
  public boolean followLink() {
    return followLink;
  }

  /// The source's directory, for those who hold the folder.
  public OpenDirectory source() {
    return source;
  }

  /// The target's directory, for those who hold the folder; null if there is none.
  public OpenDirectory target() {
    return target;
  }

  /// What the source's directory was when it was opened first.
  public FileStatus sourceStatus() {
    return sourceStatus;
  }

  /// Whether the source's directory is open and has no name any more: it looks empty then. Some
  /// file systems never count the links of a directory.
  public boolean isSourceDeleted() throws IOException {
    return source.now().links() == 0 && sourceStatus.links() > 0;
  }

  /// What the target's directory was when it was opened first; null if there is none.
  public FileStatus targetStatus() {
    return targetStatus;
  }

  /// Whether the target's directory was made for this command.
  public boolean created() {
    return entered.created();
  }

  /// Whether only what a list names in it is taken, and not the directory itself: if it was there,
  /// it stays as it is.
  public boolean isImplied() {
    return isImplied;
  }

  /// One more thing in here is under way, until [Walk#oneIsOver] is told.
  public void oneMore() {
    pending.incrementAndGet();
  }

  /// Its name for messages; an anchor has none.
  public EntryName label() {
    return new EntryName(parent, sourceName);
  }

  /// What is wrong with the source. What its parent had, and is gone, has vanished: getdents(2)
  /// says so of a directory that was removed after it was opened.
  Failure failure(IOException e) {
    return Errno.of(e) == Errno.ENOENT && !parent.isAnchor()
        ? Failure.of(ExitCode.VANISHED, label(), "vanished before it was copied").because(e)
        : Reasons.source(label(), e);
  }

  /// The source's path of `name` in here, as a message shows it.
  public String sourceLabel(byte[] name) {
    Folder anchor = anchor();
    return pathLabel(join(prefix(anchor.shownSource), anchor, true, name));
  }

  /// The source's path of `name` in here. It begins as the user typed its operand.
  public byte[] sourcePath(byte[] name) {
    Folder anchor = anchor();
    return join(prefix(anchor.sourceName), anchor, true, name);
  }

  /// The target's path of `name` in here, as a message shows it.
  public String targetLabel(byte[] name) {
    Folder anchor = anchor();
    return pathLabel(join(prefix(anchor.targetName), anchor, false, name));
  }

  private Folder anchor() {
    Folder anchor = this;
    while (anchor.parent != null) {
      anchor = anchor.parent;
    }
    return anchor;
  }

  /// The path of `name` below the operand that it belongs to, which is what a filter sees.
  public byte[] pathInSource(byte[] name) {
    return join(new byte[0], isAnchor() ? this : top(), true, name);
  }

  /// The operand that it belongs to, if it is no anchor.
  public Folder top() {
    Folder top = this;
    while (!top.parent.isAnchor()) {
      top = top.parent;
    }
    return top;
  }

  /// The path of `name` below the directory that the user named as the target, or that was made
  /// under that name.
  public RawPath pathInTarget(byte[] name) {
    Folder root = this;
    while (!root.isTargetRoot) {
      root = root.parent;
    }
    return RawPath.of(join(new byte[0], root, false, name));
  }

  /// What stands before the first name in a label: nothing for the working directory.
  private static byte[] prefix(byte[] path) {
    if (path.length == 1 && path[0] == '.') {
      return new byte[0];
    }
    if (path[path.length - 1] == '/') {
      return path;
    }
    byte[] prefix = new byte[path.length + 1];
    System.arraycopy(path, 0, prefix, 0, path.length);
    prefix[path.length] = '/';
    return prefix;
  }

  /// `prefix`, the names from below `root` down to this folder, and `name`, with slashes between.
  private byte[] join(byte[] prefix, Folder root, boolean ofSource, byte[] name) {
    int length = prefix.length + name.length;
    for (Folder each = this; each != root; each = each.parent) {
      length += each.name(ofSource).length + 1;
    }
    byte[] path = new byte[length];
    System.arraycopy(prefix, 0, path, 0, prefix.length);
    int at = length - name.length;
    System.arraycopy(name, 0, path, at, name.length);
    for (Folder each = this; each != root; each = each.parent) {
      path[--at] = '/';
      byte[] part = each.name(ofSource);
      at -= part.length;
      System.arraycopy(part, 0, path, at, part.length);
    }
    return path;
  }

  private byte[] name(boolean ofSource) {
    return ofSource ? sourceName : targetName;
  }

  /// `path` as messages show it: printable, without the components `.`, but for the first, since
  /// `./-f` may have been written on purpose. If a user names what is in a directory, as in
  /// `photos/.`, the names below are put together with that dot in them, and nobody writes
  /// `photos/./a.jpg`.
  public static String pathLabel(byte[] path) {
    byte[] kept = new byte[path.length];
    int length = 0;
    for (int at = 0; at < path.length; at++) {
      if (isSlashAndDot(path, at)) {
        at++;
      } else {
        kept[length++] = path[at];
      }
    }
    // `/.` is the root, and has nothing but its slash.
    return length == 0 ? "/" : Printable.of(Arrays.copyOf(kept, length));
  }

  /// Whether `/.` stands at `at`, and a slash or nothing after it.
  private static boolean isSlashAndDot(byte[] path, int at) {
    boolean dot = path[at] == '/' && at + 1 < path.length && path[at + 1] == '.';
    return dot && (at + 2 == path.length || path[at + 2] == '/');
  }

  /// The name of an entry for messages: put together only if one is shown.
  ///
  /// @param name in the source
  public record EntryName(Folder folder, byte[] name) {

    @Override
    public String toString() {
      return folder.sourceLabel(name);
    }
  }

  /// The name of what is in a target, for messages: put together only if one is shown.
  ///
  /// @param name in the target
  public record TargetName(Folder folder, byte[] name) {

    @Override
    public String toString() {
      return folder.targetLabel(name);
    }
  }
}
