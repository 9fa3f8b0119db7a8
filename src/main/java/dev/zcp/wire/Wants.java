package dev.zcp.wire;

import java.nio.ByteBuffer;

/// What the receiver wants of the files of a [look][Part#isLook], in their order. It promises
/// nothing by that but of a file that is [kept][Want#KEPT]: what becomes of others is decided when
/// they come in a [Part].
///
/// @param number that of the look
/// @param wants of each file the place of a [Want] among all, 1 to [Part#FILES_MAX]
public record Wants(long number, Bytes wants) implements Frame {

  /// What is wanted of a file.
  public enum Want {
    /// Its bytes.
    BYTES,
    /// The SHA-256 of its bytes: what is there has the same size and time.
    DIGEST,
    /// No bytes: what is there stays, as far as that can be told, or the file is not taken.
    NOTHING,
    /// Nothing more: what is there stays, with the metadata that the look told, and it is over.
    KEPT;

    static final Want[] ALL = values();
  }

  /// Before the wants.
  static final int HEAD_BYTES = 8;

  public Wants {
    Limits.requireFileId(number);
    if (wants.length() < 1 || wants.length() > Part.FILES_MAX) {
      throw new IllegalArgumentException("an answer for " + wants.length() + " files");
    }
    for (byte want : wants.bytes()) {
      if (want < 0 || want >= Want.ALL.length) {
        throw new IllegalArgumentException("unknown want " + want);
      }
    }
  }

  public static Wants of(long number, Want[] wants) {
    byte[] places = new byte[wants.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = (byte) wants[i].ordinal();
    }
    return new Wants(number, Bytes.of(places));
  }

  /// Whether this is wanted of any file.
  public boolean isAny(Want want) {
    for (byte place : wants.bytes()) {
      if (place == want.ordinal()) {
        return true;
      }
    }
    return false;
  }

  /// Those of all files.
  public Want[] all() {
    byte[] places = wants.bytes();
    Want[] all = new Want[places.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = Want.ALL[places[i]];
    }
    return all;
  }

  int payloadBytes() {
    return HEAD_BYTES + wants.length();
  }

  void put(ByteBuffer out) {
    out.putLong(number);
    wants.put(out);
  }

  /// @throws IllegalArgumentException with the reason, if `in` holds no such answer
  static Wants parse(ByteBuffer in) {
    return new Wants(in.getLong(), Bytes.take(in, in.remaining()));
  }
}
