package dev.zcp.place;

import dev.zcp.core.PerThread;
import dev.zcp.core.Printable;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.Libc;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.OwnProcess;
import dev.zcp.tree.AccessList;
import dev.zcp.tree.AttributeComparison;
import dev.zcp.tree.AttributeReader;
import dev.zcp.tree.AttributeSource;
import dev.zcp.tree.FileAge;
import dev.zcp.tree.Handle;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss.LossKind;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.OpenDirectory.NewFileDefaults;
import dev.zcp.tree.Preserve;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Gives targets what their sources are besides their bytes. Any thread may call it. The source is
/// a file that is open here, or what somebody told of one, with a status put together from that.
///
/// What a target cannot keep is a [Loss][dev.zcp.tree.Losses.Loss] and no failure; what fails for
/// another reason is thrown.
///
/// **The order.** The owner comes first: chown(2) takes setuid, setgid and `security.capability`
/// away, and whoever gives a file away may set nothing of it after. Then the attributes and the
/// access control lists, which set the permissions, too: acl(5). Then the mode, which says the same
/// of the permissions and adds setuid, setgid and sticky. The times come last, since a read of an
/// attribute or a look at a directory may move the access time: inode(7).
///
/// **Setuid and setgid lend the rights of the owner and the group**, so they are given only if
/// these are the source's. cp(1) does the same if it was told to keep the owner and could not; if
/// it was not told to, it lends the rights of whoever copies.
///
/// **A directory's default list** (acl(5)) gives everything made there a list of its own. A copy
/// whose permissions are kept has its source's list or none, also in such a directory.
///
/// Of a replaced file the permissions, its list among them, the owner and the group stay if those
/// of the source are not asked for; its attributes go with it. Without its list the group would get
/// more than it had: in place of its rights a mode shows what all who are named may do at most.
public final class Metadata {

  private static final int PRIVATE = 0600;
  private static final int OWNER_HAS_ALL = 0700;
  private static final int NEW_FILE = 0666;
  private static final int NEW_DIRECTORY = 0777;
  private static final int SETUID = 04000;
  private static final int SETGID = 02000;
  private static final int STICKY = 01000;
  private static final int PERMISSIONS = 0777;

  /// Of a directory that nobody else gets at: sticky says nothing where only the owner may write,
  /// so it is the sign of one that a receiver made, and was killed before that was complete.
  private static final int UNFINISHED = STICKY | OWNER_HAS_ALL;

  private static final int UNASKED = -2;

  /// In place of a mode: leave it as it is.
  static final int AS_IT_IS = -1;

  /// To [Handle#chown]: leave it as it is.
  private static final int SAME = -1;

  /// A file system with less room than this is full, and not just short of room for attributes.
  private static final long ROOM_BYTES = 1 << 20;

  private final Preserve preserve;
  private final boolean mirrors;
  private final int privateDirectory;
  private final boolean keepsAttributes;
  private final Losses losses;
  private final int umask;
  private final FaithfulDevice faithful = new FaithfulDevice();
  private final AttributeComparison attributes;
  private final PerThread<Writer> writers = new PerThread<>(Writer::new);
  private final LongAdder corrections = new LongAdder();

  /// This process's, once a file could not be given to somebody.
  private int user = UNASKED;

  /// @param umask the process's, see [OwnProcess#umask]
  /// @param mirrors whether directories that were there lose the extended attributes that their
  ///   sources do not have
  /// @param marks whether a directory that nobody else gets at before it is complete is made so
  ///   that it is known for [unfinished][#isUnfinished]; else it has the mode that cp(1) gives it
  public Metadata(Preserve preserve, Losses losses, int umask, boolean mirrors, boolean marks) {
    this.mirrors = mirrors;
    this.privateDirectory = marks ? UNFINISHED : OWNER_HAS_ALL;
    this.preserve = preserve;
    this.keepsAttributes = preserve.xattr() || preserve.acl();
    this.attributes = new AttributeComparison(preserve.xattr(), preserve.acl());
    this.losses = losses;
    this.umask = umask;
  }

  /// Whether this process may give files to others: threads that ask at once find the same.
  private boolean isRoot() {
    if (user == UNASKED) {
      user = OwnProcess.user();
    }
    return user == 0;
  }

  /// Whether targets get the modes of their sources.
  boolean keepsMode() {
    return preserve.mode();
  }

  /// How many entries that were there, and stay, were given something, up to now.
  public long corrections() {
    return corrections.sum();
  }

  // --- The mode that something is made with

  /// The mode to make a file with that [#file] will complete. It is 0600, so that nobody else reads
  /// what is not complete; but in a directory that gives access control lists, the kernel makes the
  /// list of a new file from this mode (acl(5)), as it does for cp(1). The owner may always read
  /// and write, since the file may have to be opened again.
  ///
  /// @param isNew whether it replaces nothing
  public int creationMode(FileStatus source, OpenDirectory directory, boolean isNew) {
    return getsList(directory, isNew) ? permissions(source) | PRIVATE : PRIVATE;
  }

  /// The mode to make a file with in a directory that this run has made. If modes are preserved,
  /// nobody else gets into such a directory before all in it is complete. So a file may have its
  /// final mode at once, which saves a call, if the umask and the file system let it.
  int creationModeInNew(FileStatus source, OpenDirectory directory) {
    int whole = source.wholeMode();
    boolean isFinal =
        preserve.mode()
            && (whole & ~(PERMISSIONS & ~umask)) == 0
            && (whole & PRIVATE) == PRIVATE
            && !directory.givesLists()
            && faithful.keepsMode(directory.status().device());
    return isFinal ? whole : creationMode(source, directory, true);
  }

  /// The mode to make a directory with that [#directory] will complete. It has what it will show in
  /// the end, so that it has that even if it is never completed; but its owner may do anything. If
  /// more is to be preserved than permissions, nobody else gets at it before it has its owner.
  public int directoryCreationMode(FileStatus source, OpenDirectory parent) {
    boolean isPrivate = preserve.mode() || preserve.owner() && !parent.givesLists();
    return isPrivate ? privateDirectory : permissions(source) | OWNER_HAS_ALL;
  }

  /// As [#directoryCreationMode], of one that something is to be made in before it is known what
  /// its source is: only its owner gets at it, unless it gets a list.
  public int earlyDirectoryMode(OpenDirectory parent) {
    return getsList(parent, true) ? NEW_DIRECTORY : privateDirectory;
  }

  /// Gives a directory that was made [early][#earlyDirectoryMode] the mode that it would have been
  /// made with.
  public void giveCreationMode(FileStatus source, OpenDirectory directory) throws IOException {
    int mode = directoryCreationMode(source, directory) & ~umask | OWNER_HAS_ALL;
    FileStatus status = directory.status();
    int others = status.wholeMode() & ~(PERMISSIONS | STICKY);
    if (!directory.givesLists() && status.wholeMode() != (others | mode)) {
      directory.giveMode(others | mode);
    }
  }

  /// Whether a receiver of this user made the directory, and nobody completed it.
  public static boolean isUnfinished(FileStatus directory) {
    int own = directory.wholeMode() & (STICKY | PERMISSIONS);
    return own == UNFINISHED && directory.owner() == OwnProcess.user();
  }

  private boolean getsList(OpenDirectory directory, boolean isNew) {
    return isNew && !preserve.mode() && directory.givesLists();
  }

  // --- What something gets when it is complete

  /// Completes a regular file that has all its bytes and is about to get its name.
  ///
  /// @param source the file, or what was told of it
  /// @param status what the source was when its first byte was read
  /// @param directory where the target was made
  /// @param target made by this process with [#creationMode] and changed by nobody since
  /// @param made the mode that it was made with, or [#AS_IT_IS] if that is not known
  /// @param replaced what is about to lose its name to this one, or null
  /// @param label the entry's name, for messages
  void file(
      AttributeSource source,
      FileStatus status,
      OpenDirectory directory,
      NativeFile target,
      int made,
      Replaced replaced,
      Object label)
      throws IOException {
    Writer writer = writers.get().begin(target.descriptor(), label);
    writer.now = directory.newFileDefaults(target.descriptor());
    boolean hasMode = !writer.now.inheritsList() && faithful.keepsMode(directory.status().device());
    writer.made = hasMode ? made : AS_IT_IS;
    int plain = replaced == null ? permissions(status) & ~umask : replaced.status().permissions();
    if (getsList(directory, replaced == null)) {
      // It got the list of its directory, which the umask has no part in, and maybe more rights for
      // its owner than the source has.
      int unasked = PRIVATE & ~permissions(status);
      plain = unasked == 0 ? AS_IT_IS : target.status().wholeMode() & ~unasked;
    }
    FileStatus owner = preserve.owner() ? status : replaced == null ? null : replaced.status();
    writer.complete(source, status, owner, plain, replaced, directory.status().device());
  }

  /// Completes a directory after all that is in it.
  ///
  /// @param created whether it was made for this copy; one that was there keeps its permissions,
  ///   unless they are to be preserved
  public void directory(
      AttributeSource source,
      FileStatus status,
      OpenDirectory target,
      boolean created,
      Object label)
      throws IOException {
    FileStatus now = target.now();
    if (!created) {
      existing(source, status, Handle.of(target), target.status(), now, label);
      return;
    }
    // What is made in a directory with setgid gets it, too (inode(7)), and fchmod(2) would take it.
    // The sticky bit comes along as with cp: without it, others might remove what is in there.
    // What its parent's list gave is right, and the umask has no part in it.
    int allowed = target.givesLists() ? now.permissions() : ~umask;
    int plain =
        permissions(status) & allowed | status.wholeMode() & STICKY | now.wholeMode() & SETGID;
    Writer writer = writers.get().begin(target.descriptor(), label);
    writer.now = NewFileDefaults.of(now, true);
    writer.complete(source, status, preserve.owner() ? status : null, plain, null, now.device());
  }

  /// Completes a symbolic link, a FIFO or a device that was just made.
  ///
  /// @param target what was made
  public void special(AttributeSource source, FileStatus status, Handle target, Object label)
      throws IOException {
    FileStatus now = target.status();
    Writer writer = writers.get().begin(target, label);
    writer.now = NewFileDefaults.of(now, !now.isSymlink());
    int plain = permissions(status) & ~umask;
    writer.complete(source, status, preserve.owner() ? status : null, plain, null, now.device());
  }

  /// Gives what was there before, and stays, what is to be preserved and what it does not have yet.
  /// What its source does not have is taken from it: access control lists, and attributes unless it
  /// is a directory that is not mirrored.
  ///
  /// @param now what the target is
  public void existing(
      AttributeSource source, FileStatus status, Handle target, FileStatus now, Object label)
      throws IOException {
    existing(source, status, target, now, now, label);
  }

  /// @param before what the target was before this run did anything to it
  private void existing(
      AttributeSource source,
      FileStatus status,
      Handle target,
      FileStatus before,
      FileStatus now,
      Object label)
      throws IOException {
    boolean keepsAttributes = areAttributesKept(source, status, target);
    if (keepsAttributes && isEqual(status, now)) {
      return;
    }
    Writer writer = writers.get().begin(target, label);
    writer.now = NewFileDefaults.of(now, true);
    writer.losesOthers = mirrors || !status.isDirectory();
    writer.complete(source, status, preserve.owner() ? status : null, AS_IT_IS, null, now.device());
    if (!keepsAttributes || !hasWhatCanBeGiven(status, before)) {
      corrections.increment();
    }
  }

  /// Whether the target has all that is to be preserved, so that nothing is to be given to it. What
  /// cannot be read of it counts as missing: whoever gives it says why it cannot.
  ///
  /// @param now what the target is
  boolean isKept(AttributeSource source, FileStatus status, Handle target, FileStatus now) {
    return isEqual(status, now) && areAttributesKept(source, status, target);
  }

  private boolean areAttributesKept(AttributeSource source, FileStatus status, Handle target) {
    if (!keepsAttributes
        || source.listAttributes(AttributeSource.NO_ROOM) <= 0
            && target.listAttributes(AttributeSource.NO_ROOM) <= 0) {
      return true;
    }
    try {
      return !attributes.differ(source, target, mirrors || !status.isDirectory());
    } catch (IOException e) {
      return false;
    }
  }

  /// Whether [#existing] would change anything, for those who only tell. What only root can give
  /// counts if this process is root.
  ///
  /// @param now what the target is
  public boolean differs(AttributeSource source, FileStatus status, Handle target, FileStatus now)
      throws IOException {
    return !hasWhatCanBeGiven(status, now)
        || attributes.differ(source, target, mirrors || !status.isDirectory());
  }

  private boolean isEqual(FileStatus status, FileStatus now) {
    return isOwnerEqual(status, now) && isModeEqual(status, now) && isTimeEqual(status, now);
  }

  /// As [#isEqual], but only root can give an owner.
  private boolean hasWhatCanBeGiven(FileStatus status, FileStatus now) {
    boolean isOwnerRight = !isRoot() || isOwnerEqual(status, now);
    return isOwnerRight && isModeEqual(status, now) && isTimeEqual(status, now);
  }

  private boolean isOwnerEqual(FileStatus status, FileStatus now) {
    return !preserve.owner() || now.owner() == status.owner() && now.group() == status.group();
  }

  private boolean isModeEqual(FileStatus status, FileStatus now) {
    return !preserve.mode() || status.isSymlink() || now.wholeMode() == status.wholeMode();
  }

  private boolean isTimeEqual(FileStatus status, FileStatus now) {
    return !preserve.times() || FileAge.isOfTime(now, status);
  }

  /// What the umask is taken from if the mode is not to be preserved.
  private int permissions(FileStatus status) {
    if (!preserve.newMode()) {
      return status.permissions();
    }
    return status.isDirectory() ? NEW_DIRECTORY : NEW_FILE;
  }

  /// A regular file that is about to lose its name to its copy's.
  ///
  /// @param directory where it is
  /// @param name its name there
  /// @param status what it was when it was looked at
  public record Replaced(OpenDirectory directory, byte[] name, FileStatus status) {}

  /// Gives one file after the other what it is to have, and remembers what it could not have.
  /// Belongs to one thread.
  ///
  /// A system's "no" is a loss, told once of each kind for a file however many calls said it. What
  /// is broken (no space, a failing device) is thrown.
  private final class Writer {

    private final Handle opened = Handle.of(-1);
    private final AttributeReader attributes =
        new AttributeReader(preserve.xattr(), preserve.acl());

    private Handle target;
    private Object label;

    /// What the target has before it gets anything.
    private NewFileDefaults now;

    /// The mode that it was seen to have got when it was made, or [#AS_IT_IS] if it was not.
    private int made;

    /// Whether it was there before, and loses the attributes that its source does not have.
    private boolean losesOthers;

    /// A bit for each kind that was lost.
    private int lost;

    private boolean ownerGiven;
    private boolean ownerRefused;
    private int owner;
    private int group;
    private boolean modeGiven;
    private int mode;

    /// Has the times that were given; null if none were.
    private FileStatus times;

    /// Which access control lists the target has got.
    private boolean hasAccessList;

    private boolean hasDefaultList;

    /// Permission bits of a mode that its group must not get, since the source's list denies them
    /// and could not be set.
    private int groupDenied;

    Writer begin(int descriptor, Object name) {
      return begin(opened.reuse(descriptor), name);
    }

    Writer begin(Handle file, Object name) {
      target = file;
      label = name;
      made = AS_IT_IS;
      losesOthers = false;
      lost = 0;
      ownerGiven = false;
      ownerRefused = false;
      modeGiven = false;
      times = null;
      hasAccessList = false;
      hasDefaultList = false;
      groupDenied = 0;
      return this;
    }

    /// @param ownerOf whose owner and group the target is to have, or null if nobody's
    /// @param plain the target's mode if the source's is not to be kept, or [#AS_IT_IS]
    /// @param replaced whose list it is to have if the source's is not to be kept, or null
    void complete(
        AttributeSource from,
        FileStatus status,
        FileStatus ownerOf,
        int plain,
        Replaced replaced,
        long device)
        throws IOException {
      if (ownerOf != null && (ownerOf.owner() != now.owner() || ownerOf.group() != now.group())) {
        own(ownerOf.owner(), ownerOf.group());
      }
      if (keepsAttributes) {
        copyAttributes(from);
      }
      boolean keepsOld = replaced != null && !preserve.mode();
      if (keepsOld && !hasAccessList) {
        retainList(replaced);
      }
      if (now.inheritsList() && (preserve.mode() || preserve.acl() || keepsOld)) {
        removeOtherLists(status.isDirectory());
      }
      int bits = preserve.mode() ? modeOf(status) : plain;
      if (bits != AS_IT_IS && !status.isSymlink()) {
        int wanted = bits & ~groupDenied;
        if (wanted != made) {
          giveMode(wanted);
        }
      }
      if (preserve.times()) {
        giveTimes(status);
      }
      check(device);
    }

    /// Gives it to an owner and a group. If it may not have both it gets one of them: nobody but
    /// root gives files away, while a user may choose among the groups they are in, chown(2); and
    /// in a user namespace the group may have no number while the owner has one.
    private void own(int newOwner, int newGroup) throws IOException {
      owner = newOwner;
      group = newGroup;
      int result = target.chown(owner, group);
      if (result >= 0) {
        ownerGiven = true;
        return;
      }
      if (result == -Errno.EPERM && !isRoot()) {
        lost(LossKind.OWNER_OF_USER, "only root may change owners");
      } else {
        refused(LossKind.OWNER, -result, "");
      }
      ownerRefused = true;
      boolean groupGiven = group != now.group() && target.chown(SAME, group) >= 0;
      if (!groupGiven && -result == Errno.EINVAL && owner != now.owner()) {
        target.chown(owner, SAME);
      }
    }

    /// The source's mode, less what would lend rights that the source does not.
    private int modeOf(FileStatus status) {
      int whole = status.wholeMode();
      int kept = whole;
      if (ownerRefused) {
        // As cp(1): sticky means something in a directory alone, and nothing is lent by specials.
        kept &= status.isRegular() ? PERMISSIONS : ~0;
        kept &= status.isDirectory() ? PERMISSIONS | STICKY : ~0;
      } else if (!preserve.owner() && status.isRegular()) {
        kept &= now.owner() == status.owner() ? ~0 : ~SETUID;
        kept &= now.group() == status.group() ? ~0 : ~SETGID;
      }
      if (kept != whole) {
        lost(LossKind.MODE, "setuid and setgid are not given to another owner");
      }
      return kept;
    }

    private void giveMode(int bits) throws IOException {
      int result = target.chmod(bits);
      if (result < 0) {
        refused(LossKind.MODE, -result, "");
      } else {
        mode = bits;
        modeGiven = bits != now.mode();
      }
    }

    private void giveTimes(FileStatus status) throws IOException {
      int result = target.setTimes(status);
      if (result < 0) {
        refused(LossKind.TIMES, -result, "");
      } else {
        times = status;
      }
    }

    // --- Extended attributes, and the access control lists that the kernel shows as such: xattr(7)

    private void copyAttributes(AttributeSource from) throws IOException {
      List<byte[]> others = losesOthers ? namesOf(target) : null;
      int result = attributes.begin(from);
      if (result < 0) {
        refused(LossKind.XATTR, -result, "");
      }
      for (byte[] name = attributes.next(); name != null; name = attributes.next()) {
        if (others != null) {
          removeName(others, name);
        }
        int length = attributes.read(name);
        if (length == -Errno.ENODATA) {
          // It was listed: somebody has removed it since, or the file system does not say the same
          // twice.
          lost(AccessList.kindOf(name), Printable.of(name) + ": " + Errno.sentence(-length));
        } else if (length < 0) {
          refused(AccessList.kindOf(name), -length, Printable.of(name) + ": ");
        } else if (Arrays.equals(name, AccessList.ACCESS)) {
          giveAccessList(attributes.value());
        } else {
          give(name, attributes.value());
          hasDefaultList |= Arrays.equals(name, AccessList.DEFAULT);
        }
      }
      if (others != null && result >= 0) {
        removeAttributes(others);
      }
    }

    private List<byte[]> namesOf(AttributeSource file) {
      List<byte[]> names = new ArrayList<>();
      attributes.begin(file);
      for (byte[] name = attributes.next(); name != null; name = attributes.next()) {
        names.add(name);
      }
      return names;
    }

    private static void removeName(List<byte[]> names, byte[] name) {
      for (int i = names.size() - 1; i >= 0; i--) {
        if (Arrays.equals(names.get(i), name)) {
          names.remove(i);
        }
      }
    }

    /// Lists are for [#removeOtherLists].
    private void removeAttributes(List<byte[]> names) throws IOException {
      for (byte[] name : names) {
        int result = AccessList.isOne(name) ? 0 : target.removeAttribute(name);
        if (result < 0 && result != -Errno.ENODATA) {
          refused(LossKind.XATTR, -result, Printable.of(name) + ": ");
        }
      }
    }

    /// @return whether the target has it now
    private boolean give(byte[] name, ByteBuffer value) throws IOException {
      int result = target.setAttribute(name, value);
      if (result < 0) {
        LossKind kind = AccessList.kindOf(name);
        String subject = kind == LossKind.ACL ? "" : Printable.of(name) + ": ";
        if (result == -Errno.ENOSPC && hasRoom()) {
          lost(kind, subject + "more than the file system keeps");
        } else {
          refused(kind, -result, subject);
        }
      }
      return result >= 0;
    }

    /// ext4 keeps a file's attributes in one block and says ENOSPC of those that do not fit there,
    /// with terabytes left.
    private boolean hasRoom() {
      long[] room = new long[3];
      return Libc.fstatfs(target.descriptor(), room) == 0 && room[0] >= ROOM_BYTES;
    }

    /// @param list an access control list, given if it says more than a mode can
    private void giveAccessList(ByteBuffer list) throws IOException {
      if (!AccessList.saysMoreThanMode(list)) {
        return;
      }
      hasAccessList = give(AccessList.ACCESS, list);
      if (!hasAccessList) {
        denyGroup(AccessList.groupPermissions(list));
      }
    }

    /// @param permissions what the group may do, 0 to 7
    private void denyGroup(int permissions) {
      groupDenied |= (~permissions & 07) << 3;
    }

    /// Gives the target the access control list of the file that it is to replace.
    private void retainList(Replaced replaced) throws IOException {
      Handle old = Handle.of(replaced.directory().descriptor(), replaced.name());
      int length = attributes.read(old, AccessList.ACCESS);
      if (length >= 0) {
        giveAccessList(attributes.value());
      } else if (length != -Errno.ENODATA && length != -Errno.EOPNOTSUPP) {
        // What the group may do, only the list could have told.
        refused(LossKind.ACL, -length, "");
        denyGroup(0);
      }
    }

    /// Takes away the lists that the target had, or got where it was made, other than those of its
    /// source.
    private void removeOtherLists(boolean isDirectory) throws IOException {
      if (target.listAttributes(AttributeSource.NO_ROOM) == 0) {
        return;
      }
      if (!hasAccessList) {
        removeList(AccessList.ACCESS);
      }
      if (isDirectory && !hasDefaultList) {
        removeList(AccessList.DEFAULT);
      }
    }

    private void removeList(byte[] list) throws IOException {
      int result = target.removeAttribute(list);
      // Neither a file without a list nor a file system without lists has anything to remove.
      if (result < 0 && result != -Errno.ENODATA && result != -Errno.EOPNOTSUPP) {
        refused(LossKind.ACL, -result, "");
      }
    }

    // --- What could not be kept

    /// Compares what the file has with what it was given, unless its file system was seen to keep
    /// such a thing: there are those that say yes and do otherwise.
    private void check(long device) throws IOException {
      if (!faithful.mustCheck(device, ownerGiven, modeGiven, mode, times)) {
        return;
      }
      FileStatus found = target.status();
      if (ownerGiven && (found.owner() != owner || found.group() != group)) {
        lost(LossKind.OWNER, "the file system has not kept them");
      }
      if (modeGiven && found.wholeMode() != mode) {
        lost(LossKind.MODE, "the file system has not kept them");
      }
      if (times != null
          && (found.modifiedSeconds() != times.modifiedSeconds()
              || found.modifiedNanos() != times.modifiedNanos())) {
        lost(LossKind.TIMES, "the file system keeps less of them");
      }
      if (lost == 0) {
        faithful.kept(device, ownerGiven, modeGiven, times);
      }
    }

    /// What became of a call that gave `-errno`: a loss, or a failure.
    ///
    /// @param subject what was refused, with a colon and a space after it, or nothing
    /// @throws FileSystemException if it has nothing to do with what the target can keep
    private void refused(LossKind kind, int errno, String subject) throws FileSystemException {
      if (!isRefusal(errno)) {
        throw Errno.failure(errno, label.toString());
      }
      lost(kind, subject + Errno.sentence(errno));
    }

    private void lost(LossKind kind, String reason) {
      int bit = 1 << kind.ordinal();
      if ((lost & bit) == 0) {
        lost |= bit;
        losses.add(kind, label, reason);
      }
    }
  }

  /// Whether an error says that the file system, or this user, cannot have such a thing. FAT says
  /// EPERM of owners and modes, network file systems add EACCES and EINVAL, those without
  /// attributes say EOPNOTSUPP, those with small ones E2BIG or ERANGE.
  private static boolean isRefusal(int errno) {
    return switch (errno) {
      case Errno.EPERM,
          Errno.EACCES,
          Errno.EINVAL,
          Errno.EOPNOTSUPP,
          Errno.ENOSYS,
          Errno.E2BIG,
          Errno.ERANGE,
          Errno.EOVERFLOW ->
          true;
      default -> false;
    };
  }

  /// What the file system under the target was seen to keep as it was told. There are those that
  /// say yes and do otherwise: FAT counts in steps of two seconds, some reach no further than 1901
  /// or 2038, some take every mode and show what they were mounted with. So files are looked at
  /// again, at the cost of a system call, until the file system has proved itself.
  ///
  /// It knows the device of the last proof alone; proofs of several threads may get lost, which
  /// costs another look. Any thread may call it.
  private static final class FaithfulDevice {

    private static final int OWNER = 1;
    private static final int MODE = 2;

    /// Whole seconds.
    private static final int SECONDS = 4;

    private static final int NANOSECONDS = 8;

    /// A time that is no multiple of it shows that nanoseconds are kept. Some count in 100 ns.
    private static final int COARSE_NS = 1000;

    /// What every file system can hold: up to 2038.
    private static final long SECONDS_MAX = Integer.MAX_VALUE;

    /// chmod(2) leaves out without a word what the caller may not lend to others.
    private static final int LENT = 06000;

    private volatile Proof proof = new Proof(-1, 0);

    boolean keepsMode(long device) {
      Proof known = proof;
      return known.device == device && (known.kept & MODE) != 0;
    }

    /// Whether a file must be looked at after all of this was given to it.
    ///
    /// @param times has the times it was given, or null
    boolean mustCheck(
        long device, boolean ownerGiven, boolean modeGiven, int mode, FileStatus times) {
      int needed = (ownerGiven ? OWNER : 0) | (modeGiven ? MODE : 0);
      boolean unusual = (mode & LENT) != 0;
      if (times != null) {
        needed |= times.modifiedNanos() == 0 ? SECONDS : NANOSECONDS;
        unusual |= times.modifiedSeconds() < 0 || times.modifiedSeconds() > SECONDS_MAX;
      }
      Proof known = proof;
      return unusual || (needed & ~(known.device == device ? known.kept : 0)) != 0;
    }

    /// A file was looked at and has all that it was given.
    void kept(long device, boolean ownerGiven, boolean modeGiven, FileStatus times) {
      int kept = (ownerGiven ? OWNER : 0) | (modeGiven ? MODE : 0);
      if (times != null) {
        boolean isFine = times.modifiedNanos() % COARSE_NS != 0;
        boolean isOdd = times.modifiedSeconds() % 2 != 0;
        kept |= (isFine ? NANOSECONDS | SECONDS : 0) | (isOdd ? SECONDS : 0);
      }
      Proof known = proof;
      proof = new Proof(device, kept | (known.device == device ? known.kept : 0));
    }

    private record Proof(long device, int kept) {}
  }
}
