package dev.zcp.web;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.EntryPath;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The files and directories that a user has named, to be fetched under their own names. What is in
/// a directory is found name by name, and no link is followed there: so nothing else can be
/// fetched. Any thread may call it.
final class SharedFiles implements Closeable {

  private static final byte[] NO_NAMES = {};

  /// The directory of each, held open, by the name that it is fetched by.
  private final Map<EntryPath, OpenDirectory> roots = new LinkedHashMap<>();

  /// Something that can be fetched.
  ///
  /// @param directory where it is; to be closed
  /// @param name in that
  /// @param followLink whether a link of that name was named by the user
  record SharedEntry(OpenDirectory directory, byte[] name, FileStatus status, boolean followLink)
      implements Closeable {

    @Override
    public void close() {
      Quietly.close(directory);
    }
  }

  /// What a page tells of an entry.
  record ListedEntry(byte[] name, boolean isDirectory, long bytes) {}

  /// @throws Failure SOURCE if one is not there, USAGE if two have one name
  static SharedFiles of(Collection<RawPath> files) throws Failure {
    SharedFiles shared = new SharedFiles();
    try {
      for (RawPath file : files) {
        shared.add(file);
      }
    } catch (Failure failure) {
      shared.close();
      throw failure;
    }
    return shared;
  }

  private void add(RawPath file) throws Failure {
    EntryPath name;
    try {
      name = EntryPath.of(file.lastComponent());
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.USAGE, file, "has no name that it could be fetched by")
          .with("name the directory itself");
    }
    try {
      FileStatus status = FileStatus.of(file);
      if (!isShared(name.bytes(), status)) {
        throw new FileSystemException(file.toString(), null, whyNotShared(name.bytes()));
      }
      OpenDirectory directory = OpenDirectory.open(file.parent());
      if (roots.putIfAbsent(name, directory) != null) {
        directory.close();
        throw Failure.of(ExitCode.USAGE, file, "has the same name as another one");
      }
    } catch (IOException e) {
      throw Reasons.source(file, e);
    }
  }

  /// @return null if there is no such file or directory, or it cannot be looked at
  SharedEntry find(EntryPath path) {
    Deque<byte[]> names = WebName.names(path);
    OpenDirectory above = roots.get(EntryPath.of(names.getFirst()));
    if (above == null || path.hasNameFrom(HiddenName.prefix())) {
      return null;
    }
    boolean isNamed = names.size() == 1;
    byte[] name = names.getLast();
    OpenDirectory directory = null;
    SharedEntry found = null;
    try {
      directory = isNamed ? above.directoryBelow(NO_NAMES) : within(above, path);
      FileStatus status = isNamed ? directory.statusBehind(name) : directory.statusOf(name);
      if (status != null && isShared(name, status)) {
        found = new SharedEntry(directory, name, status, isNamed);
      }
      return found;
    } catch (IOException e) {
      // Who has the URL need not know of what it does not give.
      return null;
    } finally {
      if (found == null) {
        Quietly.close(directory);
      }
    }
  }

  private static OpenDirectory within(OpenDirectory above, EntryPath path) throws IOException {
    byte[] root = WebName.names(path).getFirst();
    byte[] way = path.parent().bytes();
    try (OpenDirectory top = above.directory(root, true)) {
      int start = Math.min(root.length + 1, way.length);
      return top.directoryBelow(Arrays.copyOfRange(way, start, way.length));
    }
  }

  /// Why an entry is not [shared][#isShared].
  static String whyNotShared(byte[] name) {
    return HiddenName.isReserved(name)
        ? "names with .zcp- are zcp's own partial files"
        : "is no file and no directory";
  }

  static boolean isShared(byte[] name, FileStatus status) {
    return (status.isRegular() || status.isDirectory()) && !HiddenName.isReserved(name);
  }

  /// Whether `paths` are, with all below them, more than `most` entries.
  boolean hasMoreThan(int most, List<EntryPath> paths) {
    int left = most;
    for (EntryPath each : paths) {
      try (SharedEntry found = find(each)) {
        if (found != null) {
          left = countDown(left - 1, found.directory(), found.name(), found.followLink(), 0);
        }
      }
    }
    return left < 0;
  }

  /// @return what is left of `left` when the entries below a directory are taken off; less than 0
  ///   if they are more
  private static int countDown(
      int left, OpenDirectory above, byte[] name, boolean followLink, int depth) {
    if (depth == ArchiveStream.DEPTH_MAX) {
      return left;
    }
    int rest = left;
    try (OpenDirectory directory = above.directory(name, followLink)) {
      Listing listing = new Listing();
      while (rest >= 0 && listing.next(directory)) {
        int type = listing.type();
        rest--;
        if (type == FileType.DIRECTORY || type == Listing.UNKNOWN) {
          rest = countDown(rest, directory, listing.name(), false, depth + 1);
        }
      }
    } catch (IOException e) {
      // It is no directory, or one that cannot be read: then it has no entries.
    }
    return rest;
  }

  /// All that the user has named.
  List<EntryPath> paths() {
    return List.copyOf(roots.keySet());
  }

  /// Those of them that can be fetched now.
  List<ListedEntry> roots() {
    List<ListedEntry> all = new ArrayList<>();
    for (EntryPath each : roots.keySet()) {
      try (SharedEntry found = find(each)) {
        if (found != null) {
          all.add(listed(found.name(), found.status()));
        }
      }
    }
    return all;
  }

  /// What to put after the URL to fetch the only one of them, or all; percent-encoded.
  String curlPath() {
    List<ListedEntry> all = roots();
    if (all.size() != 1) {
      return "?zip";
    }
    ListedEntry only = all.getFirst();
    return WebName.encoded(only.name()) + (only.isDirectory() ? "/?zip" : "");
  }

  /// What is in a directory, by name; the first `most` that are found.
  static List<ListedEntry> list(SharedEntry found, int most) throws IOException {
    List<ListedEntry> all = new ArrayList<>();
    try (OpenDirectory directory = found.directory().directory(found.name(), found.followLink())) {
      Listing listing = new Listing();
      while (all.size() < most && listing.next(directory)) {
        byte[] name = listing.name();
        FileStatus status = directory.statusOf(name);
        if (status != null && isShared(name, status)) {
          all.add(listed(name, status));
        }
      }
    }
    all.sort((one, other) -> Arrays.compareUnsigned(one.name(), other.name()));
    return all;
  }

  private static ListedEntry listed(byte[] name, FileStatus status) {
    return new ListedEntry(name, status.isDirectory(), status.sizeBytes());
  }

  @Override
  public void close() {
    roots.values().forEach(Quietly::close);
  }
}
