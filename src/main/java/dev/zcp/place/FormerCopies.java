package dev.zcp.place;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.PerThread;
import dev.zcp.core.Quietly;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.PlaceLink.Linked;
import dev.zcp.tree.AttributeSource;
import dev.zcp.tree.FileAge;
import dev.zcp.tree.Handle;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Former copies of what is copied now, each in a tree of its own: `--link-dest`. A file that has
/// not changed since becomes another name of its former copy, and takes no room.
///
/// It has not changed if size, time and all else that is preserved are the same: what differs in
/// anything but its bytes is a file of its own, too, since the two would be one. A former copy is
/// reached by names alone, and a link is no directory: what lies outside of its tree is no former
/// copy. Any thread may call it.
public final class FormerCopies implements Closeable {

  /// As rsync(1).
  public static final int TREES_MAX = 20;

  private static final byte[] ABOVE = {'.', '.', '/'};

  private final List<OpenDirectory> trees;
  private final Metadata metadata;
  private final PlaceLink links;
  private final Queue<LastFolders> folders = new ConcurrentLinkedQueue<>();
  private final PerThread<LastFolders> ownFolders = new PerThread<>(this::newFolders);

  private FormerCopies(List<OpenDirectory> trees, Metadata metadata, PlaceLink links) {
    this.trees = trees;
    this.metadata = metadata;
    this.links = links;
  }

  /// Opens the trees.
  ///
  /// @param paths a relative one is below `target`, as with rsync(1); none gives null
  /// @param target the directory that the copies are in, or that is made
  /// @param metadata says what is preserved
  /// @throws Failure DESTINATION if one is not there, or on another file system than the target
  public static FormerCopies open(
      List<RawPath> paths, RawPath target, Metadata metadata, PlaceLink links) throws Failure {
    if (paths.isEmpty()) {
      return null;
    }
    List<OpenDirectory> trees = new ArrayList<>();
    FormerCopies former = new FormerCopies(trees, metadata, links);
    boolean isOpen = false;
    try (OpenDirectory base = base(target)) {
      for (RawPath each : paths) {
        trees.add(open(each, target, base.status()));
      }
      isOpen = true;
    } catch (IOException e) {
      throw Reasons.destination(target, e);
    } finally {
      if (!isOpen) {
        former.close();
      }
    }
    return former;
  }

  private static OpenDirectory base(RawPath target) throws IOException {
    return OpenDirectory.open(isDirectory(target) ? target : target.parent());
  }

  private static OpenDirectory open(RawPath path, RawPath target, FileStatus base) throws Failure {
    OpenDirectory tree;
    try {
      tree = OpenDirectory.open(resolve(path, target));
    } catch (IOException e) {
      throw refused(path, target, Reasons.of(e))
          .with("a relative path begins at the target")
          .because(e);
    }
    if (tree.status().device() != base.device()) {
      Quietly.close(tree);
      throw refused(path, target, "is on another file system, and no file can be in both");
    }
    return tree;
  }

  private static Failure refused(RawPath path, RawPath target, String why) {
    return Failure.of(ExitCode.DESTINATION, target, "--link-dest=" + path + ": " + why);
  }

  private static boolean isDirectory(RawPath path) throws IOException {
    return FileStatus.exists(path) && FileStatus.of(path).isDirectory();
  }

  /// A target that is not there yet, or is a file, has no directory above it for the kernel.
  private static RawPath resolve(RawPath path, RawPath target) throws IOException {
    byte[] bytes = path.bytes();
    if (bytes[0] == '/') {
      return path;
    }
    boolean isAbove =
        bytes.length > ABOVE.length
            && Arrays.equals(bytes, 0, ABOVE.length, ABOVE, 0, ABOVE.length);
    if (isAbove && !isDirectory(target)) {
      return target.parent().resolve(Arrays.copyOfRange(bytes, ABOVE.length, bytes.length));
    }
    return target.resolve(bytes);
  }

  /// Whether there may be a former copy of anything in a directory.
  ///
  /// @param directory below the target; of no bytes for the target itself
  public boolean hasDirectory(byte[] directory) {
    for (OpenDirectory each : ownFolders.get().in(directory)) {
      if (each != null) {
        return true;
      }
    }
    return false;
  }

  /// Whether there is a former copy that has the size and the time of what is claimed.
  ///
  /// @param directory as [#hasDirectory] has it
  public boolean isLike(Conflict.Claim claim, byte[] directory) throws IOException {
    for (OpenDirectory each : ownFolders.get().in(directory)) {
      if (statusIfLike(each, claim) != null) {
        return true;
      }
    }
    return false;
  }

  /// Gives a former copy that is all that the claim is to be the claim's name, too. What has the
  /// name must have been [looked][Conflict#look] at.
  ///
  /// @param directory as [#hasDirectory] has it
  /// @param attributes of the source
  /// @return OBSTACLE if there is none, or none that can have one name more
  public Linked link(Conflict.Claim claim, byte[] directory, AttributeSource attributes)
      throws IOException, Failure {
    if (isThere(claim, attributes)) {
      return links.link(claim, claim.directory(), claim.name());
    }
    for (OpenDirectory each : ownFolders.get().in(directory)) {
      if (isSame(each, claim, attributes)) {
        Linked linked = links.link(claim, each, claim.name());
        if (linked != Linked.OBSTACLE) {
          return linked;
        }
      }
    }
    return Linked.OBSTACLE;
  }

  /// What [#link] would do.
  public Linked plan(Conflict.Claim claim, byte[] directory, AttributeSource attributes)
      throws IOException {
    if (isThere(claim, attributes)) {
      return Linked.ALREADY;
    }
    for (OpenDirectory each : ownFolders.get().in(directory)) {
      if (isSame(each, claim, attributes)) {
        FileStatus replaced = claim.replaced();
        boolean isThere = replaced != null && replaced.isSameFile(each.statusOf(claim.name()));
        return isThere ? Linked.ALREADY : Linked.MADE;
      }
    }
    return Linked.OBSTACLE;
  }

  /// Whether what has the name is all that the claim is, and stays. If it has other names, too,
  /// that could not be decided before its metadata was compared.
  private boolean isThere(Conflict.Claim claim, AttributeSource attributes) throws IOException {
    return claim.replaced() != null
        && isSame(claim.directory(), claim, attributes)
        && links.keepsAlone(claim);
  }

  private boolean isSame(OpenDirectory former, Conflict.Claim claim, AttributeSource attributes)
      throws IOException {
    FileStatus there = statusIfLike(former, claim);
    return there != null
        && !metadata.differs(
            attributes, claim.status(), Handle.of(former.descriptor(), claim.name()), there);
  }

  /// Opens a former copy that has the size and the time of what is claimed; null if there is none.
  ///
  /// @param directory as [#hasDirectory] has it
  public NativeFile open(Conflict.Claim claim, byte[] directory) throws IOException {
    for (OpenDirectory each : ownFolders.get().in(directory)) {
      FileStatus there = statusIfLike(each, claim);
      NativeFile file = there == null ? null : each.file(claim.name(), false);
      boolean isSame = false;
      try {
        isSame = file != null && file.status().isSameFile(there);
        if (isSame) {
          return file;
        }
      } finally {
        if (!isSame) {
          Quietly.close(file);
        }
      }
    }
    return null;
  }

  /// Opens the first file that has the name of what is claimed, whatever it is like; null if there
  /// is none.
  ///
  /// @param directory as [#hasDirectory] has it
  public NativeFile openVersion(Conflict.Claim claim, byte[] directory) throws IOException {
    for (OpenDirectory each : ownFolders.get().in(directory)) {
      FileStatus there = each == null ? null : each.statusOf(claim.name());
      if (there != null && there.isRegular()) {
        return each.file(claim.name(), false);
      }
    }
    return null;
  }

  private static FileStatus statusIfLike(OpenDirectory former, Conflict.Claim claim)
      throws IOException {
    FileStatus there = former == null ? null : former.statusOf(claim.name());
    return there != null && there.isRegular() && FileAge.isSame(there, claim.status())
        ? there
        : null;
  }

  private LastFolders newFolders() {
    LastFolders mine = new LastFolders();
    folders.add(mine);
    return mine;
  }

  @Override
  public void close() {
    folders.forEach(LastFolders::leave);
    trees.forEach(Quietly::close);
  }

  /// Where a thread looked last: files come directory by directory.
  private final class LastFolders {

    private final OpenDirectory[] found = new OpenDirectory[trees.size()];

    /// Null before the first one.
    private byte[] directory;

    /// The directories of that path in the trees; null for each that has none.
    OpenDirectory[] in(byte[] newDirectory) {
      if (!Arrays.equals(directory, newDirectory)) {
        leave();
        directory = newDirectory;
        for (int i = 0; i < found.length; i++) {
          found[i] = open(trees.get(i), newDirectory);
        }
      }
      return found;
    }

    void leave() {
      for (int i = 0; i < found.length; i++) {
        Quietly.close(found[i]);
        found[i] = null;
      }
      directory = null;
    }

    /// @return null if it is not there, or this user cannot reach it: then there is no former copy
    private static OpenDirectory open(OpenDirectory tree, byte[] path) {
      try {
        return tree.directoryBelow(path);
      } catch (IOException e) {
        return null;
      }
    }
  }
}
