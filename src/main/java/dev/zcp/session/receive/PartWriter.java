package dev.zcp.session.receive;

import dev.zcp.core.Crc32c;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.exchange.PartResult;
import dev.zcp.exchange.ReceiverAction;
import dev.zcp.insight.Stage;
import dev.zcp.session.Checksum;
import dev.zcp.wire.Digest;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Part;
import java.nio.ByteBuffer;

/// Has the parts of one connection written, whose bytes are in memory, and tells what became of
/// them; hears meanwhile of each file. Any thread may call it.
final class PartWriter {

  // As the report tells them.
  private static final String PROOF = "CRC32C of each small file, before it was written";
  private static final String PROOF_TOGETHER =
      "SHA-256 of small files together, before they were written";

  private final ReceivingSession session;
  private final Outbox outbox;

  PartWriter(ReceivingSession session, Outbox outbox) {
    this.session = session;
    this.outbox = outbox;
  }

  /// Writes the files of a part. If they are not what was sent, the connection ends by that, and
  /// the sender sends them again over another one.
  ///
  /// @param bytes all of the part
  void write(ReceiverAction.TakePart action, ByteBuffer bytes) {
    Part part = action.part();
    if (!action.wanted()) {
      session.end().partDone(outbox.number(), action.unit(), new PartResult());
      return;
    }
    if (session.level() != Level.NONE && !isIntact(part, bytes)) {
      damaged(action);
      return;
    }
    PartResult result =
        session.place().write(part, action.directories(), bytes, session.level(), this);
    if (session.level() != Level.NONE && part.isAnyWhole()) {
      session.insight().ofSession().proved(part.digest().isSha256() ? PROOF_TOGETHER : PROOF);
    }
    session.insight().ofSession().acknowledged(result.bytes());
    session.proved(result.reached(), result.bytes());
    session.end().partDone(outbox.number(), action.unit(), result);
  }

  private boolean isIntact(Part part, ByteBuffer bytes) {
    Digest all = part.digest();
    if (all.isSha256() && !Checksum.sha256(bytes, session).equals(all)) {
      return false;
    }
    long startedNs = System.nanoTime();
    ByteBuffer rest = bytes.duplicate();
    Crc32c crc = new Crc32c();
    boolean isIntact = true;
    int end = rest.position();
    for (Part.Cursor file = part.cursor(); isIntact && file.next(); ) {
      end += file.rawBytes();
      crc.reset();
      crc.update(rest.limit(end));
      isIntact = !file.isWhole() || crc.value() == file.crc32c();
    }
    session.sample(Stage.DIGEST, System.nanoTime() - startedNs);
    return isIntact;
  }

  private void damaged(ReceiverAction.TakePart action) {
    Part part = action.part();
    session.insight().ofSession().resent(part.rawBytes());
    if (session.entries().asksAgain(part.firstId())) {
      session
          .insight()
          .note(
              "a part of "
                  + part.count()
                  + " small files differs from what was sent (its connection ends, and it is sent"
                  + " again)");
      outbox.connection().cut();
      return;
    }
    PartResult result = new PartResult();
    int run = -1;
    for (Part.Cursor file = part.cursor(); file.next(); ) {
      run += file.isNewDirectory() ? 1 : 0;
      EntryPath directory = action.directories().get(run);
      EntryPath path = directory == null ? EntryPath.of(file.name()) : directory.child(file.name());
      Failure failure =
          Failure.of(ExitCode.INTEGRITY, path.toString(), "arrived damaged too often");
      result.failed(part.firstId() + file.index(), failure.exitCode(), failure.reason());
      failed(path, file.size(), failure);
    }
    session.end().partDone(outbox.number(), action.unit(), result);
  }

  /// A file has its name.
  ///
  /// @param timesNs see [dev.zcp.insight.FileSteps]
  void placed(EntryPath path, long bytes, long[] timesNs, Level reached) {
    if (!session.insight().hearsEachFile()) {
      session.insight().smallReceived(timesNs, bytes, path, reached);
      return;
    }
    session.insight().received(path, bytes, timesNs).done(reached);
  }

  /// What has its name is what was shown, and stays.
  void present(EntryPath path, long bytes, Level reached) {
    session.alreadyThere(bytes);
    session.insight().begin(path, bytes, Stage.RECEIVE).done(reached);
  }

  /// What has its name stays.
  void kept(EntryPath path) {
    session.insight().kept(path, "is kept, as the sender asked");
  }

  void failed(EntryPath path, long bytes, Failure failure) {
    session.failed(path, session.insight().begin(path, bytes, Stage.RECEIVE), failure);
  }
}
