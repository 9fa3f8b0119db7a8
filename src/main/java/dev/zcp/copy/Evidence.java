package dev.zcp.copy;

import dev.zcp.core.RawPath;
import dev.zcp.insight.Verified;

/// What is known of the bytes of one file that is about to get its name.
final class Evidence {

  private static final Evidence OF_NOTHING = new Evidence(Verified.NONE, null, null, null);
  private static final Evidence OF_READBACK = new Evidence(Verified.READBACK, null, null, null);
  private static final Evidence OF_MEDIA = new Evidence(Verified.MEDIA, null, null, null);

  private final Verified level;
  private final Manifest manifest;
  private final RawPath path;
  private final byte[] digest;

  private Evidence(Verified level, Manifest manifest, RawPath path, byte[] digest) {
    this.level = level;
    this.manifest = manifest;
    this.path = path;
    this.digest = digest;
  }

  /// For no manifest.
  static Evidence of(Verified level) {
    return switch (level) {
      case NONE, WIRE -> OF_NOTHING;
      case READBACK -> OF_READBACK;
      case MEDIA -> OF_MEDIA;
    };
  }

  /// For a line of `manifest`.
  ///
  /// @param path as the manifest is to name the file
  static Evidence of(Verified level, Manifest manifest, RawPath path, byte[] digest) {
    return new Evidence(level, manifest, path, digest);
  }

  /// How far the arrival of the bytes was proved.
  Verified level() {
    return level;
  }

  /// To be called once the file has its name: from then on it is in the manifest, if there is one.
  void published() {
    alsoNamed(path);
  }

  /// To be called for each further name that the same file gets, as a hard link.
  ///
  /// @param other below the target, as [Proof#check] has it
  void alsoNamed(RawPath other) {
    if (manifest != null) {
      manifest.add(other, digest);
    }
  }
}
