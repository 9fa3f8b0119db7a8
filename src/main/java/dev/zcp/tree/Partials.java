package dev.zcp.tree;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What a copy or a receiver has made and not published yet. Once abandoned, as on a signal,
/// nothing of it is left and nothing is published any more.
public final class Partials {

  private final Set<Partial> unfinished = ConcurrentHashMap.newKeySet();
  private volatile boolean abandoned;

  /// A name in `directory` that is nobody's yet; nothing is made. The directory must stay open
  /// until it is published or discarded.
  public Partial begin(OpenDirectory directory) {
    Partial partial = Partial.fresh(this, directory);
    unfinished.add(partial);
    return partial;
  }

  /// The file `name` of `directory`, which is there, as one to be revealed. Where all is abandoned
  /// it stays: somebody else goes on with it.
  public Partial goOnWith(OpenDirectory directory, byte[] name) {
    Partial partial = Partial.lasting(this, directory, name);
    unfinished.add(partial);
    return partial;
  }

  /// Deletes everything but what [#goOnWith] took, and refuses whatever comes after.
  public void abandon() {
    abandoned = true;
    for (Partial partial : unfinished) {
      // It waits for one that is being revealed: no name appears after this.
      partial.abandon();
    }
  }

  public boolean isAbandoned() {
    return abandoned;
  }

  void forget(Partial partial) {
    unfinished.remove(partial);
  }

  void requireWanted() throws IOException {
    if (abandoned) {
      throw new IOException("it was given up");
    }
  }
}
