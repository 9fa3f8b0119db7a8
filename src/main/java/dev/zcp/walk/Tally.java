package dev.zcp.walk;

import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.tree.Filter;
import dev.zcp.tree.HardLinks;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts what a [Walk] will find, by looking at names and statuses alone, on one thread or on a
/// [crew][Crew]. Not what a list names.
///
/// It decides nothing. Where it meets with something that it cannot count, it gives up: the walk
/// finds out itself what is wrong there.
public final class Tally {

  /// Directories that wait, and names of files with several: so much memory and no more.
  private static final int REMEMBERED_MAX = 100_000;

  private final Selection selection;
  private final boolean keepsLinks;
  private final Crew crew;
  private final HardLinks<Boolean, Boolean> links;

  /// Directories that wait to be listed.
  private final AtomicInteger waiting = new AtomicInteger();

  /// Nothing more is counted, since nobody wants it or there is no telling.
  private volatile boolean stopped;

  /// What a thread of the crew met with that is no answer of the file system; null mostly.
  private volatile Throwable defect;

  // Guarded by this.
  private long entries;
  private long files;
  private long bytes;

  /// @param keepsLinks whether a file with several names is one file
  /// @param jobs how many threads count, at least one
  public Tally(Selection selection, boolean keepsLinks, int jobs) {
    this.selection = selection;
    this.keepsLinks = keepsLinks;
    this.crew = new Crew(jobs);
    this.links = new HardLinks<>(selection.links() != Links.KEPT);
  }

  /// Counts what these sources have. To be called once.
  ///
  /// @return whether the sums are known now
  public boolean count(List<RawPath> sources) {
    Sums sums = new Sums();
    try {
      for (RawPath source : sources) {
        operand(source, sums);
      }
    } catch (IOException e) {
      giveUp();
    }
    add(sums);
    crew.run();
    throwDefect();
    return !stopped && !crew.isStopped();
  }

  /// Ends the count, wherever it is. Any thread may call it.
  public void stop() {
    stopped = true;
    crew.stop();
  }

  /// Of every kind, all names; but for the operands that have no name, as `.` has none.
  public synchronized long entries() {
    return entries;
  }

  /// Regular files.
  public synchronized long files() {
    return files;
  }

  /// The sum of their sizes.
  public synchronized long bytes() {
    return bytes;
  }

  private synchronized void add(Sums sums) {
    entries += sums.entries;
    files += sums.files;
    bytes += sums.bytes;
  }

  private void operand(RawPath source, Sums sums) throws IOException {
    boolean follow = selection.links() != Links.KEPT || source.endsInSlash();
    byte[] name = Anchors.name(source);
    try (OpenDirectory parent = OpenDirectory.open(source.parent())) {
      FileStatus status = follow ? parent.statusBehind(name) : parent.statusOf(name);
      if (status == null || !status.isDirectory()) {
        count(status, sums);
        return;
      }
      if (selection.recursive()) {
        sums.entries += Anchors.isDots(name) ? 0 : 1;
        push(new Place(source, new byte[0], status.device()));
      }
    }
  }

  private void push(Place place) {
    waiting.incrementAndGet();
    crew.push(hand -> list(place, hand));
  }

  private void list(Place place, Hand hand) {
    waiting.decrementAndGet();
    Sums sums = new Sums();
    try {
      list(place, hand.listing(), sums);
    } catch (AccessDeniedException | NoSuchFileException e) {
      // Nothing more in there will be found either.
    } catch (IOException e) {
      giveUp();
    } catch (RuntimeException | Error e) {
      defect = e;
      giveUp();
    }
    add(sums);
  }

  /// A share of what is not known would be no share. The walk tells what is wrong with it.
  private void giveUp() {
    stop();
  }

  private void throwDefect() {
    if (defect instanceof RuntimeException e) {
      throw e;
    }
    if (defect instanceof Error e) {
      throw e;
    }
  }

  private void list(Place place, Listing listing, Sums sums) throws IOException {
    try (OpenDirectory directory = OpenDirectory.open(place.path())) {
      if (selection.oneFileSystem() && directory.status().device() != place.device()) {
        return;
      }
      listing.begin(directory, 0);
      while (!stopped && listing.fill(directory)) {
        while (listing.next()) {
          entry(place, directory, listing.name(), listing.type(), sums);
        }
      }
    }
  }

  private void entry(Place place, OpenDirectory directory, byte[] name, int type, Sums sums)
      throws IOException {
    boolean follow = selection.links() == Links.FOLLOWED;
    FileStatus status = null;
    int actual = type;
    if (type == Listing.UNKNOWN || type == FileType.REGULAR || follow && type == FileType.SYMLINK) {
      status = status(directory, name, follow);
      if (status == null) {
        return;
      }
      actual = status.type();
    }
    byte[] below = place.below(name);
    Filter filter = selection.filter();
    if (filter != Filter.NONE && filter.excludes(below, actual == FileType.DIRECTORY)) {
      return;
    }
    if (actual == FileType.REGULAR) {
      count(status, sums);
      return;
    }
    if (actual != FileType.SOCKET) {
      sums.entries++;
    }
    if (actual != FileType.DIRECTORY) {
      return;
    }
    if (type != FileType.DIRECTORY || waiting.get() >= REMEMBERED_MAX) {
      // A link may lead to where the walk has been: to follow it is the walk's business.
      giveUp();
      return;
    }
    push(new Place(place.path().resolve(name), below, place.device()));
  }

  /// @return null where there is nothing, or nothing that could be sent
  private static FileStatus status(OpenDirectory directory, byte[] name, boolean follow)
      throws IOException {
    try {
      return follow ? directory.statusBehind(name) : directory.statusOf(name);
    } catch (AccessDeniedException e) {
      return null;
    }
  }

  /// @param status of what is no directory, or null where there is nothing
  private void count(FileStatus status, Sums sums) {
    if (status == null || status.isSocket()) {
      return;
    }
    sums.entries++;
    if (status.isRegular() && isFirst(status)) {
      sums.files++;
      sums.bytes += status.sizeBytes();
    }
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
      giveUp();
    }
    return first;
  }

  /// Of one directory.
  private static final class Sums {
    private long entries;
    private long files;
    private long bytes;
  }

  /// A directory that waits to be listed.
  ///
  /// @param below its path below the operand, which is what a filter sees
  /// @param device the operand's
  private record Place(RawPath path, byte[] below, long device) {

    byte[] below(byte[] name) {
      if (below.length == 0) {
        return name;
      }
      ByteArrayOutputStream path = new ByteArrayOutputStream(below.length + 1 + name.length);
      path.writeBytes(below);
      path.write('/');
      path.writeBytes(name);
      return path.toByteArray();
    }
  }
}
