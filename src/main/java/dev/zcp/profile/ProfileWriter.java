package dev.zcp.profile;

import java.io.ByteArrayOutputStream;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/// Writes a profile as JSON that a person can read, too.
final class ProfileWriter {

  /// Goes up with every change of what is written.
  static final int FORMAT = 1;

  private ProfileWriter() {}

  static byte[] write(Profile profile) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    JsonFactory factory = JsonFactory.builder().build();
    try (JsonGenerator json = factory.createGenerator(new Pretty(), text, JsonEncoding.UTF8)) {
      json.writeStartObject();
      json.writeNumberProperty("format", FORMAT);
      json.writeArrayPropertyStart("ways");
      for (TunedWay way : profile.ways()) {
        write(json, way);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    text.write('\n');
    return text.toByteArray();
  }

  private static void write(JsonGenerator json, TunedWay tuned) {
    json.writeStartObject();
    switch (tuned.way()) {
      case Way.Send(String host) -> json.writeStringProperty("host", host);
      case Way.Copy(Mount from, Mount to) -> {
        write(json, "from", from);
        write(json, "to", to);
      }
    }
    json.writeStringProperty("kernel", tuned.kernel());
    json.writeStringProperty("date", tuned.date());
    json.writeStringProperty("zcp", tuned.zcpVersion());
    json.writeNumberProperty("fileBytes", tuned.fileBytes());
    json.writeBooleanProperty("better", tuned.better());
    json.writeArrayPropertyStart("figures");
    for (Measured each : tuned.figures()) {
      json.writeStartObject();
      json.writeStringProperty("strategy", each.strategy());
      json.writeNumberProperty("chunkBytes", each.chunkBytes());
      json.writeNumberProperty("medianNsPerMiB", each.medianNsPerMiB());
      json.writeNumberProperty("lowerQuartileNsPerMiB", each.lowerQuartileNsPerMiB());
      json.writeNumberProperty("upperQuartileNsPerMiB", each.upperQuartileNsPerMiB());
      json.writeNumberProperty("runs", each.runs());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String name, Mount mount) {
    json.writeObjectPropertyStart(name);
    json.writeStringProperty("type", mount.type());
    json.writeStringProperty("source", mount.source());
    json.writeStringProperty("point", mount.point());
    json.writeEndObject();
  }

  /// Has the generator break lines.
  private static final class Pretty extends ObjectWriteContext.Base {

    @Override
    public PrettyPrinter getPrettyPrinter() {
      return new DefaultPrettyPrinter();
    }

    @Override
    public boolean hasPrettyPrinter() {
      return true;
    }
  }
}
