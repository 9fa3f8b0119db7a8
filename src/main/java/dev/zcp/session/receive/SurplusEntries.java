package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.SipHash;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Conflict.Claim;
import dev.zcp.place.HashSetOfLongs;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.place.Surplus;
import dev.zcp.session.Admission.Deletion;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.wire.EntryPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

/// `--delete` of a copy between machines: finds the directories with a [Surplus].
///
/// While entries come it remembers a hash of each name that is offered, until the directory is
/// complete; then it looks at what else is in that. If two names have one hash, an entry may stay
/// that could go; none goes that must stay. Any thread may call it; [#run] once.
final class SurplusEntries implements Surplus.SurplusEvents {

  /// Hashes of names that are remembered at a time: 48 MB at most while a set grows.
  private static final int HASHES_MAX = 1 << 21;

  /// What a directory with something to delete weighs, in hashes.
  private static final int DIRECTORY_HASHES = 16;

  private final Terms terms;
  private final Folders folders;
  private final Deletion deletion;
  private final boolean dryRun;
  private final Surplus surplus;

  // All below is guarded by this.
  private final Listing listing = new Listing();
  private final Map<EntryPath, HashSetOfLongs> offered = new HashMap<>();
  private int hashes;
  private boolean isOverLimit;

  /// @param dryRun whether it is only told what would be deleted
  SurplusEntries(Terms terms, Folders folders, boolean dryRun) {
    this.terms = terms;
    this.folders = folders;
    this.deletion = terms.admission().deletion();
    this.dryRun = dryRun;
    this.surplus =
        new Surplus(terms.conflict(), terms.durability(), true, deletion.deleting(), dryRun, this);
  }

  /// An entry was offered, whatever becomes of it.
  synchronized void offered(EntryPath path) {
    if (isOverLimit || path.isTop() || path.parent() == null && !deletion.isOfTarget()) {
      return;
    }
    HashSetOfLongs names = offered.computeIfAbsent(path.parent(), _ -> new HashSetOfLongs());
    remember(names.add(hash(path.name().bytes())) ? 1 : 0);
  }

  private void remember(int more) {
    hashes += more;
    isOverLimit |= hashes > HASHES_MAX;
    if (isOverLimit) {
      offered.clear();
    }
  }

  /// All that is in a directory was offered, and is over.
  ///
  /// @param path null for the receiver's own
  /// @param isMade whether the session made it, so that nothing else is in it
  synchronized void look(EntryPath path, OpenDirectory directory, boolean isMade)
      throws IOException {
    if (isOverLimit) {
      return;
    }
    HashSetOfLongs offeredHere = offered.remove(path);
    HashSetOfLongs names = offeredHere == null ? new HashSetOfLongs() : offeredHere;
    remember(-names.size());
    if (isMade) {
      return;
    }
    ReceivedDirectory merged = new ReceivedDirectory(path, directory.status());
    int listed = 0;
    listing.begin(directory, 0);
    while (listing.fill(directory)) {
      while (listing.next()) {
        byte[] name = listing.name();
        if (names.has(hash(name))) {
          listed++;
        } else {
          merged.look(directory, name);
        }
      }
    }
    if (listed == names.size()) {
      merged.addFurtherNames();
    }
    if (merged.names.size() > 0) {
      surplus.add(merged);
      remember(merged.names.size() + DIRECTORY_HASHES);
      // A file system that takes two names for one lists another name than was offered.
      isOverLimit |= listed < names.size() && terms.conflict().mayHaveForgotten();
    }
  }

  /// Deletes what was found. What fails is told, and does not stop the rest.
  ///
  /// @throws Failure if nothing is deleted: it would be too much, or nobody can say what it is
  /// @throws CancellationException if the process or the session ends meanwhile
  synchronized void run() throws Failure {
    if (isOverLimit) {
      throw Failure.of(ExitCode.DESTINATION, "--delete", "too many names to remember")
          .with("nothing was deleted");
    }
    surplus.run("--delete");
    if (terms.partials().isAbandoned()) {
      throw new CancellationException("the process ends");
    }
  }

  /// What is in the way of a source itself stays: its user may have named another target than was
  /// meant.
  @Override
  public Surplus.MergedDirectory directoryOf(Claim claim) {
    EntryPath entry = (EntryPath) claim.label();
    boolean stays =
        entry.isTop()
            || entry.parent() == null && !deletion.isOfTarget()
            || terms.work().isAnyFailed();
    return stays ? null : new ReceivedDirectory(entry.parent(), claim.directory().status());
  }

  @Override
  public void gone(Object label, boolean countsOnly) {
    if (!countsOnly) {
      terms.work().deleted(label);
    } else if (dryRun) {
      BelowDirectory entry = (BelowDirectory) label;
      terms.work().wouldDelete(label, entry.directory().whole(entry.path()));
    }
  }

  @Override
  public void failed(Object label, Failure failure) {
    terms.work().failed(label, failure);
  }

  /// Ends with the session.
  @Override
  public boolean isOver() {
    terms.work().goesOn();
    return terms.partials().isAbandoned();
  }

  private static long hash(byte[] name) {
    return SipHash.own(0, name);
  }

  private final class ReceivedDirectory implements Surplus.MergedDirectory {

    /// Null for the receiver's own.
    private final EntryPath path;

    private final FileStatus status;

    /// Hashes of those that it has too much.
    private final HashSetOfLongs names = new HashSetOfLongs();

    /// Hashes of those that are names of what this session made or kept.
    private final List<Long> furtherNames = new ArrayList<>();

    ReceivedDirectory(EntryPath path, FileStatus status) {
      this.path = path;
      this.status = status;
    }

    /// Looks at an entry whose name was not offered.
    void look(OpenDirectory directory, byte[] name) throws IOException {
      FileStatus entry = directory.statusOf(name);
      // Another session may go on with a partial file.
      boolean goes = entry != null && !HiddenName.isReserved(name) && !stays(name, entry, status);
      boolean isOwn = goes && terms.conflict().isOfThisRun(entry);
      if (isOwn && entry.links() > 1 && !entry.isDirectory()) {
        furtherNames.add(hash(name));
      } else if (goes && !isOwn) {
        names.add(hash(name));
      }
    }

    /// All that was offered is listed by its own name: what else has a file of this session is
    /// another name of that.
    void addFurtherNames() {
      furtherNames.forEach(names::add);
    }

    /// What may be has no name here that is [too much][#names].
    @Override
    public boolean isFolded(OpenDirectory directory, byte[] name, FileStatus entry) {
      return false;
    }

    @Override
    public void hold(Surplus.Sweep sweep) throws IOException, Failure {
      try (Folders.HeldFolder folder = folders.hold(path, false)) {
        if (!folder.directory().status().isSameFile(status)) {
          throw new IOException("was replaced by another directory while it was received");
        }
        sweep.sweep(folder.directory());
      }
    }

    @Override
    public boolean isInSource(byte[] name) {
      return !names.has(hash(name));
    }

    @Override
    public boolean stays(byte[] below, FileStatus entry, FileStatus above) {
      Filter filter = deletion.filter();
      return filter != Filter.NONE && filter.excludes(pathInSource(below), entry.isDirectory());
    }

    /// The first name of a path is that of the source, unless its content comes.
    private byte[] pathInSource(byte[] below) {
      byte[] whole = whole(below);
      int start = 0;
      if (!deletion.isOfTarget()) {
        while (whole[start++] != '/') {}
      }
      return Arrays.copyOfRange(whole, start, whole.length);
    }

    /// May be longer than an [EntryPath].
    private byte[] whole(byte[] below) {
      if (path == null) {
        return below;
      }
      int length = path.length();
      ByteBuffer whole = ByteBuffer.allocate(length + 1 + below.length);
      path.put(whole);
      return whole.put((byte) '/').put(below).array();
    }

    @Override
    public Object label(byte[] below) {
      return below == null ? path == null ? "." : path : new BelowDirectory(this, below);
    }
  }

  /// An entry, for messages that need not be made.
  private record BelowDirectory(ReceivedDirectory directory, byte[] path) {

    @Override
    public String toString() {
      return Printable.of(directory.whole(path));
    }
  }
}
