package dev.zcp.engine;

/// Hears of every step of one transfer, on the thread that makes it. An implementation must return
/// soon and must not throw: the time it takes is the transfer's time.
public interface Observer {

  /// One call of a mover put `bytes` into the sink.
  void moved(String strategy, long bytes, long elapsedNs);

  /// A strategy that moves bytes through user space read `bytes` from the source; part of a step
  /// that [#moved] reports as a whole.
  void read(long bytes, long elapsedNs);

  /// A strategy that moves bytes through user space wrote `bytes` to the sink; part of a step, too.
  void written(long bytes, long elapsedNs);

  /// `strategy` would not go on, and another takes over at the same offset.
  void declined(String strategy, String reason);

  /// Hears everything and does nothing.
  Observer NONE =
      new Observer() {
        @Override
        public void moved(String strategy, long bytes, long elapsedNs) {}

        @Override
        public void read(long bytes, long elapsedNs) {}

        @Override
        public void written(long bytes, long elapsedNs) {}

        @Override
        public void declined(String strategy, String reason) {}
      };
}
