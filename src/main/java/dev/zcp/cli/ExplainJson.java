package dev.zcp.cli;

import dev.zcp.copy.Explanation;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Engine;
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
  static String line(Explanation explanation, RawPath profile) {
    return JsonLine.of(json -> write(json, explanation, profile));
  }

  private static void write(JsonGenerator json, Explanation explanation, RawPath profile) {
    boolean isSized = explanation.bytes() != Long.MAX_VALUE;
    json.writeStringProperty("source", kind(explanation.route().source().kind()));
    json.writeStringProperty("target", kind(explanation.route().sink().kind()));
    writeNumber(json, "bytes", isSized ? explanation.bytes() : -1);
    writeRouteKey(json, explanation.routeKey());
    writeProfile(json, explanation, profile);
    json.writeStringProperty("path", explanation.path().label());
    String whenVerified = explanation.whenVerified();
    json.writeStringProperty("whenVerified", whenVerified.isEmpty() ? null : whenVerified);
    json.writeArrayPropertyStart("order");
    for (Engine.Candidate each : explanation.usable()) {
      write(json, each, explanation.bytes());
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("refused");
    for (Explanation.Refusal each : explanation.refusals()) {
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

  private static void writeRouteKey(JsonGenerator json, RouteKey routeKey) {
    String host = routeKey instanceof RouteKey.Send send ? send.host() : null;
    json.writeStringProperty("host", host);
    writeMount(json, "from", routeKey instanceof RouteKey.Copy copy ? copy.from() : null);
    writeMount(json, "to", routeKey instanceof RouteKey.Copy copy ? copy.to() : null);
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

  private static void writeProfile(JsonGenerator json, Explanation explanation, RawPath profile) {
    MeasuredRoute tuned =
        explanation.profile() instanceof Finding.Current current ? current.tuned() : null;
    json.writeStringProperty("profile", profile == null ? null : profile.toString());
    json.writeStringProperty("measured", tuned == null ? null : tuned.date());
    json.writeBooleanProperty(
        "used", !explanation.usable().isEmpty() && explanation.usable().getFirst().measured());
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
