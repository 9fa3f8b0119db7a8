package dev.zcp.bench.tune;

import dev.zcp.core.Failure;
import dev.zcp.engine.Choice;

/// Moves the trial file once, as the user's command would, and sees to it that it arrived.
interface Trial {

  /// @throws Failure where it went wrong: no space, no peer; INTEGRITY where other bytes arrived
  Outcome run(Choice choice) throws Failure;
}
