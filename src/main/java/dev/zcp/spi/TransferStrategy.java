package dev.zcp.spi;

import java.io.IOException;

/// One way of moving the bytes of one file from a [Source] to a [Sink].
///
/// Those in a jar are found by [java.util.ServiceLoader]. Strategies hold no state of their own:
/// what a transfer has to remember lives in its [Mover].
///
/// A strategy knows nothing of paths, peers, metadata, progress, retries or other strategies. Those
/// belong to the engine and the session, so that every strategy gets them alike.
public interface TransferStrategy {

  /// The word a user types after `--strategy=`. It must be letters only, in camel case, and unique
  /// regardless of case among all strategies of the process.
  String name();

  /// One line for `zcp strategies`: which calls carry a byte, and what that costs.
  String summary();

  /// What a byte pays on its way to a socket, for the table of `zcp strategies`.
  Model model();

  /// Says whether this strategy can serve `route`. Must move nothing and open nothing; may be wrong
  /// in the hopeful direction, since [Mover#move] can still decline.
  Verdict judge(Route route);

  /// Begins one transfer over a route that [#judge] called usable. The ends stay the caller's to
  /// close; the mover closes only what it opened itself.
  ///
  /// @throws IOException if something this strategy needs (a pipe, a buffer) is not to be had
  Mover open(Source source, Sink sink) throws IOException;
}
