package dev.zcp.session;

import dev.zcp.insight.Verified;
import dev.zcp.wire.Level;

/// The levels that the wire knows, as the report calls them.
public final class Levels {

  private Levels() {}

  public static Level of(Verified verified) {
    return switch (verified) {
      case NONE -> Level.NONE;
      case WIRE -> Level.WIRE;
      case READBACK -> Level.READBACK;
      case MEDIA -> Level.MEDIA;
    };
  }

  public static Verified reached(Level level) {
    return switch (level) {
      case NONE -> Verified.NONE;
      case WIRE -> Verified.WIRE;
      case READBACK -> Verified.READBACK;
      case MEDIA -> Verified.MEDIA;
    };
  }
}
