package dev.zcp.exchange;

import dev.zcp.wire.ExtendedAttribute;
import dev.zcp.wire.Offered;
import java.util.List;

/// What an offered entry counts for of [dev.zcp.wire.Limits#OFFERED_BYTES_MAX].
final class Weight {

  private static final int FIXED_BYTES = 128;

  private Weight() {}

  static long of(Offered entry) {
    long bytes = FIXED_BYTES + entry.path().nameLength() + entry.content().length();
    List<ExtendedAttribute> attributes = entry.metadata().attributes();
    // Without an iterator, as in [ExtendedAttribute#bytes].
    for (int i = 0; i < attributes.size(); i++) {
      ExtendedAttribute attribute = attributes.get(i);
      bytes += attribute.name().length() + attribute.value().length();
    }
    return bytes;
  }
}
