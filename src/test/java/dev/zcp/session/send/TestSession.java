package dev.zcp.session.send;

import dev.zcp.exchange.SendingEnd;
import dev.zcp.insight.Insight;
import dev.zcp.session.ResumeVerify;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.OnChange;
import dev.zcp.wire.Level;

/// A session of a sender that fails where a source changes.
final class TestSession {

  private TestSession() {}

  static SendingSession of(SendingEnd end, Insight insight, Level asked) {
    return of(end, insight, asked, ResumeVerify.ALL);
  }

  static SendingSession of(SendingEnd end, Insight insight, Level asked, ResumeVerify policy) {
    return new SendingSession(
        end,
        insight,
        new Policy(Existing.REPLACE, null, false, OnChange.FAIL, false),
        policy,
        "peer",
        asked);
  }
}
