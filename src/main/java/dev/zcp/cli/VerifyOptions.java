package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.core.Level;

/// The options of a copy that say when a file counts as copied.
final class VerifyOptions extends Options {

  private final Option verify = option("--verify=LEVEL", "none", ProofOptions.LEVELS);
  private final Option fsync = option("--fsync");

  /// Whether the device has each file before it counts.
  boolean isForced() {
    return isSet(fsync);
  }

  /// @throws Failure USAGE if what was typed is no level; it may have been meant as an operand
  void requireLevelIfGiven() throws Failure {
    if (isGiven(verify)) {
      level();
    }
  }

  /// How far a copy on this machine is verified.
  ///
  /// @param isOfStream whether standard input or output takes part
  Level levelHere(boolean isOfStream) throws Failure {
    // A level that is only set may be for other copies: ZCP_VERIFY is for those over a network,
    // too.
    boolean isForOthers =
        !isGiven(verify) && (isOfStream || valueOf(verify).equalsIgnoreCase(Level.WIRE.label()));
    Level level = isForOthers ? Level.NONE : level();
    if (level == Level.WIRE) {
      throw usage(verify, "wire is for a copy to or from another machine; use readback");
    }
    return level;
  }

  /// What goes over ssh is compared on the way unless the user says otherwise.
  Level remoteLevel() throws Failure {
    return isChosen(verify) ? level() : Level.WIRE;
  }

  private Level level() throws Failure {
    return constant(verify, Level.values());
  }
}
