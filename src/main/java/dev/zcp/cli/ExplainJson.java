package dev.zcp.cli;

import dev.zcp.copy.Explanation;
import dev.zcp.copy.RouteFacts;
import dev.zcp.copy.Survey;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Engine;
import dev.zcp.linux.SocketLimits;
import dev.zcp.profile.MeasuredRoute;
import dev.zcp.profile.Mounts.Mount;
import dev.zcp.profile.Profile.Finding;
import dev.zcp.profile.RouteKey;
import dev.zcp.report.JsonLine;
import dev.zcp.spi.Verdict;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/// What `zcp explain` says to programs: one object in one line. What is not known is `null`.
final class ExplainJson {

  private ExplainJson() {}

  /// @param profile where the profile is, or null if there is to be none
  /// @return one line, without its line feed
  static String line(Survey survey, RawPath profile) {
    return JsonLine.of(json -> write(json, survey, profile));
  }

  private static void write(JsonGenerator json, Survey survey, RawPath profile) {
    Explanation explanation = survey.explanation();
    boolean isSized = explanation.bytes() != Long.MAX_VALUE;
    json.writeStringProperty("source", kind(explanation.route().source().kind()));
    json.writeStringProperty("target", kind(explanation.route().sink().kind()));
    writeNumber(json, "bytes", isSized ? explanation.bytes() : -1);
    String host = explanation.routeKey() instanceof RouteKey.Send send ? send.host() : null;
    json.writeStringProperty("host", host);
    writeFacts(json, survey);
    writeProfile(json, survey, profile);
    json.writeStringProperty("path", explanation.path().label());
    String whySteps = explanation.whySteps();
    json.writeStringProperty("pathBecause", whySteps.isEmpty() ? null : whySteps);
    String whenVerified = explanation.whenVerified();
    json.writeStringProperty("whenVerified", whenVerified.isEmpty() ? null : whenVerified);
    json.writeBooleanProperty("tried", survey.isTried());
    json.writeStringProperty("trial", survey.trial());
    json.writeArrayPropertyStart("order");
    for (Engine.Candidate each : survey.usable()) {
      write(json, each, explanation.bytes());
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("refused");
    for (Explanation.Refusal each : survey.refusals()) {
      json.writeStartObject();
      json.writeStringProperty("strategy", each.strategy().name());
      json.writeStringProperty("reason", each.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static String kind(Enum<?> kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static void writeFacts(JsonGenerator json, Survey survey) {
    RouteFacts facts = survey.facts();
    writeMount(json, "from", facts.source());
    writeMount(json, "to", facts.target());
    // A share would be written as 9.8E-4, which not every script reads.
    boolean isCacheKnown = !Double.isNaN(facts.cachedShare());
    long cachedBytes = Math.round(facts.cachedShare() * survey.explanation().bytes());
    writeNumber(json, "cachedBytes", isCacheKnown ? cachedBytes : -1);
    writeNumber(json, "freeBytes", facts.freeBytes());
    boolean isEncrypted = survey.explanation().route().sink().encrypted();
    SocketLimits sockets = facts.sockets();
    if (sockets == null) {
      json.writeNullProperty("connection");
      return;
    }
    json.writeObjectPropertyStart("connection");
    json.writeBooleanProperty("encrypted", isEncrypted);
    writeNumber(json, "sendTunedMax", sockets.sendTunedMax());
    writeNumber(json, "receiveTunedMax", sockets.receiveTunedMax());
    writeNumber(json, "sendAskedMax", sockets.sendAskedMax());
    writeNumber(json, "receiveAskedMax", sockets.receiveAskedMax());
    String congestion = sockets.congestion();
    json.writeStringProperty("congestion", congestion.isEmpty() ? null : congestion);
    json.writeEndObject();
  }

  private static void writeMount(JsonGenerator json, String name, Mount mount) {
    if (mount == null) {
      json.writeNullProperty(name);
      return;
    }
    json.writeObjectPropertyStart(name);
    json.writeStringProperty("type", mount.type());
    json.writeStringProperty("source", mount.source());
    json.writeStringProperty("point", mount.point());
    json.writeEndObject();
  }

  private static void writeProfile(JsonGenerator json, Survey survey, RawPath profile) {
    Explanation explanation = survey.explanation();
    MeasuredRoute tuned =
        explanation.profile() instanceof Finding.Current current ? current.tuned() : null;
    json.writeStringProperty("profile", profile == null ? null : profile.toString());
    json.writeStringProperty("measured", tuned == null ? null : tuned.date());
    json.writeBooleanProperty(
        "used", !survey.usable().isEmpty() && survey.usable().getFirst().measured());
    String ignored = profile == null ? "" : explanation.remark(profile);
    json.writeStringProperty("ignored", ignored.isEmpty() ? null : ignored);
  }

  private static void write(JsonGenerator json, Engine.Candidate each, long bytes) {
    Verdict.Cost cost = each.verdict().cost();
    boolean isSized = bytes != Long.MAX_VALUE;
    boolean hasChunk = each.verdict().chunkBytes() != Long.MAX_VALUE;
    json.writeStartObject();
    json.writeStringProperty("strategy", each.strategy().name());
    json.writeNumberProperty("startUpNs", cost.startUpNs());
    json.writeNumberProperty("nsPerMiB", cost.nsPerMiB());
    writeNumber(json, "estimateNs", isSized ? Math.round(cost.estimateNs(bytes)) : -1);
    writeNumber(json, "chunk", hasChunk ? each.verdict().chunkBytes() : -1);
    json.writeBooleanProperty("measured", each.measured());
    json.writeEndObject();
  }

  /// @param number negative if it is not known
  private static void writeNumber(JsonGenerator json, String name, long number) {
    if (number < 0) {
      json.writeNullProperty(name);
    } else {
      json.writeNumberProperty(name, number);
    }
  }
}
