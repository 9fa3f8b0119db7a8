package dev.zcp.web;

import dev.zcp.secure.Key;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// Tells requests that know the key, which is the first name of the path. Whoever does not know it
/// learns nothing from the time that this takes, and is answered at a bounded rate.
final class KeyGate {

  /// So many requests without the key are answered in a second, whoever sends them.
  private static final long ANSWER_NS = 100_000_000;

  /// More than so many do not wait for their answer: they get none.
  private static final int WAITING_MAX = 20;

  private final byte[] key;

  /// When the next one without the key is answered. Guarded by this.
  private long nextNs = System.nanoTime();

  KeyGate(Key key) {
    this.key = key.text().getBytes(StandardCharsets.US_ASCII);
  }

  /// @param rawPath as the request has it, percent-encoded; may be null
  /// @return what follows the key, which is empty or begins with `/`; null if it is not the key
  String open(String rawPath) {
    String path = rawPath == null ? "" : rawPath;
    int start = Math.min(1, path.length());
    int slash = path.indexOf('/', start);
    int end = slash < 0 ? path.length() : slash;
    byte[] typed = path.substring(start, end).getBytes(StandardCharsets.ISO_8859_1);
    return MessageDigest.isEqual(typed, key) ? path.substring(end) : null;
  }

  /// Waits until a request without the key may be answered.
  ///
  /// @return false if too many wait
  boolean awaitRefusal() throws InterruptedException {
    long waitNs;
    synchronized (this) {
      long nowNs = System.nanoTime();
      waitNs = Math.max(0, nextNs - nowNs);
      if (waitNs > WAITING_MAX * ANSWER_NS) {
        return false;
      }
      nextNs = nowNs + waitNs + ANSWER_NS;
    }
    Thread.sleep(waitNs / 1_000_000);
    return true;
  }
}
