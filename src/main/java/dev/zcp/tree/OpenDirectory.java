package dev.zcp.tree;

import dev.zcp.core.Printable;
import dev.zcp.core.Quietly;
import dev.zcp.core.RawPath;
import dev.zcp.linux.Attributes;
import dev.zcp.linux.Entries;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.Libc;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.PageCache;
import dev.zcp.spi.Route;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A directory held by its descriptor. Names in it mean the same to the end, whatever becomes of
/// the path that led there, no path is too long, and the kernel walks none.
///
/// Names are bytes: one component without a slash, as a directory held it. What fails is thrown as
/// the JDK's file API throws it, with the name for its file. Any thread may use it until one closes
/// it.
public final class OpenDirectory implements Closeable {

  private static final byte[] SELF = {'.'};
  private static final byte[] ABOVE = {'.', '.'};
  private static final int CLOSED = -1;

  /// Whoever renames all the time could keep the kernel from telling where a path leads.
  private static final int BELOW_TRIES = 100;

  /// The owner's rights to write and to search.
  private static final int OWNER_MAKES = 0300;

  private static final int OWNER_HAS_ALL = 0700;

  private final FileStatus status;
  private final boolean isListable;
  private final Route.Traits traits;
  private int descriptor;

  /// Null until the first file was made here.
  private volatile NewFileDefaults newFileDefaults;

  /// Whether what is made here gets an access control list; null until somebody needed to know.
  private volatile Boolean givesLists;

  private OpenDirectory(int descriptor, FileStatus status, boolean isListable) {
    this.descriptor = descriptor;
    this.status = status;
    this.isListable = isListable;
    this.traits = NativeFile.traits(status.device());
  }

  /// The directory that `path` leads to, links followed. If this user may not list it, it serves to
  /// reach what is in it, and can be neither listed nor forced.
  public static OpenDirectory open(RawPath path) throws IOException {
    return openToUse(Entries.AT_FDCWD, path.bytes(), 0);
  }

  /// The directory `name` in this one, no link, as [#open] opens one.
  public OpenDirectory directoryToUse(byte[] name) throws IOException {
    return openToUse(descriptor, name, Entries.O_NOFOLLOW);
  }

  private static OpenDirectory openToUse(int parent, byte[] name, int flags) throws IOException {
    try {
      return open(parent, name, flags);
    } catch (AccessDeniedException e) {
      // Whoever may not list a directory may still use names in it.
      return open(parent, name, flags | Entries.O_PATH);
    }
  }

  /// The directory `name` in this one.
  ///
  /// @param followLink whether a link of that name is followed; else it is no directory
  public OpenDirectory directory(byte[] name, boolean followLink) throws IOException {
    return open(descriptor, name, followLink ? 0 : Entries.O_NOFOLLOW);
  }

  /// Opens a directory below this one to look things up in, name by name: a link is none.
  ///
  /// @param path names with one `/` between them; of no bytes for this one, once more
  public OpenDirectory directoryBelow(byte[] path) throws IOException {
    OpenDirectory at = null;
    for (int from = 0; from <= path.length; ) {
      int to = from;
      while (to < path.length && path[to] != '/') {
        to++;
      }
      byte[] name = from == to ? new byte[] {'.'} : Arrays.copyOfRange(path, from, to);
      OpenDirectory above = at;
      try {
        at = (above == null ? this : above).directoryToUse(name);
      } finally {
        Quietly.close(above);
      }
      from = to + 1;
    }
    return at;
  }

  /// The names that it has now, but for `.` and `..`: read by a descriptor of their own, so that
  /// several threads may list it at once.
  public List<byte[]> names() throws IOException {
    List<byte[]> names = new ArrayList<>();
    Listing listing = new Listing();
    try (OpenDirectory again = open(descriptor, SELF, 0)) {
      while (listing.next(again)) {
        names.add(listing.name());
      }
    }
    return names;
  }

  /// The directory that this one is in now. It need not be the one that this one was found in: a
  /// link may have led here, or somebody moved it.
  public OpenDirectory above() throws IOException {
    return openToUse(descriptor, ABOVE, 0);
  }

  /// The directory that the relative `path` leads to, which lies in this one whatever links there
  /// are on the way. It serves to reach what is in it.
  ///
  /// @throws IOException if it lies elsewhere, or the kernel (Linux before 5.6) cannot tell
  public OpenDirectory below(byte[] path) throws IOException {
    int flags = Entries.O_DIRECTORY | Entries.O_PATH;
    int opened = -Errno.EAGAIN;
    for (int i = 0; i < BELOW_TRIES && opened == -Errno.EAGAIN; i++) {
      opened = Entries.openBelow(descriptor, path, flags);
    }
    return opened(Errno.require(opened, path), path, false);
  }

  private static OpenDirectory open(int parent, byte[] name, int flags) throws IOException {
    int opened = Errno.require(Entries.openat(parent, name, Entries.O_DIRECTORY | flags, 0), name);
    return opened(opened, name, (flags & Entries.O_PATH) == 0);
  }

  private static OpenDirectory opened(int opened, byte[] name, boolean isListable)
      throws IOException {
    int found = Entries.statx(opened);
    if (found < 0) {
      Libc.close(opened);
      throw Errno.failure(-found, Printable.of(name));
    }
    return new OpenDirectory(opened, Entries.found(), isListable);
  }

  /// What it was when it was opened.
  public FileStatus status() {
    return status;
  }

  /// What it is now.
  public FileStatus now() throws IOException {
    Errno.require(Entries.statx(descriptor), SELF);
    return Entries.found();
  }

  /// Whether it can be listed and forced.
  public boolean isListable() {
    return isListable;
  }

  /// The number by which the strategies and the calls of `linux` know it.
  public int descriptor() {
    return descriptor;
  }

  /// Whether its file system has no device behind it.
  public boolean isInMemory() throws IOException {
    return PageCache.isInMemory(descriptor);
  }

  /// The status of `name`, links not followed; null if nothing has the name.
  public FileStatus statusOf(byte[] name) throws IOException {
    return statusOf(name, Entries.AT_SYMLINK_NOFOLLOW);
  }

  /// The status of what `name` leads to; null if it leads nowhere.
  public FileStatus statusBehind(byte[] name) throws IOException {
    return statusOf(name, 0);
  }

  /// Whether something has the name, by another call than [#statusOf].
  public boolean has(byte[] name) throws IOException {
    int opened = Entries.openat(descriptor, name, Entries.O_PATH | Entries.O_NOFOLLOW, 0);
    if (opened == -Errno.ENOENT) {
      return false;
    }
    Libc.close(Errno.require(opened, name));
    return true;
  }

  private FileStatus statusOf(byte[] name, int flags) throws IOException {
    int result = Entries.statx(descriptor, name, flags);
    if (result == -Errno.ENOENT) {
      return null;
    }
    Errno.require(result, name);
    return Entries.found();
  }

  /// Opens a regular file to read from. Look at its status first: a FIFO of that name does not
  /// block, but what was opened would not be a file.
  ///
  /// @param followLink whether a link of that name is followed; else it is refused with ELOOP
  public NativeFile file(byte[] name, boolean followLink) throws IOException {
    int flags = Entries.O_RDONLY | (followLink ? 0 : Entries.O_NOFOLLOW);
    return NativeFile.of(openRegular(name, flags), traits, false);
  }

  /// Creates a regular file that nothing has the name of yet, to write to and to read.
  public NativeFile create(byte[] name, int mode) throws IOException {
    int flags = Entries.O_RDWR | Entries.O_CREAT | Entries.O_EXCL | Entries.O_NOFOLLOW;
    return NativeFile.of(
        Errno.require(Entries.openat(descriptor, name, flags, mode), name), traits, true);
  }

  /// Opens a regular file that is there, to write to and to read; a link of that name is refused
  /// with ELOOP. Look at its status before, as for [#file], and after.
  public NativeFile existing(byte[] name) throws IOException {
    return NativeFile.of(openRegular(name, Entries.O_RDWR | Entries.O_NOFOLLOW), traits, true);
  }

  /// Waits for nobody but for whoever has a lease on the file, as Samba and NFS servers take them:
  /// fcntl(2). Such a file is opened by a descriptor of which it is known that it is one.
  private int openRegular(byte[] name, int flags) throws IOException {
    int opened = Entries.openat(descriptor, name, flags | Entries.O_NONBLOCK, 0);
    if (opened != -Errno.EAGAIN) {
      return Errno.require(opened, name);
    }
    int pathFlags = Entries.O_PATH | flags & Entries.O_NOFOLLOW;
    int held = Errno.require(Entries.openat(descriptor, name, pathFlags, 0), name);
    try {
      NativeFile.status(held).requireRegular(Printable.of(name));
      byte[] path = ("/proc/self/fd/" + held).getBytes(StandardCharsets.US_ASCII);
      int access = flags & Entries.O_RDWR;
      return Errno.require(Entries.openat(Entries.AT_FDCWD, path, access, 0), name);
    } finally {
      Libc.close(held);
    }
  }

  /// What files that this process makes here have at first.
  ///
  /// @param file one that was just made
  public NewFileDefaults newFileDefaults(int file) throws IOException {
    if (newFileDefaults == null) {
      Errno.require(Entries.statx(file), SELF);
      FileStatus first = Entries.found();
      newFileDefaults = NewFileDefaults.of(first, givesLists());
    }
    return newFileDefaults;
  }

  /// Whether what is made here gets an access control list: acl(5).
  public boolean givesLists() {
    if (givesLists == null) {
      // Without room for the list the kernel tells how long it is.
      givesLists =
          Attributes.fgetxattr(descriptor, AccessList.DEFAULT, ByteBuffer.allocateDirect(0)) > 0;
    }
    return givesLists;
  }

  /// Opens a directory that this process has just made here. It gives lists to what is made in it
  /// if this one does (acl(5)), so of a whole tree of new directories only the top is asked.
  public OpenDirectory newDirectory(byte[] name) throws IOException {
    OpenDirectory made;
    try {
      made = directory(name, false);
    } catch (AccessDeniedException e) {
      // The umask took from its owner what it takes to open it.
      giveOwnerAccess(name);
      made = directory(name, false);
    }
    if ((made.status.wholeMode() & OWNER_MAKES) != OWNER_MAKES) {
      // The umask took from its owner what it takes to make entries in it.
      try {
        made.giveMode(made.status.wholeMode() | OWNER_MAKES);
      } catch (IOException e) {
        made.close();
        throw e;
      }
    }
    made.givesLists = givesLists();
    return made;
  }

  /// By a descriptor that takes no permission to have: the name may lead elsewhere by now.
  private void giveOwnerAccess(byte[] name) throws IOException {
    int flags = Entries.O_PATH | Entries.O_DIRECTORY | Entries.O_NOFOLLOW;
    int opened = Errno.require(Entries.openat(descriptor, name, flags, 0), name);
    try {
      byte[] path = ("/proc/self/fd/" + opened).getBytes(StandardCharsets.US_ASCII);
      Errno.require(Attributes.fchmodat(Entries.AT_FDCWD, path, OWNER_HAS_ALL), name);
    } finally {
      Libc.close(opened);
    }
  }

  /// Gives it the times that `times` has.
  public void giveTimes(FileStatus times) throws IOException {
    Errno.require(Handle.of(descriptor).setTimes(times), SELF);
  }

  /// Sets its mode, with setuid, setgid and sticky.
  public void giveMode(int mode) throws IOException {
    Errno.require(Handle.of(this).chmod(mode), SELF);
  }

  public void makeDirectory(byte[] name, int mode) throws IOException {
    Errno.require(Entries.mkdirat(descriptor, name, mode), name);
  }

  /// @param content where the link leads
  public void makeLink(byte[] name, byte[] content) throws IOException {
    Errno.require(Entries.symlinkat(content, descriptor, name), name);
  }

  /// @param mode with the type: a FIFO, a socket or a device
  /// @param represents the device, if it is one
  public void makeSpecial(byte[] name, int mode, long represents) throws IOException {
    Errno.require(Entries.mknodat(descriptor, name, mode, represents), name);
  }

  /// Where the symbolic link `name` leads.
  public byte[] readLink(byte[] name) throws IOException {
    return Entries.content(Errno.require(Entries.readlinkat(descriptor, name), name));
  }

  /// Gives the file `existing` of `directory` a second name in this one.
  public void addName(byte[] name, OpenDirectory directory, byte[] existing) throws IOException {
    addName(name, directory, existing, false);
  }

  /// As [#addName].
  ///
  /// @param followLink whether it is what a link leads to that gets the name
  public void addName(byte[] name, OpenDirectory directory, byte[] existing, boolean followLink)
      throws IOException {
    int flags = followLink ? Entries.AT_SYMLINK_FOLLOW : 0;
    Errno.require(Entries.linkat(directory.descriptor, existing, descriptor, name, flags), name);
  }

  /// As [#addName], on a file system that may have no second names.
  ///
  /// @return null if it is done; else why the file can have no name, or no further one: a phrase
  /// @throws java.nio.file.FileAlreadyExistsException if something has the name
  public String addNameIfPossible(byte[] name, OpenDirectory directory, byte[] existing)
      throws IOException {
    int result = Entries.linkat(directory.descriptor, existing, descriptor, name, 0);
    return switch (-result) {
      case Errno.EMLINK, Errno.EPERM, Errno.EOPNOTSUPP, Errno.ENOSYS, Errno.EXDEV ->
          Errno.sentence(-result);
      default -> {
        Errno.require(result, name);
        yield null;
      }
    };
  }

  /// Renames within this directory, in place of whatever has the name `to`. If both are names of
  /// one file nothing happens, and both stay: rename(2).
  public void rename(byte[] from, byte[] to) throws IOException {
    Errno.require(Entries.renameat2(descriptor, from, descriptor, to, 0), to);
  }

  /// Renames within this directory if nothing has the name `to`.
  ///
  /// @throws java.nio.file.FileAlreadyExistsException if something has it
  public void renameToNew(byte[] from, byte[] to) throws IOException {
    int result = Entries.renameat2(descriptor, from, descriptor, to, Entries.RENAME_NOREPLACE);
    // Some network file systems and old kernels know no flags: rename(2).
    // Old container runtimes say EPERM of calls that they do not know.
    if (result == -Errno.EINVAL || result == -Errno.ENOSYS || result == -Errno.EPERM) {
      if (addNameIfPossible(to, this, from) == null) {
        remove(from);
        return;
      }
      // vboxsf and many FUSE file systems have no second names either: look and rename, as cp(1).
      result =
          statusOf(to) == null
              ? Entries.renameat2(descriptor, from, descriptor, to, 0)
              : -Errno.EEXIST;
    }
    Errno.require(result, to);
  }

  /// Removes what is no directory.
  public void remove(byte[] name) throws IOException {
    Errno.require(Entries.unlinkat(descriptor, name, 0), name);
  }

  /// Removes an empty directory, or what is none.
  public void remove(byte[] name, boolean isDirectory) throws IOException {
    Errno.require(Entries.unlinkat(descriptor, name, isDirectory ? Entries.AT_REMOVEDIR : 0), name);
  }

  /// What its file system has room for.
  public Room room() throws IOException {
    long[] room = new long[5];
    Errno.require(Libc.fstatfs(descriptor, room), SELF);
    // Some file systems in user space do not tell how many blocks they have.
    return new Room(
        room[3] == 0 ? Room.UNLIMITED : room[0],
        room[1] == 0 ? Room.UNLIMITED : room[2],
        room[4],
        Math.max(0, room[1] - room[2]));
  }

  /// Whether it is mounted read-only.
  public boolean isReadOnly() {
    return Libc.isReadOnly(descriptor);
  }

  /// Forces its entries to the device.
  public void force() throws IOException {
    Errno.require(Libc.fsync(descriptor), SELF);
  }

  @Override
  public void close() throws IOException {
    if (descriptor != CLOSED) {
      int closing = descriptor;
      descriptor = CLOSED;
      Errno.require(Libc.close(closing), SELF);
    }
  }

  /// What a file has that was just made in a directory. It is the same for all that one process
  /// makes there, so the first is asked and the others are spared the calls; but for the mode, if
  /// the directory gives lists.
  ///
  /// @param owner `st_uid`
  /// @param group `st_gid`: the process's; the directory's if that has setgid
  /// @param mode its bits with setuid, setgid and sticky
  /// @param inheritsList whether it may have got an access control list from the directory: acl(5)
  public record NewFileDefaults(int owner, int group, int mode, boolean inheritsList) {

    public static NewFileDefaults of(FileStatus status, boolean inheritsList) {
      return new NewFileDefaults(status.owner(), status.group(), status.wholeMode(), inheritsList);
    }
  }

  /// What a file system can still take: statfs(2).
  ///
  /// @param bytes that this user may write, or [#UNLIMITED] if the file system does not tell
  /// @param inodes that can be made: files, directories and all else; or [#UNLIMITED], if it has no
  ///   fixed number of them
  /// @param usedBytes what it has taken, or 0 if it does not tell
  /// @param usedInodes those that it has, or 0 if it does not tell
  public record Room(long bytes, long inodes, long usedBytes, long usedInodes) {

    public static final long UNLIMITED = Long.MAX_VALUE;
  }
}
