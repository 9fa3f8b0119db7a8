package dev.zcp.exchange;

import dev.zcp.wire.ExtendedAttribute;
import dev.zcp.wire.Offered;

/// What an offered entry counts for of [dev.zcp.wire.Limits#OFFERED_BYTES_MAX].
final class Weight {

  private static final int FIXED_BYTES = 128;

  private Weight() {}

  static long of(Offered entry) {
    long bytes = FIXED_BYTES + entry.path().nameLength() + entry.content().length();
    for (ExtendedAttribute attribute : entry.metadata().attributes()) {
      bytes += attribute.name().length() + attribute.value().length();
    }
    return bytes;
  }
}
