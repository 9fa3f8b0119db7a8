package dev.zcp.report;

import java.io.StringWriter;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// One object of JSON in one line.
public final class JsonLine {

  private JsonLine() {}

  /// @param content writes what the object holds; the object itself is open already
  /// @return the line, without its line feed
  public static String of(Consumer<JsonGenerator> content) {
    StringWriter text = new StringWriter();
    JsonFactory factory = JsonFactory.builder().build();
    try (JsonGenerator json = factory.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      content.accept(json);
      json.writeEndObject();
    }
    return text.toString();
  }
}
