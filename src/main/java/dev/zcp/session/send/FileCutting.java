package dev.zcp.session.send;

import dev.zcp.core.Crc32c;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.delta.ChunkReader;
import dev.zcp.delta.Chunking;
import dev.zcp.insight.Stage;
import dev.zcp.secure.Cryptography;
import dev.zcp.secure.Randomness;
import dev.zcp.spi.Source;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Chunks;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Tells a receiver that has another version of a file what chunks the new one has, or none where
/// that would not pay.
///
/// Used by one thread.
final class FileCutting {

  /// In a frame: few, since the receiver works on what it was told while others are cut.
  private static final int FRAME_CHUNKS = 512;

  private final SendingSession session;

  /// Null before the first file.
  private ChunkReader reader;

  FileCutting(SendingSession session) {
    this.session = session;
  }

  /// @param connection that it is told on
  void tell(Outgoing outgoing, int connection) {
    Frames frames = new Frames(outgoing, connection);
    try {
      if (session.takesDifferences() && Cryptography.isNative() && Chunking.fits(outgoing.size())) {
        cut(outgoing, frames);
      }
    } catch (EOFException e) {
      // The source is shorter than it was: whoever sends the rest finds that, too.
    } catch (IOException e) {
      session.giveUp(outgoing, Reasons.source(outgoing.label(), e));
    } catch (Failure failure) {
      session.giveUp(outgoing, failure);
    } finally {
      frames.say(true);
    }
  }

  private void cut(Outgoing outgoing, Frames frames) throws IOException, Failure {
    long bytes = outgoing.size();
    if (reader == null) {
      reader = new ChunkReader(Cryptography.sha256(), Cryptography.aesGcm());
    }
    ChunkSums sums = new ChunkSums();
    try (Source source = outgoing.open()) {
      reader.open(source, Chunking.of(bytes), frames.seed);
      for (Span run : runs(bytes, outgoing.holes())) {
        frames.begin(run.offset());
        reader.begin(run);
        while (frames.isUseful && !reader.isAtEnd()) {
          long startedNs = System.nanoTime();
          if (reader.isLow()) {
            reader.fill();
          }
          int length = reader.cut();
          frames.add(length, reader.digest(length));
          sums.add(reader.offset(), length, Crc32c.of(reader.take(length)));
          outgoing.log().sample(Stage.DIGEST, System.nanoTime() - startedNs);
        }
      }
    } finally {
      outgoing.cut(sums);
    }
  }

  /// What is not holes.
  private static List<Span> runs(long bytes, List<Span> holes) {
    List<Span> runs = new ArrayList<>();
    long at = 0;
    for (Span hole : holes) {
      if (hole.offset() > at) {
        runs.add(new Span(at, hole.offset() - at));
      }
      at = hole.end();
    }
    if (at < bytes) {
      runs.add(new Span(at, bytes - at));
    }
    return runs;
  }

  /// The chunks that were found and not said.
  private final class Frames {

    private final Outgoing outgoing;
    private final int connection;
    private final byte[] seed = Randomness.bytes(Chunks.SEED_BYTES);
    private final ByteBuffer records =
        ByteBuffer.allocate(FRAME_CHUNKS * Chunks.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private long offset;
    private long end;
    private boolean isUseful = true;

    Frames(Outgoing outgoing, int connection) {
      this.outgoing = outgoing;
      this.connection = connection;
    }

    void begin(long newOffset) {
      if (records.position() > 0 && newOffset > end) {
        say(false);
      }
      if (records.position() == 0) {
        offset = newOffset;
        end = newOffset;
      }
    }

    void add(int length, long digest) {
      if (!records.hasRemaining()) {
        say(false);
        offset = end;
      }
      Chunks.putRecord(records, length, digest);
      end += length;
    }

    void say(boolean isLast) {
      byte[] said = Arrays.copyOf(records.array(), records.position());
      records.clear();
      isUseful &=
          session.tellChunks(
              connection,
              outgoing,
              new Chunks(outgoing.fileId(), offset, Bytes.of(seed), Bytes.of(said), isLast));
    }
  }
}
