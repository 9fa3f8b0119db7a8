package dev.zcp.exchange;

import dev.zcp.core.Crc32c;
import dev.zcp.core.Span;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;

/// The content of a file in a simulation: cells of so many equal bytes, so that a large file takes
/// little room and has a true CRC32C.
final class Cells {

  static final int LARGE_CELL_BYTES = 1 << 20;
  private static final int VALUES = 8;
  private static final int[] LARGE_CELLS = largeCells();

  final int cellBytes;
  private final byte[] values;

  private Cells(int cellBytes, byte[] values) {
    this.cellBytes = cellBytes;
    this.values = values;
  }

  static Cells ofZeros(int cellBytes, long bytes) {
    return new Cells(cellBytes, new byte[(int) (bytes / cellBytes)]);
  }

  static Cells random(Random random, int cellBytes, int count) {
    byte[] values = new byte[count];
    for (int i = 0; i < count; i++) {
      values[i] = (byte) (1 + random.nextInt(VALUES - 1));
    }
    return new Cells(cellBytes, values);
  }

  Cells copy() {
    return new Cells(cellBytes, values.clone());
  }

  long bytes() {
    return (long) values.length * cellBytes;
  }

  int count() {
    return values.length;
  }

  Span all() {
    return new Span(0, bytes());
  }

  private int cell(long offset) {
    if (offset % cellBytes != 0) {
      throw new IllegalArgumentException("cut within a cell: " + offset);
    }
    return (int) (offset / cellBytes);
  }

  /// These bytes, with zeros for what there is not.
  Cells at(Span span) {
    int from = cell(span.offset());
    int to = cell(span.end());
    byte[] part = new byte[to - from];
    if (from < values.length) {
      System.arraycopy(values, from, part, 0, Math.min(to, values.length) - from);
    }
    return new Cells(cellBytes, part);
  }

  Cells grownTo(long bytes) {
    return cell(bytes) <= values.length
        ? this
        : new Cells(cellBytes, Arrays.copyOf(values, cell(bytes)));
  }

  /// Puts the first `count` cells of `more` at `offset`.
  void put(long offset, Cells more, int count) {
    System.arraycopy(more.values, 0, values, cell(offset), count);
  }

  void damage(Random random) {
    int at = random.nextInt(values.length);
    values[at] = (byte) ((values[at] + 1 + random.nextInt(VALUES - 1)) % VALUES);
  }

  void clear(Span span) {
    Arrays.fill(values, cell(span.offset()), cell(span.end()), (byte) 0);
  }

  int crc32c() {
    if (cellBytes == 1) {
      CRC32C crc = new CRC32C();
      crc.update(values);
      return (int) crc.getValue();
    }
    int sum = 0;
    for (byte value : values) {
      sum = Crc32c.combined(sum, LARGE_CELLS[value], cellBytes);
    }
    return sum;
  }

  private static int[] largeCells() {
    int[] crcs = new int[VALUES];
    byte[] cell = new byte[LARGE_CELL_BYTES];
    for (int value = 0; value < VALUES; value++) {
      Arrays.fill(cell, (byte) value);
      CRC32C crc = new CRC32C();
      crc.update(cell);
      crcs[value] = (int) crc.getValue();
    }
    return crcs;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Cells cells
        && (cells.cellBytes == cellBytes || values.length == 0)
        && Arrays.equals(cells.values, values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return cellBytes + " * " + Arrays.toString(values);
  }
}
