package dev.zcp.tree;

import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.OwnProcess;
import dev.zcp.tree.ExtendedAttributes.AccessList;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.MetadataWriter.FaithfulDevice;
import dev.zcp.tree.OpenDirectory.NewFileDefaults;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/// Gives copies what their sources are besides their bytes. Any thread may call it. The source is a
/// file that is open here, or what somebody [told][GivenAttributes] of one, with a status put
/// together from that.
///
/// What a target cannot keep is a [Loss] and no failure; what fails for another reason is thrown.
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
public final class Preserver {

  private static final int PRIVATE = 0600;
  private static final int PRIVATE_DIRECTORY = 0700;
  private static final int NEW_FILE = 0666;
  private static final int NEW_DIRECTORY = 0777;
  private static final int SETUID = 04000;
  private static final int SETGID = 02000;
  private static final int STICKY = 01000;
  private static final int PERMISSIONS = 0777;

  /// In place of a mode: leave it as it is.
  private static final int AS_IT_IS = -1;

  /// Asks for a length and for nothing else.
  private static final ByteBuffer NO_ROOM = ByteBuffer.allocateDirect(0);

  private static final long NS_PER_S = 1_000_000_000;

  /// NTFS and SMB count in 100 ns, some in microseconds or milliseconds, older ones in seconds.
  private static final long[] STEPS_NS = {1, 100, 1_000, 1_000_000, NS_PER_S};

  /// FAT counts in two seconds.
  private static final long STEP_S_MAX = 2;

  private final Preserve preserve;
  private final Losses losses;
  private final int umask;
  private final ExtendedAttributes attributes;
  private final FaithfulDevice faithful = new FaithfulDevice();

  /// @param umask the process's, see [OwnProcess#umask]
  public Preserver(Preserve preserve, Losses losses, int umask) {
    this.preserve = preserve;
    this.losses = losses;
    this.umask = umask;
    this.attributes = new ExtendedAttributes(preserve.xattr(), preserve.acl());
  }

  /// Completes a regular file that has all its bytes and is about to get its name.
  ///
  /// @param status what the source was when its first byte was read
  /// @param directory where the target was made
  /// @param source the descriptor of the source
  /// @param target made by this process with [#creationMode] and changed by nobody since
  /// @param replaced what is about to lose its name to this one, or null
  /// @param label the entry's name, for messages
  public void file(
      int source,
      FileStatus status,
      OpenDirectory directory,
      NativeFile target,
      Replaced replaced,
      Object label)
      throws IOException {
    file(Handle.of(source), status, directory, target, replaced, label);
  }

  /// The mode to make a file with that [#file] will complete. It is 0600, so that nobody else reads
  /// what is not complete; but in a directory that gives access control lists, the kernel makes the
  /// list of a new file from this mode (acl(5)), as it does for cp(1). The owner may always read
  /// and write, since the file may have to be opened again.
  ///
  /// @param isNew whether it replaces nothing
  public int creationMode(FileStatus source, OpenDirectory directory, boolean isNew) {
    return PRIVATE | (getsList(directory, isNew) ? permissions(source) : 0);
  }

  private boolean getsList(OpenDirectory directory, boolean isNew) {
    return isNew && !preserve.mode() && directory.givesLists();
  }

  /// The mode to make a directory with that [#directory] will complete: only its owner gets at one
  /// that is not complete, but as with [#creationMode] if it gets a list.
  public int directoryCreationMode(FileStatus source, OpenDirectory parent) {
    boolean getsList = !preserve.mode() && parent.givesLists();
    return getsList ? permissions(source) | PRIVATE_DIRECTORY : PRIVATE_DIRECTORY;
  }

  /// As [#file], of a source that may be elsewhere.
  public void file(
      AttributeSource source,
      FileStatus status,
      OpenDirectory directory,
      NativeFile target,
      Replaced replaced,
      Object label)
      throws IOException {
    MetadataWriter copy = new MetadataWriter(Handle.of(target.descriptor()), losses, label);
    NewFileDefaults newFile = directory.newFileDefaults(target.descriptor());
    int plain = replaced == null ? permissions(status) & ~umask : replaced.status().permissions();
    if (getsList(directory, replaced == null)) {
      // It got the list of its directory, which the umask has no part in, and maybe more rights for
      // its owner than the source has.
      int unasked = PRIVATE & ~permissions(status);
      plain = unasked == 0 ? AS_IT_IS : target.status().wholeMode() & ~unasked;
    }
    FileStatus old = replaced == null ? null : replaced.status();
    complete(
        source,
        status,
        preserve.owner() ? status : old,
        plain,
        replaced,
        copy,
        newFile,
        directory.status().device());
  }

  /// Gives an existing file the attributes that are to be preserved, and no others.
  public void existingFile(int source, FileStatus status, NativeFile target, Object label)
      throws IOException {
    FileStatus now = target.status();
    complete(
        Handle.of(source),
        status,
        preserve.owner() ? status : null,
        AS_IT_IS,
        null,
        new MetadataWriter(Handle.of(target.descriptor()), losses, label),
        NewFileDefaults.of(now, true),
        now.device());
  }

  /// Completes a directory after all that is in it.
  ///
  /// @param created whether it was made for this copy; one that was there keeps its permissions,
  ///   unless they are to be preserved
  public void directory(
      OpenDirectory source, FileStatus status, OpenDirectory target, boolean created, Object label)
      throws IOException {
    directory(Handle.of(source.descriptor()), status, target, created, label);
  }

  /// As [#directory], of a source that may be elsewhere.
  public void directory(
      AttributeSource source,
      FileStatus status,
      OpenDirectory target,
      boolean created,
      Object label)
      throws IOException {
    FileStatus now = target.status();
    // What is made in a directory with setgid gets it, too (inode(7)), and fchmod(2) would take it.
    // The sticky bit comes along as with cp: without it, others might remove what is in there.
    // What its parent's list gave is right, and the umask has no part in it.
    int allowed = created && target.givesLists() ? now.permissions() : ~umask;
    int asked = permissions(status) & allowed | status.wholeMode() & STICKY;
    int plain = created ? asked | now.wholeMode() & SETGID : AS_IT_IS;
    complete(
        source,
        status,
        preserve.owner() ? status : null,
        plain,
        null,
        new MetadataWriter(Handle.of(target.descriptor()), losses, label),
        NewFileDefaults.of(now, true),
        now.device());
  }

  /// Completes a symbolic link, a FIFO or a device that was just made.
  ///
  /// By its name, since opening it does something. So nobody else may rename in `target` meanwhile,
  /// or the mode may go to another file.
  public void special(
      OpenDirectory source,
      byte[] sourceName,
      FileStatus status,
      OpenDirectory target,
      byte[] targetName,
      Object label)
      throws IOException {
    special(Handle.of(source.descriptor(), sourceName), status, target, targetName, label);
  }

  /// As [#special], of a source that may be elsewhere.
  public void special(
      AttributeSource source,
      FileStatus status,
      OpenDirectory target,
      byte[] targetName,
      Object label)
      throws IOException {
    FileStatus now = target.statusOf(targetName);
    if (now == null) {
      throw Errno.failure(Errno.ENOENT, label.toString());
    }
    complete(
        source,
        status,
        preserve.owner() ? status : null,
        permissions(status) & ~umask,
        null,
        new MetadataWriter(Handle.of(target.descriptor(), targetName), losses, label),
        NewFileDefaults.of(now, !now.isSymlink()),
        now.device());
  }

  /// What the umask is taken from if the mode is not to be preserved.
  private int permissions(FileStatus status) {
    if (!preserve.newMode()) {
      return status.permissions();
    }
    return status.isDirectory() ? NEW_DIRECTORY : NEW_FILE;
  }

  /// @param owner whose owner and group the copy is to have, or null if nobody's
  /// @param plain the copy's mode if the source's is not to be kept, or [#AS_IT_IS]
  /// @param replaced whose list the copy is to have if the source's is not to be kept, or null
  private void complete(
      AttributeSource source,
      FileStatus status,
      FileStatus owner,
      int plain,
      Replaced replaced,
      MetadataWriter copy,
      NewFileDefaults now,
      long device)
      throws IOException {
    if (owner != null) {
      copy.own(owner.owner(), owner.group(), now);
    }
    ExtendedAttributes.GivenLists lists = attributes.copy(source, copy);
    boolean keepsOld = replaced != null && !preserve.mode();
    if (keepsOld && !lists.access()) {
      ExtendedAttributes.GivenLists old = attributes.retain(replaced.handle(), copy);
      lists =
          new ExtendedAttributes.GivenLists(
              old.access(), lists.byDefault(), old.groupDenied() | lists.groupDenied());
    }
    if (now.inheritsList() && (preserve.mode() || preserve.acl() || keepsOld)) {
      removeInherited(copy, lists, status.isDirectory());
    }
    int mode = preserve.mode() ? mode(status, copy, now) : plain;
    if (mode != AS_IT_IS && !status.isSymlink()) {
      copy.mode(mode & ~lists.groupDenied(), now);
    }
    if (preserve.times()) {
      copy.times(status);
    }
    copy.check(faithful, device);
  }

  /// The source's mode, less what would lend rights that the source does not.
  private int mode(FileStatus status, MetadataWriter copy, NewFileDefaults now) {
    int mode = status.wholeMode();
    int kept = mode;
    if (copy.ownerRefused()) {
      // As cp(1): sticky means something in a directory alone, and nothing is lent by specials.
      kept &= status.isRegular() ? PERMISSIONS : ~0;
      kept &= status.isDirectory() ? PERMISSIONS | STICKY : ~0;
    } else if (!preserve.owner() && status.isRegular()) {
      kept &= now.owner() == status.owner() ? ~0 : ~SETUID;
      kept &= now.group() == status.group() ? ~0 : ~SETGID;
    }
    if (kept != mode) {
      copy.lost(Loss.LossKind.MODE, "setuid and setgid are not given to another owner");
    }
    return kept;
  }

  /// Takes away the lists that the copy got where it was made, other than those of its source.
  private static void removeInherited(
      MetadataWriter copy, ExtendedAttributes.GivenLists lists, boolean isDirectory)
      throws IOException {
    if (copy.target().listAttributes(NO_ROOM) == 0) {
      return;
    }
    if (!lists.access()) {
      copy.removeList(AccessList.ACCESS);
    }
    if (isDirectory && !lists.byDefault()) {
      copy.removeList(AccessList.DEFAULT);
    }
  }

  /// Whether a copy has the time of its source, as exactly as its file system keeps times. Nobody
  /// tells how exactly that is, so a target's time that is a multiple of one of the steps that file
  /// systems count in is taken to be cut to it.
  public static boolean isTimeKept(FileTime source, FileTime target) {
    Instant from = source.toInstant();
    Instant to = target.toInstant();
    if (from.getEpochSecond() == to.getEpochSecond()) {
      for (long step : STEPS_NS) {
        boolean isCut = to.getNano() % step == 0 && from.getNano() / step == to.getNano() / step;
        if (isCut) {
          return true;
        }
      }
      return false;
    }
    return to.getNano() == 0
        && to.getEpochSecond() % STEP_S_MAX == 0
        && Math.floorDiv(from.getEpochSecond(), STEP_S_MAX) * STEP_S_MAX == to.getEpochSecond();
  }

  /// A regular file that is about to lose its name to its copy's.
  ///
  /// @param directory where it is
  /// @param name its name there
  /// @param status what it was when it was looked at
  public record Replaced(OpenDirectory directory, byte[] name, FileStatus status) {

    Handle handle() {
      return Handle.of(directory.descriptor(), name);
    }
  }
}
