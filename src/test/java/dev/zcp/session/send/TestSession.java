package dev.zcp.session.send;

import dev.zcp.carrier.RateLimit;
import dev.zcp.core.Address;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.insight.Insight;
import dev.zcp.session.Flow;
import dev.zcp.session.KeySource;
import dev.zcp.session.PeerEndpoint.Dial;
import dev.zcp.session.Peering;
import dev.zcp.session.ResumeVerify;
import dev.zcp.session.Savings;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.OnChange;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection;
import java.util.List;

/// A session of a sender, by which a test plays the receiver.
final class TestSession {

  /// Fails where a source changes.
  static final Policy FAILING = new Policy(Existing.REPLACE, null, false, OnChange.FAIL, false);

  private TestSession() {}

  static SendingSession of(SendingEnd end, Insight insight, Level asked) {
    return of(end, insight, FAILING, asked, ResumeVerify.ALL);
  }

  static SendingSession of(
      SendingEnd end, Insight insight, Policy policy, Level asked, ResumeVerify resumeVerify) {
    SendRequest request =
        new SendRequest(
            new Peering(
                Dial.usual(Address.parse("127.0.0.1:1")),
                new KeySource(null, null, null),
                Address.Scheme.PLAIN,
                Flow.of(1, 1)),
            List.of(RawPath.of("file")),
            Choice.DEFAULT,
            Selection.FILES,
            Preserve.USUAL,
            policy,
            new Sending(asked, resumeVerify, false, false, Savings.AUTO));
    return new SendingSession(
        end,
        insight,
        "peer",
        request,
        new SendingSession.LineTerms(
            null, new RateLimit(0), Dial.CONNECTIONS_MAX, Long.MAX_VALUE, -1, 0, Savings.NONE),
        () -> {});
  }
}
