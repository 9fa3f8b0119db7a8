package dev.zcp.session;

import dev.zcp.core.Failure;
import dev.zcp.insight.FileLog;
import dev.zcp.wire.Meta;

/// Where received files go.
interface LandingPlace {

  /// Makes room for the file that `meta` announces.
  ///
  /// @param digest for the landings that read back what was written; one file at a time uses it
  /// @throws Failure where it cannot be taken; nothing is left behind then
  Landing prepare(Meta meta, BlockDigest digest, FileLog log) throws Failure;
}
