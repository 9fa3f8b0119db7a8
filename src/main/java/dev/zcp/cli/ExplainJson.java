package dev.zcp.cli;

import static dev.zcp.json.JsonType.COUNT;
import static dev.zcp.json.JsonType.COUNT_IF_KNOWN;
import static dev.zcp.json.JsonType.FLAG;
import static dev.zcp.json.JsonType.TEXT;

import dev.zcp.copy.Explanation;
import dev.zcp.copy.Survey;
import dev.zcp.copy.TreeSurvey;
import dev.zcp.core.RawPath;
import dev.zcp.core.Words;
import dev.zcp.engine.Engine;
import dev.zcp.json.JsonLines;
import dev.zcp.json.JsonTable;
import dev.zcp.json.JsonType;
import dev.zcp.linux.SocketLimits;
import dev.zcp.profile.Profile.Finding;
import dev.zcp.profile.ProfileFormat;
import dev.zcp.profile.RouteKey;

/// What `zcp explain` says to programs: one object in one line. What is not known is `null`.
///
/// @param profile where the profile is, or null if there is to be none
record ExplainJson(Survey survey, RawPath profile) {

  private static final JsonType<String> IF_ANY = TEXT.orNull("");

  private static final JsonType<Long> IF_LIMITED = COUNT.orNull(Long.MAX_VALUE);

  private static final JsonTable<SocketLimits> SOCKETS =
      new JsonTable<SocketLimits>()
          .field("sendTunedMax", COUNT_IF_KNOWN, SocketLimits::sendTunedMax)
          .field("receiveTunedMax", COUNT_IF_KNOWN, SocketLimits::receiveTunedMax)
          .field("sendAskedMax", COUNT_IF_KNOWN, SocketLimits::sendAskedMax)
          .field("receiveAskedMax", COUNT_IF_KNOWN, SocketLimits::receiveAskedMax)
          .field("congestion", IF_ANY, SocketLimits::congestion);

  private static final JsonTable<ExplainJson> CONNECTION =
      new JsonTable<ExplainJson>()
          .field("encrypted", FLAG, of -> of.explanation().route().sink().encrypted())
          .field("compressed", FLAG, of -> !of.explanation().isLoopback())
          .all(SOCKETS, of -> of.survey.facts().sockets());

  private static final JsonTable<Explanation.Refusal> REFUSAL =
      new JsonTable<Explanation.Refusal>()
          .field("strategy", TEXT, each -> each.strategy().name())
          .field("reason", TEXT, Explanation.Refusal::reason);

  private static final JsonTable<TreeSurvey.PathShare> PART =
      new JsonTable<TreeSurvey.PathShare>()
          .field("path", TEXT, part -> part.survey().explanation().path().label())
          .field("files", COUNT, TreeSurvey.PathShare::files)
          .field("bytes", COUNT, TreeSurvey.PathShare::bytes)
          .field("strategies", TEXT.list(), TreeSurvey.PathShare::strategies)
          .field("example", TEXT, part -> part.example().toString());

  private static final JsonTable<TreeSurvey> TREE =
      new JsonTable<TreeSurvey>()
          .field("source", TEXT, _ -> "directory")
          .field("target", TEXT, of -> Words.of(of.target().kind()))
          .field("files", COUNT, TreeSurvey::files)
          .field("bytes", COUNT, TreeSurvey::bytes)
          .field("others", COUNT, TreeSurvey::others)
          .field("unread", COUNT, TreeSurvey::unread)
          .field("freeBytes", COUNT_IF_KNOWN, TreeSurvey::freeBytes)
          .field("parts", PART.list(), TreeSurvey::parts);

  /// What is said of a tree, in one line.
  static byte[] line(TreeSurvey survey) {
    return new JsonLines().line(TREE, survey);
  }

  /// @return one line
  byte[] line() {
    long bytes = explanation().bytes();
    boolean isSized = bytes != Long.MAX_VALUE;
    JsonTable<Engine.Candidate> candidate =
        new JsonTable<Engine.Candidate>()
            .field("strategy", TEXT, each -> each.strategy().name())
            .field("startUpNs", COUNT, each -> each.verdict().cost().startUpNs())
            .field("nsPerMiB", COUNT, each -> each.verdict().cost().nsPerMiB())
            .field(
                "estimateNs",
                COUNT,
                each -> isSized ? Math.round(each.verdict().cost().estimateNs(bytes)) : null)
            .field("chunk", IF_LIMITED, each -> each.verdict().chunkBytes())
            .field("measured", FLAG, Engine.Candidate::measured);
    JsonTable<ExplainJson> table =
        new JsonTable<ExplainJson>()
            .field("source", TEXT, of -> Words.of(of.explanation().route().source().kind()))
            .field("target", TEXT, of -> Words.of(of.explanation().route().sink().kind()))
            .field("bytes", IF_LIMITED, _ -> bytes)
            .field(
                "host",
                TEXT,
                of ->
                    of.explanation().routeKey() instanceof RouteKey.Send send ? send.host() : null)
            .field("from", ProfileFormat.MOUNT, of -> of.survey.facts().source())
            .field("to", ProfileFormat.MOUNT, of -> of.survey.facts().target())
            .field("cachedBytes", COUNT, ExplainJson::cachedBytes)
            .field("freeBytes", COUNT_IF_KNOWN, of -> of.survey.facts().freeBytes())
            .field("connection", CONNECTION, of -> of.survey.facts().sockets() == null ? null : of)
            .field("profile", TEXT, of -> of.profile == null ? null : of.profile.toString())
            .field(
                "measured",
                TEXT,
                of ->
                    of.explanation().profile() instanceof Finding.Current current
                        ? current.tuned().date()
                        : null)
            .field(
                "used",
                FLAG,
                of -> !of.survey.usable().isEmpty() && of.survey.usable().getFirst().measured())
            .field(
                "ignored",
                IF_ANY,
                of -> of.profile == null ? "" : of.explanation().remark(of.profile))
            .field("path", TEXT, of -> of.explanation().path().label())
            .field("pathBecause", IF_ANY, of -> of.explanation().whySteps())
            .field("whenVerified", IF_ANY, of -> of.explanation().whenVerified())
            .field("tried", FLAG, of -> of.survey.isTried())
            .field("trial", TEXT, of -> of.survey.trial())
            .field("order", candidate.list(), of -> of.survey.usable())
            .field("refused", REFUSAL.list(), of -> of.survey.refusals());
    return new JsonLines().line(table, this);
  }

  private Explanation explanation() {
    return survey.explanation();
  }

  /// A share would be written as 9.8E-4, which not every script reads.
  private Long cachedBytes() {
    double share = survey.facts().cachedShare();
    return Double.isNaN(share) ? null : (Long) Math.round(share * explanation().bytes());
  }
}
