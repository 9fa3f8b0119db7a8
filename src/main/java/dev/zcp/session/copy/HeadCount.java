package dev.zcp.session.copy;

import dev.zcp.core.RawPath;
import dev.zcp.insight.Insight;
import dev.zcp.io.FileStatus;
import dev.zcp.io.FileType;
import dev.zcp.session.Existing;
import dev.zcp.session.walk.Links;
import dev.zcp.session.walk.Selection;
import dev.zcp.tree.Filter;
import dev.zcp.tree.HardLinks;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;

/// Counts what a tree copy has to do while it is under way, so that somebody who watches sees a
/// share and a time left. It walks the sources on a thread of its own and looks at names and
/// statuses alone.
///
/// It decides nothing. Where it meets with something that it cannot count, it gives up and tells
/// nothing: the copy finds out itself what is wrong there.
final class HeadCount implements AutoCloseable {

  /// A copy that is over sooner shows no progress.
  private static final long DELAY_MS = 250;

  /// Directories that wait, and names of files with several: so much memory and no more.
  private static final int REMEMBERED_MAX = 100_000;

  private final CopyRequest request;
  private final Insight insight;
  private final Listing listing = new Listing();
  private final ArrayDeque<Place> places = new ArrayDeque<>();
  private final HardLinks<Boolean, Boolean> links;
  private final Thread thread;

  /// Nothing more is counted, since the copy is over or there is no telling.
  private volatile boolean stopped;

  private long files;
  private long bytes;

  private HeadCount(CopyRequest request, Insight insight) {
    this.request = request;
    this.insight = insight;
    this.links = new HardLinks<>(request.selection().links() != Links.KEPT);
    this.thread = new Thread(this::countLater, "zcp-count");
    thread.setDaemon(true);
  }

  /// A count where what is counted is what will be copied: not what a list names, and not where
  /// files of the target may be kept.
  ///
  /// @return null where nothing is to be counted
  static HeadCount of(CopyRequest request, Insight insight) {
    boolean countable =
        request.policy().existing() == Existing.REPLACE
            && request.selection().names() == null
            && !request.assurance().compareOnly()
            && !request.dryRun();
    return countable ? new HeadCount(request, insight) : null;
  }

  /// Begins to count beside the copy, unless that is over at once.
  void start() {
    thread.start();
  }

  /// Ends the count, wherever it is.
  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void countLater() {
    try {
      Thread.sleep(DELAY_MS);
    } catch (InterruptedException e) {
      // The copy is over.
      return;
    }
    count();
  }

  /// Counts, and tells the totals where there are some.
  void count() {
    try {
      for (RawPath source : request.sources()) {
        operand(source);
      }
      if (!stopped) {
        insight.counted(files, bytes);
      }
    } catch (IOException e) {
      // A share of what is not known would be no share. The copy tells what is wrong with it.
      return;
    }
  }

  private void operand(RawPath source) throws IOException {
    Links how = request.selection().links();
    boolean follow = how != Links.KEPT || source.endsInSlash();
    byte[] name = source.lastComponent();
    try (OpenDirectory parent = OpenDirectory.open(source.parent())) {
      byte[] own = name.length == 0 ? new byte[] {'.'} : name;
      FileStatus status = follow ? parent.statusBehind(own) : parent.statusOf(own);
      if (status == null || !status.isDirectory()) {
        count(status);
        return;
      }
      if (request.selection().recursive()) {
        places.push(new Place(source, new byte[0], status.device()));
      }
    }
    while (!places.isEmpty() && !stopped) {
      list(places.pop());
    }
  }

  private void list(Place place) throws IOException {
    try (OpenDirectory directory = OpenDirectory.open(place.path())) {
      Selection selection = request.selection();
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
      // Nothing in there will be copied either.
      return;
    }
  }

  private void entry(Place place, OpenDirectory directory, byte[] name, int type)
      throws IOException {
    boolean follow = request.selection().links() == Links.FOLLOWED;
    FileStatus status = null;
    int actual = type;
    if (type == Listing.UNKNOWN || type == FileType.REGULAR || follow && type == FileType.SYMLINK) {
      status = follow ? directory.statusBehind(name) : directory.statusOf(name);
      if (status == null) {
        return;
      }
      actual = status.type();
    }
    if (actual != FileType.DIRECTORY && actual != FileType.REGULAR) {
      return;
    }
    byte[] below = place.below(name);
    Filter filter = request.selection().filter();
    if (filter != Filter.NONE && filter.excludes(below, actual == FileType.DIRECTORY)) {
      return;
    }
    if (actual == FileType.REGULAR) {
      count(status);
      return;
    }
    if (type != FileType.DIRECTORY || places.size() == REMEMBERED_MAX) {
      // A link may lead to where the walk has been: to follow it is the copy's business.
      stopped = true;
      return;
    }
    places.push(new Place(place.path().resolve(name), below, place.device()));
  }

  private void count(FileStatus status) {
    if (status != null && status.isRegular() && isFirst(status)) {
      files++;
      bytes += status.sizeBytes();
    }
  }

  private boolean isFirst(FileStatus status) {
    if (!request.preserve().links() || status.links() < 2) {
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
