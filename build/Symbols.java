import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/// Removes from a program or library what is never loaded, as strip(1) does, which not every
/// machine has: the symbols of debuggers, a sixth of `libjvm.so`. The layout is that of elf(5), 64
/// bits, little end first.
final class Symbols {

  private static final int MAGIC = 0x464c457f;
  private static final short CLASS_64_LITTLE_END = 0x0102;

  private static final int SEGMENTS_AT = 32;
  private static final int SECTIONS_AT = 40;
  private static final int SEGMENT_COUNT_AT = 56;
  private static final int SECTION_COUNT_AT = 60;
  private static final int SECTION_NAMES_AT = 62;

  private static final int SEGMENT_BYTES = 56;
  private static final int SECTION_BYTES = 64;

  /// In the record of a segment.
  private static final int SEGMENT_OFFSET_AT = 8;

  private static final int SEGMENT_SIZE_AT = 32;

  /// In the record of a section.
  private static final int FLAGS_AT = 8;

  private static final int OFFSET_AT = 24;
  private static final int SIZE_AT = 32;

  /// `SHF_ALLOC`: the section is part of a segment that is loaded.
  private static final long LOADED = 2;

  private Symbols() {}

  /// Leaves alone what is no such file, or one in an unusual order.
  static void remove(Path file) throws IOException {
    ByteBuffer elf = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    if (elf.limit() < SECTION_BYTES
        || elf.getInt(0) != MAGIC
        || elf.getShort(4) != CLASS_64_LITTLE_END) {
      return;
    }
    int loaded = loadedSections(elf);
    if (loaded > 0) {
      Files.write(file, without(elf, loaded));
    }
  }

  /// How many sections to keep from the first on, which is empty: those that are loaded. 0 if
  /// others stand between them, since symbols name sections by their number.
  private static int loadedSections(ByteBuffer elf) {
    int count = elf.getShort(SECTION_COUNT_AT);
    int loaded = 1;
    while (loaded < count && isLoaded(elf, loaded)) {
      loaded++;
    }
    for (int i = loaded; i < count; i++) {
      if (isLoaded(elf, i)) {
        return 0;
      }
    }
    return loaded < count ? loaded : 0;
  }

  private static boolean isLoaded(ByteBuffer elf, int section) {
    return (elf.getLong(section(elf, section) + FLAGS_AT) & LOADED) != 0;
  }

  private static int section(ByteBuffer elf, int number) {
    return (int) elf.getLong(SECTIONS_AT) + number * SECTION_BYTES;
  }

  /// The segments, the names of the sections, and the table of the first `loaded` sections.
  private static byte[] without(ByteBuffer elf, int loaded) {
    int end = SECTION_BYTES;
    for (int i = 0; i < elf.getShort(SEGMENT_COUNT_AT); i++) {
      int segment = (int) elf.getLong(SEGMENTS_AT) + i * SEGMENT_BYTES;
      long offset = elf.getLong(segment + SEGMENT_OFFSET_AT);
      end = Math.max(end, (int) (offset + elf.getLong(segment + SEGMENT_SIZE_AT)));
    }
    int names = section(elf, elf.getShort(SECTION_NAMES_AT));
    int namesAt = (int) elf.getLong(names + OFFSET_AT);
    int namesBytes = (int) elf.getLong(names + SIZE_AT);
    int table = Math.ceilDiv(end + namesBytes, 8) * 8;
    ByteBuffer small =
        ByteBuffer.allocate(table + (loaded + 1) * SECTION_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    small.put(0, elf, 0, end);
    small.put(end, elf, namesAt, namesBytes);
    small.put(table, elf, section(elf, 0), loaded * SECTION_BYTES);
    int last = table + loaded * SECTION_BYTES;
    small.put(last, elf, names, SECTION_BYTES);
    small.putLong(last + OFFSET_AT, end);
    small.putLong(SECTIONS_AT, table);
    small.putShort(SECTION_COUNT_AT, (short) (loaded + 1));
    small.putShort(SECTION_NAMES_AT, (short) loaded);
    return small.array();
  }
}
