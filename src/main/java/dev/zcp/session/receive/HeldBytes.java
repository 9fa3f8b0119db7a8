package dev.zcp.session.receive;

import dev.zcp.core.Span;
import dev.zcp.io.NativeFile;
import dev.zcp.session.ResumeVerify;
import dev.zcp.wire.Held;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;

/// Which of the bytes that a journal tells of are in the partial file.
final class HeldBytes {

  /// Of how many records a sample is one.
  private static final int SAMPLE_OF = 16;

  private static final int PIECE_BYTES = 256 << 10;

  private final NativeFile file;
  private final long fileBytes;
  private final LongConsumer progress;
  private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);

  /// @param fileBytes how long `file` is
  /// @param progress told how many bytes were read, piece by piece; what it throws ends the reading
  HeldBytes(NativeFile file, long fileBytes, LongConsumer progress) {
    this.file = file;
    this.fileBytes = fileBytes;
    this.progress = progress;
  }

  /// The records without those that reach past the end of the file.
  List<Held> inFile(List<Held> told) {
    List<Held> inFile = new ArrayList<>(told.size());
    for (Held held : told) {
      if (held.span().end() <= fileBytes) {
        inFile.add(held);
      }
    }
    return inFile;
  }

  /// Those records that are true, as far as they are to be proved.
  List<Held> proved(List<Held> records, ResumeVerify verify) {
    boolean believed =
        switch (verify) {
          case ALL -> false;
          case SAMPLE -> isSampleTrue(records);
          case NONE -> true;
        };
    if (believed) {
      return records;
    }
    List<Held> proved = new ArrayList<>(records.size());
    for (Held held : records) {
      if (isTrue(held)) {
        proved.add(held);
      }
    }
    return proved;
  }

  /// Whether the last record is true, which is where an accident would have hit, and some others.
  private boolean isSampleTrue(List<Held> records) {
    RandomGenerator random = RandomGenerator.getDefault();
    for (int i = 0; i < records.size(); i++) {
      boolean chosen = i == records.size() - 1 || random.nextInt(SAMPLE_OF) == 0;
      if (chosen && !isTrue(records.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean isTrue(Held held) {
    CRC32C digest = new CRC32C();
    Span rest = held.span();
    try {
      while (!rest.isEmpty()) {
        piece.clear().limit((int) Math.min(PIECE_BYTES, rest.length()));
        int count = file.read(piece, rest.offset());
        if (count < 1) {
          return false;
        }
        digest.update(piece.flip());
        rest = rest.skip(count);
        progress.accept(count);
      }
    } catch (IOException e) {
      // What cannot be read comes again, and tells then whether it can be written.
      return false;
    }
    return (int) digest.getValue() == held.crc32c();
  }
}
