package dev.zcp.place;

/// A set of hashes, in 16 to 32 bytes for each. Two hashes may be taken for one: 0 and 1. Belongs
/// to one thread.
public final class HashSetOfLongs {

  private static final int SLOTS_MIN = 16;
  private static final int EMPTY = 0;

  /// Their number is a power of two, and at most half of them are in use.
  private long[] slots = new long[SLOTS_MIN];

  private int size;

  /// @return whether it was not there
  public boolean add(long hash) {
    if (2 * size == slots.length) {
      grow();
    }
    int slot = slotOf(hash);
    boolean isNew = slots[slot] == EMPTY;
    if (isNew) {
      slots[slot] = stored(hash);
      size++;
    }
    return isNew;
  }

  public boolean has(long hash) {
    return slots[slotOf(hash)] != EMPTY;
  }

  public int size() {
    return size;
  }

  private void grow() {
    long[] before = slots;
    slots = new long[2 * before.length];
    for (long each : before) {
      if (each != EMPTY) {
        slots[slotOf(each)] = each;
      }
    }
  }

  /// Where the hash is, or would be.
  private int slotOf(long hash) {
    long stored = stored(hash);
    int slot = (int) (stored ^ stored >>> Integer.SIZE) & slots.length - 1;
    while (slots[slot] != EMPTY && slots[slot] != stored) {
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }

  private static long stored(long hash) {
    return hash == EMPTY ? 1 : hash;
  }
}
