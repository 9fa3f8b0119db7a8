package dev.zcp.json;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/// Writes objects of JSON, each in a line of its own. One such object may write many lines: to make
/// one costs more than to write a line.
public final class JsonLines {

  private final StringWriter text = new StringWriter();
  private final JsonGenerator json;

  public JsonLines() {
    this(ObjectWriteContext.empty());
  }

  private JsonLines(ObjectWriteContext how) {
    json = JsonFactory.builder().rootValueSeparator("").build().createGenerator(how, text);
  }

  /// An object in several lines, for people too.
  public static <T> byte[] pretty(JsonTable<T> table, T value) {
    return new JsonLines(new Pretty()).line(table, value);
  }

  /// @return UTF-8, with a line feed at its end
  public <T> byte[] line(JsonTable<T> table, T value) {
    text.getBuffer().setLength(0);
    table.write(json, value);
    json.flush();
    // Not encoded by the generator, which refuses half a surrogate pair; here it becomes '?'.
    return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
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
