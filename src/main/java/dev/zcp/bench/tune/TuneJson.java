package dev.zcp.bench.tune;

import dev.zcp.bench.result.Summary;
import dev.zcp.core.RawPath;
import dev.zcp.profile.Mounts.Mount;
import dev.zcp.profile.Way;
import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// What the tuning found, for programs: one object in one line. What is not known is `null`.
public final class TuneJson {

  private TuneJson() {}

  /// @param profile where the figures were written
  /// @return one line, without its line feed
  public static String line(TuneResult result, RawPath profile) {
    StringWriter text = new StringWriter();
    JsonFactory factory = JsonFactory.builder().build();
    try (JsonGenerator json = factory.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeStringProperty("event", "tuned");
      switch (result.way()) {
        case Way.Send(String host) -> json.writeStringProperty("host", host);
        case Way.Copy(Mount from, Mount to) -> {
          json.writeStringProperty("from", from.point());
          json.writeStringProperty("to", to.point());
        }
      }
      json.writeNumberProperty("bytes", result.fileBytes());
      json.writeNumberProperty("seed", result.seed());
      json.writeArrayPropertyStart("ways");
      for (Trialled each : result.trialled()) {
        write(json, each);
      }
      json.writeEndArray();
      write(json, "fastest", result.fastest());
      write(json, "autoByItself", result.byItself());
      json.writeObjectPropertyStart("longFile");
      json.writeNumberProperty("bytes", TuneResult.LONG_BYTES);
      json.writeStringProperty("strategy", result.longFile().strategy());
      json.writeNumberProperty("chunk", result.longFile().chunkBytes());
      json.writeEndObject();
      json.writeName("gain");
      if (result.again() == null) {
        json.writeNull();
      } else {
        json.writeNumber(Math.round(1000 * result.again().gain()) / 1000.0);
      }
      json.writeBooleanProperty("better", result.isBetter());
      json.writeStringProperty("profile", result.unwritten() == null ? profile.toString() : null);
      json.writeEndObject();
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, String name, TuneResult.Chosen chosen) {
    json.writeObjectPropertyStart(name);
    json.writeStringProperty("strategy", chosen.strategy());
    json.writeNumberProperty("chunk", chosen.chunkBytes());
    json.writeNumberProperty("startUpNs", chosen.startUpNs());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Trialled each) {
    json.writeStartObject();
    json.writeStringProperty("strategy", each.strategy());
    json.writeNumberProperty("chunk", each.chunkBytes());
    switch (each) {
      case Trialled.Refused refused -> json.writeStringProperty("refused", refused.reason());
      case Trialled.Measured measured -> {
        Summary ns = measured.ns();
        json.writeNumberProperty("runs", measured.runs());
        json.writeNumberProperty("firstNs", measured.firstNs());
        json.writeNumberProperty("medianNs", Math.round(ns.median()));
        json.writeNumberProperty("lowerQuartileNs", Math.round(ns.lowerQuartile()));
        json.writeNumberProperty("upperQuartileNs", Math.round(ns.upperQuartile()));
        json.writeNumberProperty("minNs", Math.round(ns.min()));
        json.writeNumberProperty("maxNs", Math.round(ns.max()));
      }
    }
    json.writeEndObject();
  }
}
