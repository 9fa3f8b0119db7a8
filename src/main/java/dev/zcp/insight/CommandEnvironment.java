package dev.zcp.insight;

import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.Event.Listener;
import java.io.InputStream;
import java.io.OutputStream;

/// What a command runs in.
///
/// @param in what `-` reads from
/// @param out what `-` writes to
/// @param listener hears what happens
/// @param profile what was measured of this machine's routes, by which `auto` goes; null for none
/// @param consent whom to ask before something is replaced
public record CommandEnvironment(
    Strategies strategies,
    InputStream in,
    OutputStream out,
    Listener listener,
    RawPath profile,
    Consent consent) {

  /// Without a profile, and without anybody to ask.
  public CommandEnvironment(
      Strategies strategies, InputStream in, OutputStream out, Listener listener) {
    this(strategies, in, out, listener, null, Consent.NEVER);
  }

  /// This environment with another listener.
  public CommandEnvironment with(Listener another) {
    return new CommandEnvironment(strategies, in, out, another, profile, consent);
  }

  /// Whoever can be asked before something is done that cannot be undone.
  @FunctionalInterface
  public interface Consent {

    /// If nobody can be asked.
    Consent NEVER = question -> false;

    /// Whether the answer to `question`, a sentence with its question mark, is yes. One question is
    /// asked at a time.
    boolean isGiven(String question);
  }
}
