package dev.zcp.cli;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;

/// Addresses as they are typed.
final class Addresses {

  private Addresses() {}

  /// @throws Failure USAGE where `latin1` is no address; the message shows no key
  static Address of(String latin1) throws Failure {
    try {
      return Address.parse(RawText.text(latin1));
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.USAGE, e.getMessage()).because(e);
    }
  }
}
