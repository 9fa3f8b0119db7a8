package dev.zcp.profile;

import dev.zcp.core.RawPath;
import dev.zcp.core.WholeFile;
import dev.zcp.json.JsonLines;
import dev.zcp.json.JsonObject;
import dev.zcp.json.JsonObject.MalformedJson;
import dev.zcp.linux.FileStatus;
import dev.zcp.profile.Mounts.Mount;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What was measured on this machine, by route. It is kept in one file, whole at any moment, for
/// its owner alone, since mounts and hosts are nobody else's business.
///
/// @param routes the oldest first, each place once
public record Profile(List<MeasuredRoute> routes) {

  /// How many routes are kept; the oldest go first.
  static final int ROUTES_MAX = 64;

  static final Profile EMPTY = new Profile(List.of());

  /// Above what [#ROUTES_MAX] routes with all their figures take.
  private static final int FILE_BYTES_MAX = 4 << 20;

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final Path KERNEL = Path.of("/proc/sys/kernel/osrelease");

  public Profile {
    routes = List.copyOf(routes);
  }

  /// What holds of `routeKey` here and now.
  ///
  /// @param kernel the release of the kernel that runs now
  Finding find(RouteKey routeKey, String kernel) {
    for (MeasuredRoute tuned : routes) {
      if (tuned.routeKey().isSamePlaceAs(routeKey)) {
        String reason = staleness(tuned, routeKey, kernel);
        return reason == null ? new Finding.Current(tuned) : new Finding.Stale(tuned, reason);
      }
    }
    return new Finding.Nothing();
  }

  /// This profile with `tuned`, in place of what was known of the same place.
  Profile with(MeasuredRoute tuned) {
    List<MeasuredRoute> all = new ArrayList<>(routes);
    all.removeIf(old -> old.routeKey().isSamePlaceAs(tuned.routeKey()));
    all.add(tuned);
    return new Profile(all.subList(Math.max(0, all.size() - ROUTES_MAX), all.size()));
  }

  /// Why figures hold no longer, or null if they do.
  private static String staleness(MeasuredRoute tuned, RouteKey routeKey, String kernel) {
    if (!tuned.kernel().equals(kernel)) {
      return "was measured on kernel " + tuned.kernel() + ", and this is " + kernel;
    }
    if (tuned.routeKey() instanceof RouteKey.Copy old && routeKey instanceof RouteKey.Copy now) {
      String source = changed(old.from(), now.from());
      return source != null ? source : changed(old.to(), now.to());
    }
    return null;
  }

  /// Why figures of another mount hold no longer, or null if it is the same.
  private static String changed(Mount before, Mount now) {
    if (before.isSameAs(now)) {
      return null;
    }
    String then = now.point() + " was " + before.type() + " of " + before.source();
    return "was measured when " + then + ", and it is " + now.type() + " of " + now.source();
  }

  /// What the file at `path` holds.
  ///
  /// @throws NoSuchFileException if there is none
  /// @throws MalformedJson if it holds something else than a profile
  static Profile read(RawPath path) throws IOException {
    byte[] text;
    try (InputStream in = Files.newInputStream(path.toPath())) {
      text = in.readNBytes(FILE_BYTES_MAX + 1);
    }
    if (text.length > FILE_BYTES_MAX) {
      throw new MalformedJson("is longer than a profile can be");
    }
    return ProfileFormat.PROFILE.read(JsonObject.parse(text, ""));
  }

  /// Finds out whether [#add] could write at `path`, and makes the directory if there is none.
  ///
  /// @throws IOException if it could not: something else than a regular file is there, or no file
  ///   can be made beside it
  public static void requireWritable(RawPath path) throws IOException {
    Path file = fileAt(path.toPath());
    Files.createDirectories(file.getParent(), PRIVATE_DIRECTORY);
    Path probe = WholeFile.partialBeside(file);
    create(probe, StandardOpenOption.CREATE_NEW).close();
    Files.delete(probe);
  }

  /// The file that `path` leads to, links followed, so that a link stays one and what it points to
  /// is replaced. It need not be there yet.
  ///
  /// @throws IOException if something is there that is no regular file: a rename would put a file
  ///   in place of a device
  private static Path fileAt(Path path) throws IOException {
    FileStatus status = FileStatus.ofExisting(path);
    if (status != null) {
      status.requireRegular(path);
    }
    return WholeFile.followed(path);
  }

  /// Adds `tuned` to the profile at `path`, which is made if there is none. Processes that do so at
  /// once wait for each other, so that none loses what another found.
  ///
  /// Synchronized, since between threads of one process the JDK makes no one wait, but throws.
  ///
  /// @return why what was there before is lost: it was no profile; empty if nothing is lost
  public static synchronized String add(RawPath path, MeasuredRoute tuned) throws IOException {
    Path file = fileAt(path.toPath());
    Files.createDirectories(file.getParent(), PRIVATE_DIRECTORY);
    // A file of its own: the profile itself is another file after each writing.
    Path lock = file.resolveSibling(".profile.lock");
    try (FileChannel channel = create(lock, StandardOpenOption.CREATE);
        FileLock _ = channel.lock()) {
      String lost = "";
      Profile before = EMPTY;
      try {
        before = read(path);
      } catch (NoSuchFileException e) {
        // The first.
      } catch (MalformedJson e) {
        lost = e.getMessage();
      }
      WholeFile.write(
          file, JsonLines.pretty(ProfileFormat.PROFILE, before.with(tuned)), true, PRIVATE);
      return lost;
    }
  }

  private static FileChannel create(Path path, StandardOpenOption how) throws IOException {
    return FileChannel.open(path, Set.of(how, StandardOpenOption.WRITE), PRIVATE);
  }

  /// The release of the running kernel, as `uname -r` prints it.
  public static String kernel() throws IOException {
    return Files.readString(KERNEL).strip();
  }

  /// What a profile says of a route.
  public sealed interface Finding {

    /// These figures hold.
    record Current(MeasuredRoute tuned) implements Finding {}

    /// There are figures, and they hold no longer.
    ///
    /// @param reason a phrase that a user can read
    record Stale(MeasuredRoute tuned, String reason) implements Finding {}

    /// There is a file, and it cannot be used.
    ///
    /// @param reason a phrase that a user can read
    record Unusable(String reason) implements Finding {}

    /// Nobody measured here.
    record Nothing() implements Finding {}
  }
}
