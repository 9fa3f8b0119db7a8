package dev.zcp.session.send;

import dev.zcp.insight.Verified;
import dev.zcp.wire.Level;

/// What the report says of the levels that the wire knows.
final class Levels {

  private Levels() {}

  static Level of(Verified verified) {
    return switch (verified) {
      case NONE -> Level.NONE;
      case WIRE -> Level.WIRE;
      case READBACK -> Level.READBACK;
      case MEDIA -> Level.MEDIA;
    };
  }

  static Verified reached(Level level) {
    return switch (level) {
      case NONE -> Verified.NONE;
      case WIRE -> Verified.WIRE;
      case READBACK -> Verified.READBACK;
      case MEDIA -> Verified.MEDIA;
    };
  }

  /// How it is reached at this end, and what touches the bytes for it; empty where nothing does.
  static String proof(Level level) {
    return level == null || level == Level.NONE
        ? ""
        : "CRC32C of each block, read here from the page cache beside the transfer";
  }
}
