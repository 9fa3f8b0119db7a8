package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Name;
import dev.zcp.core.Printable;
import dev.zcp.linux.FileStatus;
import dev.zcp.session.Admission.Deletion;
import dev.zcp.tree.DirectorySweep;
import dev.zcp.tree.Durability;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Listing;
import dev.zcp.tree.NameSpelling;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Partials.HiddenName;
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
import java.util.function.BooleanSupplier;

/// What directories have that the sender's do not have: `--delete` of a copy between machines.
///
/// While entries come it remembers a hash of each name that is offered, until the directory is
/// complete; then it looks at what else is in that. Two names of one hash only keep an entry that
/// could go. What it finds is deleted at the end, if nothing has failed at either end. Any thread
/// may call it; [#delete] once.
final class SurplusEntries {

  /// Hashes of the directories under way: 32 MB.
  private static final int HASHES_MAX = 1 << 22;

  /// Entries to be deleted. What is in them does not count.
  private static final int FOUND_MAX = 1 << 20;

  private static final int FIRST_HASHES = 16;

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
  private final Map<EntryPath, NameHashes> offered = new HashMap<>();
  private final Map<EntryPath, Surplus> found = new LinkedHashMap<>();
  private int hashes;
  private int count;
  private boolean isTooMuch;

  /// What could not be deleted.
  private final Set<String> failed = new HashSet<>();

  /// What one directory has too much, and which directory it was.
  private record Surplus(FileStatus directory, Set<Name> names) {}

  /// A bag of numbers.
  private static final class NameHashes {

    private long[] all = new long[FIRST_HASHES];
    private int count;

    void add(long hash) {
      if (count == all.length) {
        all = Arrays.copyOf(all, 2 * count);
      }
      all[count++] = hash;
    }

    void sort() {
      Arrays.sort(all, 0, count);
    }

    boolean has(long hash) {
      return Arrays.binarySearch(all, 0, count, hash) >= 0;
    }
  }

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
    if (isTooMuch || path.parent() == null && !deletion.isOfTarget()) {
      return;
    }
    NameHashes names = offered.computeIfAbsent(path.parent(), _ -> new NameHashes());
    byte[] name = path.name().bytes();
    long own = hash(name);
    long folded = foldedHash(name);
    names.add(own);
    if (folded != own) {
      names.add(folded);
    }
    hashes += folded == own ? 1 : 2;
    if (hashes > HASHES_MAX) {
      giveUp();
    }
  }

  private void giveUp() {
    isTooMuch = true;
    offered.clear();
    found.clear();
  }

  /// All that is in a directory was offered, and is over.
  ///
  /// @param path null for the receiver's own
  /// @param isMade whether the session made it, so that nothing else is in it
  synchronized void look(EntryPath path, OpenDirectory directory, boolean isMade)
      throws IOException {
    NameHashes names = offered.remove(path);
    hashes -= names == null ? 0 : names.count;
    if (isTooMuch || isMade) {
      return;
    }
    NameHashes there = names == null ? new NameHashes() : names;
    there.sort();
    Set<Name> surplus = new HashSet<>();
    listing.begin(directory, 0);
    while (listing.fill(directory)) {
      while (listing.next()) {
        byte[] name = listing.name();
        FileStatus status = there.has(hash(name)) ? null : directory.statusOf(name);
        if (status != null && !stays(path, directory, name, status, there)) {
          surplus.add(Name.of(name));
        }
      }
    }
    count += surplus.size();
    if (count > FOUND_MAX) {
      giveUp();
    } else if (!surplus.isEmpty()) {
      found.put(path, new Surplus(directory.status(), surplus));
    }
  }

  private boolean stays(
      EntryPath path, OpenDirectory directory, byte[] name, FileStatus status, NameHashes there)
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
  /// @throws Failure if nothing is deleted, since it would be too much
  synchronized void delete(Folders folders) throws Failure {
    if (isTooMuch) {
      throw Failure.of(
              ExitCode.DESTINATION,
              "--delete",
              "too many entries: it takes "
                  + HASHES_MAX
                  + " names in the directories under way, and finds "
                  + FOUND_MAX
                  + " to delete")
          .with("nothing was deleted");
    }
    Deleting deleting = deletion.deleting();
    if (deleting.entriesMax() < Deleting.UNLIMITED) {
      long[] all = new long[1];
      found.forEach((path, surplus) -> all[0] += sweep(folders, path, surplus, true));
      deleting.require("--delete", all[0]);
      if (!failed.isEmpty()) {
        return;
      }
    }
    found.forEach((path, surplus) -> sweep(folders, path, surplus, false));
  }

  /// @return how many entries are gone, or would be
  private long sweep(Folders folders, EntryPath path, Surplus surplus, boolean countsOnly) {
    SurplusRules rules = new SurplusRules(path, surplus, countsOnly);
    try {
      Folders.HeldFolder folder = folders.hold(path, false);
      try {
        OpenDirectory directory = folder.directory();
        if (!directory.status().isSameFile(surplus.directory())) {
          throw new IOException("was replaced by another directory while it was received");
        }
        FileStatus before = directory.now();
        if (new DirectorySweep(rules).run(directory, countsOnly)) {
          restore(directory, before);
          durability.made(directory);
        }
      } finally {
        folders.release(folder);
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
      // Whoever may not set them could not give it those of the source either, and that was told.
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
  private final class SurplusRules implements DirectorySweep.Rules {

    private final EntryPath directory;
    private final Surplus surplus;
    private final boolean countsOnly;
    private long gone;
    private long toldNs = System.nanoTime();

    SurplusRules(EntryPath directory, Surplus surplus, boolean countsOnly) {
      this.directory = directory;
      this.surplus = surplus;
      this.countsOnly = countsOnly;
    }

    @Override
    public boolean stays(byte[] path, FileStatus status, FileStatus above) {
      boolean isOwn = DirectorySweep.isOwn(path);
      return isOwn && !surplus.names().contains(Name.of(path))
          || !isOwn && isExcluded(directory, path, status);
    }

    @Override
    public void gone(byte[] path) {
      gone++;
      if (!countsOnly) {
        work.deleted(label(path));
      }
    }

    @Override
    public void failed(byte[] path, IOException cause) {
      tell(label(path), Reasons.destination(label(path), cause));
    }

    /// Tells the sender now and then that this goes on.
    @Override
    public boolean isOver() {
      if (System.nanoTime() - toldNs > TELL_NS) {
        toldNs = System.nanoTime();
        work.readAgain(1);
      }
      return isAbandoned.getAsBoolean();
    }

    @Override
    public String label(byte[] path) {
      return Printable.of(whole(directory, path));
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
