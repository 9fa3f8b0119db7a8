package dev.zcp.exchange;

import dev.zcp.wire.Accept;
import dev.zcp.wire.Level;

/// The terms of a receiver, and the window that its sender may know of.
final class ReceivingTerms {

  /// Large files that may be offered before there are terms: every receiver takes one.
  private static final int FILES_BEFORE_TERMS = 1;

  private Accept terms;
  private long window;
  private long windowMax;

  void accept(Accept accepted) {
    terms = accepted;
    window(accepted.windowBytes());
  }

  void window(long windowBytes) {
    window = windowBytes;
    // A sender that has not heard of a narrower one yet still uses the wider.
    windowMax = Math.max(windowMax, windowBytes);
  }

  boolean isAccepted() {
    return terms != null;
  }

  Accept accepted() {
    return terms;
  }

  long window() {
    return window;
  }

  long windowMax() {
    return windowMax;
  }

  boolean inOrder() {
    return terms != null && terms.inOrder();
  }

  Level level() {
    return terms == null ? Level.NONE : terms.level();
  }

  int filesMax() {
    return terms == null ? FILES_BEFORE_TERMS : terms.filesMax();
  }
}
