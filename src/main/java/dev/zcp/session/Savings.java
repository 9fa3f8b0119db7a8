package dev.zcp.session;

import dev.zcp.compress.Compression;
import dev.zcp.delta.DeltaMode;

/// What a sender does to send fewer bytes.
///
/// @param compression what goes compressed
/// @param delta whether only what differs is sent of a file of which another version is there
public record Savings(Compression compression, DeltaMode delta) {

  public static final Savings AUTO = new Savings(Compression.AUTO, DeltaMode.AUTO);
  public static final Savings NONE = new Savings(Compression.NEVER, DeltaMode.NEVER);
}
