package dev.zcp.session.receive;

import dev.zcp.core.Span;
import dev.zcp.linux.NativeFile;
import dev.zcp.session.ResumeVerify;
import dev.zcp.wire.Held;
import dev.zcp.wire.Limits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/// Which of the bytes that a journal tells of are in the partial file.
final class HeldBytes {

  /// Spans are joined up to this length, or further in a very large file.
  private static final long JOINED_BYTES = 64 << 20;

  private final NativeFile file;
  private final long fileBytes;
  private final FileWork work;
  private final List<Span> believed = new ArrayList<>();

  /// @param fileBytes how long `file` is
  /// @param work told how many bytes were read, piece by piece; what it throws ends the reading
  HeldBytes(NativeFile file, long fileBytes, FileWork work) {
    this.file = file;
    this.fileBytes = fileBytes;
    this.work = work;
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
          case NONE -> isBelieved(records);
        };
    if (believed) {
      return records;
    }
    this.believed.clear();
    List<Held> proved = new ArrayList<>(records.size());
    for (Held held : records) {
      if (isTrue(held)) {
        proved.add(held);
      }
    }
    return proved;
  }

  /// What of the [proved][#proved] records was not read.
  List<Span> believed() {
    return List.copyOf(believed);
  }

  private boolean isBelieved(List<Held> records) {
    for (Held held : records) {
      believed.add(held.span());
    }
    return true;
  }

  /// Whether the first and the last record of each range are true, which is where an accident would
  /// have hit, and some others.
  private boolean isSampleTrue(List<Held> records) {
    RandomGenerator random = RandomGenerator.getDefault();
    for (int i = 0; i < records.size(); i++) {
      boolean chosen = isAtAnEnd(records, i) || random.nextInt(ResumeVerify.SAMPLE_OF) == 0;
      if (!chosen) {
        believed.add(records.get(i).span());
      } else if (!isTrue(records.get(i))) {
        return false;
      }
    }
    return true;
  }

  /// Whether nothing is held right before the record or right after it.
  private static boolean isAtAnEnd(List<Held> records, int index) {
    Span span = records.get(index).span();
    return index == 0
        || index == records.size() - 1
        || records.get(index - 1).span().end() < span.offset()
        || records.get(index + 1).span().offset() > span.end();
  }

  /// The same bytes in as many spans as a [Reply][dev.zcp.wire.Reply] has room for; of more than
  /// that, the longest.
  ///
  /// Neighbours are joined, but not without end: what does not fit the source is sent anew as one,
  /// and others may be sent while the source is still read.
  ///
  /// @param records in ascending order without overlap
  /// @param size of the whole file, in bytes
  static List<Held> joined(List<Held> records, long size) {
    long bytesMax = Math.max(JOINED_BYTES, size / (Limits.HELD_MAX / 2));
    List<Held> joined = new ArrayList<>();
    for (Held next : records) {
      Held last = joined.isEmpty() ? null : joined.getLast();
      if (last != null && last.isJoinedBy(next, bytesMax)) {
        joined.set(joined.size() - 1, last.joinedBy(next));
      } else {
        joined.add(next);
      }
    }
    if (joined.size() > Limits.HELD_MAX) {
      joined.sort(Comparator.comparingLong(held -> -held.span().length()));
      joined.subList(Limits.HELD_MAX, joined.size()).clear();
      joined.sort(Comparator.comparingLong(held -> held.span().offset()));
    }
    return List.copyOf(joined);
  }

  private boolean isTrue(Held held) {
    try {
      return ReadBack.crc32c(file, held.span(), work) == held.crc32c();
    } catch (IOException e) {
      // What cannot be read comes again, and tells then whether it can be written.
      return false;
    }
  }
}
