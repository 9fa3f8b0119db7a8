package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Conflict;
import dev.zcp.place.Durability;
import dev.zcp.place.HashSetOfLongs;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.place.Surplus;
import dev.zcp.session.Admission.Deletion;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Listing;
import dev.zcp.tree.NameSpelling;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Policy.Deleting;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.EntryPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/// What directories have that the sender's do not have: `--delete` of a copy between machines.
///
/// While entries come it remembers a hash of each name that is offered, until the directory is
/// complete; then it looks at what else is in that. If two names have one hash, an entry may stay
/// that could go; none goes that must stay. What it finds is deleted at the end, if nothing has
/// failed at either end. Any thread may call it; [#delete] once.
final class SurplusEntries {

  /// Hashes of names and directories that are remembered at a time: 48 MB at most while a set
  /// grows.
  private static final int HASHES_MAX = 1 << 21;

  /// What a directory with something to delete weighs, in hashes.
  private static final int DIRECTORY_HASHES = 16;

  // FNV-1a: RFC 9923.
  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /// How often the sender hears that this goes on.
  private static final long TELL_NS = 1_000_000_000;

  private final Deletion deletion;
  private final FileWork work;
  private final Durability durability;
  private final BooleanSupplier isAbandoned;
  private final Listing listing = new Listing();

  // All below is guarded by this.
  private final Map<EntryPath, HashSetOfLongs> offered = new HashMap<>();
  private final Map<EntryPath, SurplusNames> surplusByDirectory = new LinkedHashMap<>();

  /// Those that are complete, by device and inode.
  private final HashSetOfLongs directories = new HashSetOfLongs();

  private int hashes;
  private boolean isOverLimit;
  private boolean isMerged;

  /// When the sender was told last that this goes on.
  private long toldNs;

  /// What could not be deleted.
  private final Set<String> failed = new HashSet<>();

  /// An entry, for messages that need not be made.
  private record BelowDirectory(EntryPath directory, byte[] path) {

    @Override
    public String toString() {
      return Printable.of(whole(directory, path));
    }
  }

  /// Hashes of the names that one directory has too much, and which directory it was.
  private record SurplusNames(FileStatus directory, HashSetOfLongs names) {}

  /// @param work told what is deleted, and what cannot be
  /// @param isAbandoned whether the process ends
  SurplusEntries(
      Deletion deletion, FileWork work, Durability durability, BooleanSupplier isAbandoned) {
    this.deletion = deletion;
    this.work = work;
    this.durability = durability;
    this.isAbandoned = isAbandoned;
  }

  /// An entry was offered, whatever becomes of it.
  synchronized void offered(EntryPath path) {
    if (isOverLimit || path.parent() == null && !deletion.isOfTarget()) {
      return;
    }
    HashSetOfLongs names = offered.computeIfAbsent(path.parent(), _ -> new HashSetOfLongs());
    byte[] name = path.name().bytes();
    int before = names.size();
    names.add(hash(name));
    names.add(foldedHash(name));
    remember(names.size() - before);
  }

  private void remember(int more) {
    hashes += more;
    if (hashes > HASHES_MAX) {
      isOverLimit = true;
      offered.clear();
      surplusByDirectory.clear();
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
    HashSetOfLongs names = offered.remove(path);
    HashSetOfLongs there = names == null ? new HashSetOfLongs() : names;
    remember(1 - there.size());
    FileStatus status = directory.status();
    // Of two names that are one here, each would lose what the other has.
    isMerged |= !directories.add(status.inode() * FNV_PRIME ^ status.device());
    if (isMade) {
      return;
    }
    HashSetOfLongs surplus = new HashSetOfLongs();
    listing.begin(directory, 0);
    while (listing.fill(directory)) {
      while (listing.next()) {
        byte[] name = listing.name();
        FileStatus entry = there.has(hash(name)) ? null : directory.statusOf(name);
        if (entry != null && !stays(path, directory, name, entry, there)) {
          surplus.add(hash(name));
        }
      }
    }
    if (surplus.size() > 0) {
      surplusByDirectory.put(path, new SurplusNames(status, surplus));
      remember(surplus.size() + DIRECTORY_HASHES);
    }
  }

  private boolean stays(
      EntryPath path, OpenDirectory directory, byte[] name, FileStatus status, HashSetOfLongs there)
      throws IOException {
    // Another session may go on with a partial file.
    return HiddenName.isReserved(name)
        || isExcluded(path, name, status)
        || there.has(foldedHash(name)) && NameSpelling.hasOthers(directory, name, status);
  }

  private boolean isExcluded(EntryPath directory, byte[] below, FileStatus status) {
    Filter filter = deletion.filter();
    return filter != Filter.NONE
        && filter.excludes(pathInSource(directory, below), status.isDirectory());
  }

  /// May be longer than an [EntryPath].
  private static byte[] whole(EntryPath directory, byte[] below) {
    if (directory == null) {
      return below;
    }
    int length = directory.length();
    ByteBuffer whole = ByteBuffer.allocate(length + 1 + below.length);
    directory.put(whole);
    return whole.put((byte) '/').put(below).array();
  }

  /// The first name of a path is that of the source, unless its content comes.
  private byte[] pathInSource(EntryPath directory, byte[] below) {
    byte[] whole = whole(directory, below);
    int start = 0;
    if (!deletion.isOfTarget()) {
      while (whole[start++] != '/') {}
    }
    return Arrays.copyOfRange(whole, start, whole.length);
  }

  /// Deletes what was found. What fails is told, and does not stop the rest.
  ///
  /// @throws Failure if nothing is deleted: it would be too much, or nobody can say what it is
  /// @throws CancellationException if the process or the session ends meanwhile
  synchronized void delete(Folders folders) throws Failure {
    if (isOverLimit) {
      throw kept("too many names to remember");
    }
    if (isMerged) {
      throw kept("two directories of the source are one here");
    }
    Deleting deleting = deletion.deleting();
    if (deleting.entriesMax() < Deleting.UNLIMITED) {
      long[] all = new long[1];
      surplusByDirectory.forEach((path, surplus) -> all[0] += sweep(folders, path, surplus, true));
      deleting.require("--delete", all[0]);
      if (!failed.isEmpty()) {
        throw kept("not all can be counted");
      }
    }
    surplusByDirectory.forEach((path, surplus) -> sweep(folders, path, surplus, false));
    if (isAbandoned.getAsBoolean()) {
      throw new CancellationException("the process ends");
    }
  }

  private static Failure kept(String why) {
    return Failure.of(ExitCode.DESTINATION, "--delete", why).with("nothing was deleted");
  }

  /// @return how many entries are gone, or would be
  private long sweep(Folders folders, EntryPath path, SurplusNames surplus, boolean countsOnly) {
    SurplusRules rules = new SurplusRules(path, surplus, countsOnly);
    try (Folders.HeldFolder folder = folders.hold(path, false)) {
      OpenDirectory directory = folder.directory();
      if (!directory.status().isSameFile(surplus.directory())) {
        throw new IOException("was replaced by another directory while it was received");
      }
      FileStatus before = directory.now();
      try {
        new Surplus(Conflict.ofNothing(), rules).run(directory, countsOnly);
      } finally {
        if (!countsOnly && rules.gone > 0) {
          restore(directory, before);
          durability.made(directory);
        }
      }
    } catch (IOException e) {
      tell(label(path), Reasons.destination(label(path), e));
    } catch (Failure failure) {
      tell(label(path), failure);
    }
    return rules.gone;
  }

  /// The deletion has changed the times of the directory.
  private static void restore(OpenDirectory directory, FileStatus before) {
    try {
      directory.giveTimes(before);
    } catch (IOException e) {
      // Then it could not be given those of the source either, which is told.
    }
  }

  /// Told once, however often it is tried.
  private void tell(Object label, Failure failure) {
    if (failed.add(label.toString())) {
      work.failed(label, failure);
    }
  }

  private static Object label(EntryPath path) {
    return path == null ? "." : path;
  }

  /// What goes from one directory.
  private final class SurplusRules implements Surplus.Rules {

    private final EntryPath directory;
    private final SurplusNames surplus;
    private final boolean countsOnly;
    private long gone;

    SurplusRules(EntryPath directory, SurplusNames surplus, boolean countsOnly) {
      this.directory = directory;
      this.surplus = surplus;
      this.countsOnly = countsOnly;
    }

    @Override
    public boolean stays(byte[] path, FileStatus status, FileStatus above) {
      return Surplus.isOwn(path) && !surplus.names().has(hash(path))
          || isExcluded(directory, path, status);
    }

    @Override
    public void gone(byte[] path) {
      gone++;
      if (!countsOnly) {
        work.deleted(new BelowDirectory(directory, path));
      }
    }

    @Override
    public void failed(byte[] path, IOException cause) {
      tell(label(path), Reasons.destination(label(path), cause));
    }

    /// Tells the sender each second that this goes on, and ends with the session.
    @Override
    public boolean isOver() {
      long nowNs = System.nanoTime();
      boolean isDue = nowNs - toldNs > TELL_NS;
      toldNs = isDue ? nowNs : toldNs;
      work.readAgain(isDue ? 1 : 0);
      return isAbandoned.getAsBoolean();
    }

    @Override
    public String label(byte[] path) {
      return new BelowDirectory(directory, path).toString();
    }
  }

  private static long foldedHash(byte[] name) {
    return hash(NameSpelling.folded(name).getBytes(StandardCharsets.UTF_8));
  }

  private static long hash(byte[] name) {
    long hash = FNV_BASIS;
    for (byte each : name) {
      hash = (hash ^ each & 0xff) * FNV_PRIME;
    }
    return hash;
  }
}
