package dev.zcp.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/// An object of JSON from a file that anybody may have changed: each value is checked when it is
/// asked for. What is absent and what is `null` are alike.
public final class JsonObject {

  /// The fast parser of doubles makes tables of large numbers first, for 10 ms; here are few.
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamReadFeature.USE_FAST_DOUBLE_PARSER).build();

  /// Any object.
  public static final JsonType<JsonObject> OBJECT = new JsonTable<>(JsonTable.Values::object);

  private final String where;
  private final Map<String, Object> fields;

  /// So many numbers of an array of them take no more memory than another value.
  private static final int NUMBERS_PER_VALUE = 8;

  /// How many values are in it and in what it holds.
  private final int values;

  private JsonObject(String where, Map<String, Object> fields, int values) {
    this.where = where;
    this.fields = fields;
    this.values = values;
  }

  /// @param where the text stands, as the beginning of a message: `line 1 `; or empty
  /// @throws MalformedJson if it is anything but one object
  public static JsonObject parse(byte[] text, String where) {
    try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new MalformedJson(where + "is not a JSON object");
      }
      JsonObject object = new ObjectReader(json, where).object();
      if (json.nextToken() != null) {
        throw new MalformedJson(where + "goes on after its object");
      }
      return object;
    } catch (JacksonException e) {
      throw new MalformedJson(where + "is not JSON", e);
    }
  }

  /// How many values there are in it, and in the objects and arrays in it.
  public int values() {
    return values;
  }

  public boolean has(String name) {
    return fields.get(name) != null;
  }

  public Set<String> names() {
    return fields.keySet();
  }

  /// @throws MalformedJson if it is anything else, or missing and the type has no null
  public <V> V get(String name, JsonType<V> type) {
    Object value = fields.get(name);
    if (value == null && type.isOrNull()) {
      return type.absent();
    }
    V read = value == null ? null : type.read(value);
    if (read == null) {
      throw malformed(name);
    }
    return read;
  }

  /// Null if there is none.
  public JsonObject object(String name) {
    return get(name, OBJECT.orNull());
  }

  public MalformedJson malformed(String name) {
    return new MalformedJson(where + "has no proper '" + name + "'");
  }

  private static final class ObjectReader {

    private final JsonParser json;
    private final String where;
    private int values;

    ObjectReader(JsonParser json, String where) {
      this.json = json;
      this.where = where;
    }

    JsonObject object() {
      int before = values;
      Map<String, Object> fields = new LinkedHashMap<>();
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String name = json.currentName();
        json.nextToken();
        fields.put(name, value());
      }
      return new JsonObject(where, fields, values - before);
    }

    private Object value() {
      values++;
      return switch (json.currentToken()) {
        case START_OBJECT -> object();
        case START_ARRAY -> array();
        case VALUE_STRING -> json.getString();
        case VALUE_NUMBER_INT -> json.getLongValue();
        case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
        case VALUE_TRUE -> true;
        case VALUE_FALSE -> false;
        default -> null;
      };
    }

    /// Numbers alone are an array of `long`, which takes a fraction of the memory.
    private Object array() {
      long[] numbers = new long[NUMBERS_PER_VALUE];
      int count = 0;
      JsonToken token = json.nextToken();
      for (; token == JsonToken.VALUE_NUMBER_INT; token = json.nextToken()) {
        if (count == numbers.length) {
          numbers = Arrays.copyOf(numbers, 2 * count);
        }
        numbers[count++] = json.getLongValue();
      }
      if (token == JsonToken.END_ARRAY && count > 0) {
        values += count / NUMBERS_PER_VALUE;
        return Arrays.copyOf(numbers, count);
      }
      List<Object> array = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        values++;
        array.add(numbers[i]);
      }
      for (; token != JsonToken.END_ARRAY; token = json.nextToken()) {
        array.add(value());
      }
      return array;
    }
  }

  /// What is not as `zcp --json` writes it.
  public static final class MalformedJson extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public MalformedJson(String message) {
      super(message);
    }

    MalformedJson(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
