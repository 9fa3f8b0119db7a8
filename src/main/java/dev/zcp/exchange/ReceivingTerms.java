package dev.zcp.exchange;

import dev.zcp.wire.Accept;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Level;

/// The terms of a receiver; before there are any, those that every receiver grants.
final class ReceivingTerms {

  private Accept terms;

  void accept(Accept accepted) {
    terms = accepted;
  }

  boolean isAccepted() {
    return terms != null;
  }

  Accept accepted() {
    return terms;
  }

  long window() {
    return terms == null ? 0 : terms.windowBytes();
  }

  boolean inOrder() {
    return terms != null && terms.inOrder();
  }

  Level level() {
    return terms == null ? Level.NONE : terms.level();
  }

  /// What blocks and batches must have; NONE if it does not matter.
  Digest.Algorithm digest() {
    return terms == null ? Digest.Algorithm.NONE : terms.digest();
  }

  int filesMax() {
    return terms == null ? Offers.FILES_BEFORE_TERMS : terms.filesMax();
  }
}
