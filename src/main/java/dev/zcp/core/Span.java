package dev.zcp.core;

/// A run of bytes: `length` of them from `offset` on. Both are counted in bytes, neither is
/// negative, and their sum fits a `long`.
public record Span(long offset, long length) {

  public Span {
    if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException("no such span: offset " + offset + ", length " + length);
    }
  }

  /// The offset of the first byte after this span.
  public long end() {
    return offset + length;
  }

  public boolean isEmpty() {
    return length == 0;
  }

  /// What is left of this span after its first `bytes`.
  public Span skip(long bytes) {
    if (bytes < 0 || bytes > length) {
      throw new IllegalArgumentException("cannot skip " + bytes + " bytes of " + this);
    }
    return new Span(offset + bytes, length - bytes);
  }

  /// The first `bytes` of this span, or all of it if it is shorter.
  public Span first(long bytes) {
    return bytes >= length ? this : new Span(offset, bytes);
  }

  /// Written out, as is [#hashCode]: those that a record is given are made at the first call, which
  /// takes a cold process some 10 ms, and the first block of a file waits for it.
  @Override
  public boolean equals(Object other) {
    return other instanceof Span(long otherOffset, long otherLength)
        && offset == otherOffset
        && length == otherLength;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(offset) + Long.hashCode(length);
  }
}
