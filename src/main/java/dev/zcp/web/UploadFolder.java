package dev.zcp.web;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Quietly;
import dev.zcp.core.RawPath;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.FileSteps;
import dev.zcp.insight.Insight.Made;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.linux.OwnProcess;
import dev.zcp.place.Conflict;
import dev.zcp.place.Conflict.Claim;
import dev.zcp.place.Conflict.ClaimSource;
import dev.zcp.place.Durability;
import dev.zcp.place.FileTask;
import dev.zcp.place.Metadata;
import dev.zcp.place.Partials;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.place.PlaceFile;
import dev.zcp.place.PlaceOther;
import dev.zcp.place.RoomCheck;
import dev.zcp.secure.Cryptography;
import dev.zcp.session.Admission;
import dev.zcp.session.receive.Allowance;
import dev.zcp.session.receive.TargetDirectory;
import dev.zcp.tree.AttributeSource.GivenAttributes;
import dev.zcp.tree.Losses;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.OnChange;
import dev.zcp.tree.Preserve;
import dev.zcp.tree.Reasons;
import dev.zcp.web.Visits.Visit;
import dev.zcp.wire.EntryPath;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Deque;

/// The directory that uploads go to. Each file is placed as one from a sender is: below this
/// directory and nowhere else, under a hidden name until all of it is there, and never in place of
/// what exists unless that was asked for. Any thread may call it.
final class UploadFolder implements Closeable {

  private static final int PIECE_BYTES = 64 << 10;
  private static final int DESCRIPTORS_MAX = 16;
  private static final String STRATEGY = "stream";
  private static final String KEPT = "it is kept; 'zcp receive --web --overwrite' replaces it";

  /// As if its sender had said nothing of it: the umask decides.
  private static final int FILE_MODE = FileType.REGULAR | 0666;

  private static final int DIRECTORY_MODE = FileType.DIRECTORY | 0777;
  private static final Preserve NOTHING =
      new Preserve(false, false, false, false, false, false, false);

  private final OpenDirectory directory;
  private final String label;
  private final Admission admission;
  private final Partials partials = new Partials();
  private final int umask = OwnProcess.umask();

  private UploadFolder(OpenDirectory directory, String label, Admission admission) {
    this.directory = directory;
    this.label = label;
    this.admission = admission;
  }

  static UploadFolder open(RawPath path, Admission admission) throws Failure {
    return new UploadFolder(TargetDirectory.open(path).directory(), path.toString(), admission);
  }

  /// What became of a file.
  ///
  /// @param sha256 of what was written
  record StoredFile(EntryPath path, long bytes, byte[] sha256) {}

  /// A file as it comes.
  ///
  /// @param bytes how many there will be, or -1 if nobody says
  /// @param sha256 what its client says of it; null if nothing
  record Upload(EntryPath path, InputStream content, long bytes, byte[] sha256) {}

  /// What an upload makes below this directory.
  private record UploadedEntry(Object target, Object source) implements ClaimSource {}

  /// Receives one file. It has its name then, or nothing is left of it.
  StoredFile receive(Upload upload, Visit visit) throws Failure {
    FileLog log = visit.insight().begin(upload.path(), upload.bytes(), Stage.RECEIVE);
    try {
      StoredFile stored = place(upload, visit, log);
      log.done(upload.sha256() == null ? Level.NONE : Level.WIRE);
      return stored;
    } catch (Failure | IOException | RuntimeException e) {
      Failure failure = Reasons.atTarget(upload.path(), e);
      log.failed(failure);
      throw failure;
    }
  }

  /// Each file has rules of its own: what one upload has made, another may not replace unless it
  /// may replace anything.
  private StoredFile place(Upload upload, Visit visit, FileLog log) throws IOException, Failure {
    EntryPath path = upload.path();
    if (path.hasNameFrom(HiddenName.prefix())) {
      throw Failure.of(ExitCode.USAGE, path, "names with .zcp- are zcp's own partial files");
    }
    long bytes = Math.max(0, upload.bytes());
    new RoomCheck(directory, label).require(bytes, 1);
    Policy policy = new Policy(Existing.REPLACE, null, false, OnChange.RETRY, false);
    String refusal = admission.existing() == Existing.REPLACE ? null : KEPT;
    Conflict conflict = new Conflict(policy, refusal, () -> true);
    Metadata metadata = new Metadata(NOTHING, new Losses(), umask, false, false);
    OpenDirectory folder = directory;
    boolean isNew = false;
    try (UploadCount count = new UploadCount(visit.allowance(), path, bytes);
        Durability durability =
            Durability.of(admission.durable(), DESCRIPTORS_MAX, visit.insight())) {
      PlaceOther other = new PlaceOther(conflict, partials, metadata, durability);
      EntryPath above = EntryPath.TOP;
      Deque<byte[]> names = WebName.names(path);
      byte[] name = names.removeLast();
      for (byte[] each : names) {
        above = above.child(each);
        ClaimSource source = new UploadedEntry(above, "what " + path + " is in");
        FileStatus status = FileStatus.ofNew(DIRECTORY_MODE, Instant.now());
        Claim claim = new Claim().begin(source, folder, each, status, isNew, false);
        PlaceOther.PlacedDirectory placed;
        if (folder.statusOf(each) != null) {
          placed = other.directory(claim);
        } else {
          try (UploadCount made = new UploadCount(visit.allowance(), above, 0)) {
            placed = other.directory(claim);
            made.keepIf(placed.created());
          }
        }
        close(folder);
        folder = placed.directory();
        isNew = placed.created();
        if (isNew) {
          visit.insight().made(Made.DIRECTORY);
        }
      }
      Durability.PublicationQueue queue = durability.new PublicationQueue();
      PlaceFile place = new PlaceFile(conflict, partials, metadata, queue);
      UploadTask task = new UploadTask(place, upload, count, log);
      FileStatus status = FileStatus.ofNew(FILE_MODE, Instant.now());
      task.begin(new UploadedEntry(path, path), folder, name, status, isNew, false);
      StoredFile stored = task.receive(conflict, place, queue);
      count.keepIf(true);
      durability.finish(path);
      return stored;
    } finally {
      close(folder);
    }
  }

  private void close(OpenDirectory folder) {
    if (folder != directory) {
      Quietly.close(folder);
    }
  }

  /// The process ends: nothing gets its name any more, and nothing else is left.
  void abandon() {
    partials.abandon();
  }

  @Override
  public void close() {
    Quietly.close(directory);
  }

  /// What an entry uses of the allowance, which has it back if nothing came of the entry.
  private static final class UploadCount implements AutoCloseable {

    private final Allowance.SessionAllowance allowance;
    private final EntryPath path;
    private long bytes;
    private boolean isKept;

    /// @throws Failure DESTINATION if it is too much
    UploadCount(Allowance.SessionAllowance allowance, EntryPath path, long bytes) throws Failure {
      this.allowance = allowance;
      this.path = path;
      this.bytes = bytes;
      allowance.use(path, bytes);
    }

    /// More bytes are about to be taken, of which nobody had told.
    void more(long count) throws Failure {
      allowance.useBytes(path, count);
      bytes += count;
    }

    void keepIf(boolean isMade) {
      isKept = isMade;
    }

    @Override
    public void close() {
      if (!isKept) {
        allowance.giveBack(bytes);
      }
    }
  }

  private static final class UploadTask extends FileTask {

    private final Upload upload;
    private final UploadCount count;
    private final FileLog log;

    /// Null unless it has not got its name.
    private Failure failure;

    UploadTask(PlaceFile place, Upload upload, UploadCount count, FileLog log) {
      super(place);
      this.upload = upload;
      this.count = count;
      this.log = log;
    }

    StoredFile receive(Conflict conflict, PlaceFile place, Durability.PublicationQueue queue)
        throws IOException, Failure {
      stamp(FileSteps.BEGUN);
      conflict.look(this);
      place.create(this);
      long[] timesNs = timesNs();
      log.sample(Stage.CREATE, timesNs[FileSteps.CREATED] - timesNs[FileSteps.BEGUN]);
      StoredFile stored;
      try {
        stored = write();
        stamp(FileSteps.WRITTEN);
        place.complete(this, GivenAttributes.NONE, status());
        log.sample(Stage.METADATA, timesNs[FileSteps.COMPLETED] - timesNs[FileSteps.WRITTEN]);
      } catch (IOException | Failure | RuntimeException e) {
        dropFile();
        throw e;
      }
      queue.accept(this);
      queue.flush();
      if (failure != null) {
        throw failure;
      }
      log.sample(Stage.PUBLISH, timesNs[FileSteps.PUBLISHED] - timesNs[FileSteps.COMPLETED]);
      return stored;
    }

    private StoredFile write() throws IOException, Failure {
      MessageDigest digest = Cryptography.sha256();
      byte[] piece = new byte[PIECE_BYTES];
      long at = 0;
      while (true) {
        long startedNs = System.nanoTime();
        int bytes = read(piece);
        if (bytes < 0) {
          break;
        }
        if (upload.bytes() < 0) {
          count.more(bytes);
        }
        long readNs = System.nanoTime();
        digest.update(piece, 0, bytes);
        long digestedNs = System.nanoTime();
        file().writeAll(ByteBuffer.wrap(piece, 0, bytes), at);
        long writtenNs = System.nanoTime();
        log.read(at, bytes, readNs - startedNs);
        log.sample(Stage.DIGEST, at, bytes, digestedNs - readNs);
        log.written(at, bytes, writtenNs - digestedNs);
        log.moved(STRATEGY, at, bytes, writtenNs - startedNs);
        at += bytes;
      }
      if (upload.bytes() >= 0 && at != upload.bytes()) {
        throw lost(at + " of " + upload.bytes() + " bytes came");
      }
      byte[] sha256 = digest.digest();
      if (upload.sha256() != null && !Arrays.equals(sha256, upload.sha256())) {
        throw Failure.of(
                ExitCode.INTEGRITY, upload.path(), "its SHA-256 differs from that of the request")
            .with("nothing of it is kept");
      }
      return new StoredFile(upload.path(), at, sha256);
    }

    /// Once it is known that a file may come, its client alone can be why it does not.
    private int read(byte[] piece) throws Failure {
      try {
        return upload.content().read(piece);
      } catch (IOException e) {
        boolean isStalled = e instanceof ClosedByInterruptException;
        throw lost(isStalled ? "no more bytes came in time" : Reasons.of(e)).because(e);
      }
    }

    private Failure lost(String why) {
      return Failure.of(ExitCode.NETWORK, upload.path(), "did not come to its end: " + why)
          .with("nothing of it is kept");
    }

    @Override
    protected void placed() {
      // Whoever placed it looks.
    }

    @Override
    protected void kept() {
      failure = Failure.of(ExitCode.EXISTS, upload.path(), "already exists").with(KEPT);
    }

    @Override
    protected void notPlaced(Failure why) {
      failure = why;
    }
  }
}
