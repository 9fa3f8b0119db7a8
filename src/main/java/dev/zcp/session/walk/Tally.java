package dev.zcp.session.walk;

import dev.zcp.core.RawPath;
import dev.zcp.io.FileStatus;
import dev.zcp.io.FileType;
import dev.zcp.tree.Filter;
import dev.zcp.tree.HardLinks;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.List;

/// Counts what a [Walk] will find, by looking at names and statuses alone. Not what a list names.
///
/// It decides nothing. Where it meets with something that it cannot count, it gives up: the walk
/// finds out itself what is wrong there.
public final class Tally {

  /// Directories that wait, and names of files with several: so much memory and no more.
  private static final int REMEMBERED_MAX = 100_000;

  private final Selection selection;
  private final boolean keepsLinks;
  private final Listing listing = new Listing();
  private final ArrayDeque<Place> places = new ArrayDeque<>();
  private final HardLinks<Boolean, Boolean> links;

  /// Nothing more is counted, since nobody wants it or there is no telling.
  private volatile boolean stopped;

  private long entries;
  private long files;
  private long bytes;

  /// @param keepsLinks whether a file with several names is one file
  public Tally(Selection selection, boolean keepsLinks) {
    this.selection = selection;
    this.keepsLinks = keepsLinks;
    this.links = new HardLinks<>(selection.links() != Links.KEPT);
  }

  /// Counts what these sources have. To be called once.
  ///
  /// @return whether the sums are known now
  public boolean count(List<RawPath> sources) {
    try {
      for (RawPath source : sources) {
        operand(source);
      }
      return !stopped;
    } catch (IOException e) {
      // A share of what is not known would be no share. The walk tells what is wrong with it.
      return false;
    }
  }

  /// Ends the count, wherever it is. Any thread may call it.
  public void stop() {
    stopped = true;
  }

  /// Of every kind, all names; but for the operands that have no name, as `.` has none.
  public long entries() {
    return entries;
  }

  /// Regular files.
  public long files() {
    return files;
  }

  /// The sum of their sizes.
  public long bytes() {
    return bytes;
  }

  private void operand(RawPath source) throws IOException {
    boolean follow = selection.links() != Links.KEPT || source.endsInSlash();
    byte[] name = Anchors.name(source);
    try (OpenDirectory parent = OpenDirectory.open(source.parent())) {
      FileStatus status = follow ? parent.statusBehind(name) : parent.statusOf(name);
      if (status == null || !status.isDirectory()) {
        count(status);
        return;
      }
      if (selection.recursive()) {
        entries += Anchors.isDots(name) ? 0 : 1;
        places.push(new Place(source, new byte[0], status.device()));
      }
    }
    while (!places.isEmpty() && !stopped) {
      list(places.pop());
    }
  }

  private void list(Place place) throws IOException {
    try (OpenDirectory directory = OpenDirectory.open(place.path())) {
      if (selection.oneFileSystem() && directory.status().device() != place.device()) {
        return;
      }
      listing.begin(directory, 0);
      while (!stopped && listing.fill(directory)) {
        while (listing.next()) {
          entry(place, directory, listing.name(), listing.type());
        }
      }
    } catch (AccessDeniedException | NoSuchFileException e) {
      // Nothing in there will be found either.
      return;
    }
  }

  private void entry(Place place, OpenDirectory directory, byte[] name, int type)
      throws IOException {
    boolean follow = selection.links() == Links.FOLLOWED;
    FileStatus status = null;
    int actual = type;
    if (type == Listing.UNKNOWN || type == FileType.REGULAR || follow && type == FileType.SYMLINK) {
      status = follow ? directory.statusBehind(name) : directory.statusOf(name);
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
      count(status);
      return;
    }
    if (actual != FileType.SOCKET) {
      entries++;
    }
    if (actual != FileType.DIRECTORY) {
      return;
    }
    if (type != FileType.DIRECTORY || places.size() == REMEMBERED_MAX) {
      // A link may lead to where the walk has been: to follow it is the walk's business.
      stopped = true;
      return;
    }
    places.push(new Place(place.path().resolve(name), below, place.device()));
  }

  /// @param status of what is no directory, or null where there is nothing
  private void count(FileStatus status) {
    if (status == null || status.isSocket()) {
      return;
    }
    entries++;
    if (status.isRegular() && isFirst(status)) {
      files++;
      bytes += status.sizeBytes();
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
      stopped = true;
    }
    return first;
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
