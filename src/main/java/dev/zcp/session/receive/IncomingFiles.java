package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Preserver;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Held;
import dev.zcp.wire.Level;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// The regular files of one session that were answered and are not over. Any thread may call it,
/// several at once for different files.
final class IncomingFiles {

  private final Terms terms;
  private final Folders folders;
  private final Claims claims;
  private final Claims.Holder holder;
  private final FirstNames firstNames;
  private final int openMax;
  private final int heldMax;
  private final Map<Long, Incoming> files = new ConcurrentHashMap<>();
  private final AtomicInteger open = new AtomicInteger();

  /// @param openMax how many may have a partial file at a time
  /// @param heldMax up to how many of them what there is to go on with is opened at its offer;
  ///   those beyond come anew
  IncomingFiles(
      Terms terms,
      Folders folders,
      Claims claims,
      Claims.Holder holder,
      FirstNames firstNames,
      int openMax,
      int heldMax) {
    this.terms = terms;
    this.folders = folders;
    this.claims = claims;
    this.holder = holder;
    this.firstNames = firstNames;
    this.openMax = openMax;
    this.heldMax = heldMax;
  }

  /// A file that was answered.
  private final class Incoming {

    private final Offered entry;
    private final Answer answer;

    /// What it is, where it is there and may be the source's; else null.
    private final FileStatus present;

    /// Null until it was begun. Guarded by this.
    private Landing landing;

    Incoming(Offered entry, Answer answer, FileStatus present, Landing landing) {
      this.entry = entry;
      this.answer = answer;
      this.present = present;
      this.landing = landing;
    }

    synchronized Landing landing(boolean resumable) throws IOException, Failure {
      if (landing == null) {
        landing = begin(entry, resumable);
      }
      return landing;
    }

    synchronized Landing ending() throws IOException, Failure {
      if (landing == null && present != null) {
        landing = presentLanding(entry, present);
      }
      return landing(true);
    }

    /// @return null if it was not begun
    synchronized Landing begun() {
      return landing;
    }
  }

  Answer consider(Offered entry) throws IOException, Failure {
    Incoming known = files.get(entry.fileId());
    if (known != null) {
      return known.answer;
    }
    if (!claims.take(entry.path(), holder, entry.fileId())) {
      String who =
          claims.isHeldBy(entry.path(), holder)
              ? "another entry of this sender goes there"
              : "is being received from another sender";
      throw Failure.of(ExitCode.EXISTS, entry.path().toString(), who);
    }
    Incoming file = null;
    try {
      file = look(entry);
      files.put(entry.fileId(), file);
      return file.answer;
    } finally {
      if (file == null) {
        release(entry);
      }
    }
  }

  private Incoming look(Offered entry) throws IOException, Failure {
    if (terms.discards()) {
      return new Incoming(entry, Answer.of(entry.fileId(), Answer.Kind.ALL), null, null);
    }
    Folders.Folder folder = folders.hold(entry.path().parent(), true);
    try {
      OpenDirectory directory = folder.directory();
      FileStatus there = directory.statusOf(entry.path().name().bytes());
      if (there != null) {
        if (there.isDirectory()) {
          throw Terms.takenByDirectory(entry);
        }
        Incoming present = mayBeWhole(entry, there) ? present(entry, directory, there) : null;
        if (present != null) {
          return present;
        }
        if (!terms.replaces()) {
          throw Terms.taken(entry);
        }
      }
    } finally {
      folders.release(folder);
    }
    return wanted(entry);
  }

  private static boolean mayBeWhole(Offered entry, FileStatus there) {
    return entry.hasSize()
        && there.isRegular()
        && there.sizeBytes() == entry.size()
        && Preserver.isTimeKept(Given.time(entry.attire().modified()), there.modified());
  }

  /// @return null if it cannot be read as it was looked at
  private Incoming present(Offered entry, OpenDirectory directory, FileStatus there)
      throws IOException {
    try (NativeFile file = directory.file(entry.path().name().bytes(), false)) {
      if (!file.status().isUnchangedSince(there)) {
        return null;
      }
      Span all = new Span(0, there.sizeBytes());
      int crc32c = ReadBack.crc32c(file, all, terms.work());
      if (!file.status().isUnchangedSince(there)) {
        return null;
      }
      List<Held> held = all.isEmpty() ? List.of() : List.of(new Held(all, crc32c));
      Failure taken = terms.replaces() ? null : Terms.taken(entry);
      Answer whole =
          taken == null
              ? Answer.whole(entry.fileId(), held, ExitCode.OK, "")
              : Answer.whole(entry.fileId(), held, taken.exitCode(), taken.reason());
      return new Incoming(entry, whole, there, null);
    } catch (AccessDeniedException e) {
      // A file that may not be read may be replaced all the same.
      return null;
    }
  }

  /// What there is to go on with is opened now; a new partial file is made when its first bytes
  /// come.
  private Incoming wanted(Offered entry) throws IOException, Failure {
    List<Held> held = List.of();
    FileLanding landing = null;
    if (isResumable(entry)) {
      Folders.Folder folder = folders.hold(entry.path().parent(), true);
      try {
        HiddenNames names = HiddenNames.of(entry.path().name().bytes());
        if (folder.directory().statusOf(names.journal()) != null && countOpen(heldMax)) {
          ResumableFile file = openCounted(entry, folder.directory(), true);
          held = file.held();
          landing = landing(entry, folder, file);
          folder = null;
        }
      } finally {
        if (folder != null) {
          folders.release(folder);
        }
      }
    }
    Answer answer =
        held.isEmpty()
            ? Answer.of(entry.fileId(), Answer.Kind.ALL)
            : Answer.rest(entry.fileId(), held);
    return new Incoming(entry, answer, null, landing);
  }

  private boolean isResumable(Offered entry) {
    return !terms.discards() && entry.hasSize() && entry.size() >= ResumableFile.BYTES_MIN;
  }

  private ResumableFile open(Offered entry, OpenDirectory directory, boolean resumable)
      throws IOException, Failure {
    if (!countOpen(openMax)) {
      throw Failure.of(
          ExitCode.DESTINATION,
          entry.path().toString(),
          "more than " + openMax + " files are under way");
    }
    return openCounted(entry, directory, resumable);
  }

  /// Counts one more open file, unless there are `max`.
  private boolean countOpen(int max) {
    boolean fits = open.incrementAndGet() <= max;
    if (!fits) {
      open.decrementAndGet();
    }
    return fits;
  }

  private ResumableFile openCounted(Offered entry, OpenDirectory directory, boolean resumable)
      throws IOException, Failure {
    ResumableFile file = null;
    long startedNs = System.nanoTime();
    try {
      file =
          resumable && isResumable(entry)
              ? ResumableFile.open(
                  terms.partials(),
                  directory,
                  entry.path().name().bytes(),
                  entry.size(),
                  entry.identity(),
                  terms.resumeVerify(),
                  terms.work())
              : passing(directory, entry.path().name().bytes());
      terms.work().sample(Stage.CREATE, System.nanoTime() - startedNs);
      return file;
    } finally {
      if (file == null) {
        open.decrementAndGet();
      }
    }
  }

  /// Files of many directories are discarded in one.
  private ResumableFile passing(OpenDirectory directory, byte[] name) throws IOException {
    return terms.discards()
        ? ResumableFile.passing(terms.partials(), directory)
        : ResumableFile.passing(terms.partials(), directory, name);
  }

  /// @param folder held until it is over
  private FileLanding landing(Offered entry, Folders.Folder folder, ResumableFile file) {
    return new FileLanding(
        terms,
        entry,
        folder.directory(),
        file,
        arrived -> {
          open.decrementAndGet();
          folders.release(folder);
          over(entry, arrived);
        });
  }

  Landing landing(Offered entry) throws IOException, Failure {
    return known(entry).landing(true);
  }

  Landing ending(Offered entry) throws IOException, Failure {
    return known(entry).ending();
  }

  private Incoming known(Offered entry) {
    Incoming file = files.get(entry.fileId());
    if (file == null) {
      throw new IllegalStateException(entry.path() + " is over, or was not answered");
    }
    return file;
  }

  private Landing presentLanding(Offered entry, FileStatus present) {
    return new PresentLanding(terms, entry, folders, present, arrived -> over(entry, arrived));
  }

  private Landing begin(Offered entry, boolean resumable) throws IOException, Failure {
    Folders.Folder folder = null;
    FileLanding landing = null;
    try {
      folder = folders.hold(terms.discards() ? null : entry.path().parent(), true);
      landing = landing(entry, folder, open(entry, folder.directory(), resumable));
      return landing;
    } finally {
      if (landing == null) {
        if (folder != null) {
          folders.release(folder);
        }
        over(entry, false);
      }
    }
  }

  Level put(Offered entry, ByteBuffer bytes, int crc32c, Level level) throws Failure {
    try (Landing landing = known(entry).landing(false)) {
      long size = bytes.remaining();
      long startedNs = System.nanoTime();
      Writing.all(landing.sink(), bytes, 0);
      terms.work().sample(Stage.WRITE, System.nanoTime() - startedNs);
      return landing.publish(new Ending(entry.fileId(), Status.OK, size, crc32c), level);
    } catch (IOException e) {
      throw Reasons.destination(entry.path(), e);
    }
  }

  void forget(Offered entry) {
    Incoming file = files.get(entry.fileId());
    Landing landing = file == null ? null : file.begun();
    if (landing == null) {
      over(entry, false);
    } else {
      landing.close();
    }
  }

  void close() {
    for (Incoming file : files.values()) {
      forget(file.entry);
    }
  }

  private void over(Offered entry, boolean arrived) {
    if (arrived) {
      firstNames.arrived(entry);
    }
    files.remove(entry.fileId());
    release(entry);
  }

  private void release(Offered entry) {
    claims.release(entry.path(), holder, entry.fileId());
  }
}
