package dev.zcp.report;

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
final class JsonObject {

  private static final long NS_PER_SECOND = 1_000_000_000;

  /// The fast parser of doubles makes tables of large numbers first, for 10 ms; here are few.
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamReadFeature.USE_FAST_DOUBLE_PARSER).build();

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

  /// @param where the text stands, as a message names it
  /// @throws MalformedJson if it is anything but one object
  static JsonObject parse(byte[] text, String where) {
    try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new MalformedJson(where + " is no object of JSON");
      }
      JsonObject object = new ObjectReader(json, where).object();
      if (json.nextToken() != null) {
        throw new MalformedJson(where + " goes on after its object");
      }
      return object;
    } catch (JacksonException e) {
      throw new MalformedJson(where + " is no JSON", e);
    }
  }

  /// How messages name it.
  String where() {
    return where;
  }

  /// How many values there are in it, and in the objects and arrays in it.
  int values() {
    return values;
  }

  boolean has(String name) {
    return fields.get(name) != null;
  }

  Set<String> names() {
    return fields.keySet();
  }

  /// Empty if there is none.
  String text(String name) {
    Object value = fields.get(name);
    if (value == null) {
      return "";
    }
    if (value instanceof String text) {
      return text;
    }
    throw malformed(name);
  }

  /// A text to show; empty if there is none, or something else.
  String word(String name) {
    return fields.get(name) instanceof String text ? text : "";
  }

  /// False if there is none.
  boolean flag(String name) {
    Object value = fields.get(name);
    if (value == null || value instanceof Boolean) {
      return value != null && (Boolean) value;
    }
    throw malformed(name);
  }

  /// A whole number from 0 on.
  long count(String name) {
    long count = count(name, -1);
    if (count < 0) {
      throw malformed(name);
    }
    return count;
  }

  /// @param absent what stands for none
  long count(String name, long absent) {
    Object value = fields.get(name);
    if (value == null) {
      return absent;
    }
    if (value instanceof Long count && count >= 0) {
      return count;
    }
    throw malformed(name);
  }

  /// A part of one; NaN if there is none.
  double share(String name) {
    Object value = fields.get(name);
    if (value == null) {
      return Double.NaN;
    }
    double share = value instanceof Number number ? number.doubleValue() : -1;
    if (share >= 0 && share <= 1) {
      return share;
    }
    throw malformed(name);
  }

  /// Seconds, as nanoseconds.
  long ns(String name) {
    double seconds = fields.get(name) instanceof Number number ? number.doubleValue() : -1;
    if (seconds >= 0 && seconds < (double) Long.MAX_VALUE / NS_PER_SECOND) {
      return Math.round(seconds * NS_PER_SECOND);
    }
    throw malformed(name);
  }

  /// Null if there is none.
  JsonObject object(String name) {
    Object value = fields.get(name);
    if (value == null || value instanceof JsonObject) {
      return (JsonObject) value;
    }
    throw malformed(name);
  }

  /// Empty if there is none.
  List<JsonObject> objects(String name) {
    return all(name, JsonObject.class);
  }

  /// Empty if there is none.
  List<String> texts(String name) {
    return all(name, String.class);
  }

  /// Whole numbers from 0 on; empty if there is none.
  long[] counts(String name) {
    Object value = fields.get(name);
    if (value == null || value instanceof List<?> list && list.isEmpty()) {
      return new long[0];
    }
    if (value instanceof long[] counts && Arrays.stream(counts).allMatch(count -> count >= 0)) {
      return counts.clone();
    }
    throw malformed(name);
  }

  MalformedJson malformed(String name) {
    return new MalformedJson(where + " has no proper '" + name + "'");
  }

  private <T> List<T> all(String name, Class<T> type) {
    Object value = fields.get(name);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      throw malformed(name);
    }
    List<T> all = new ArrayList<>(list.size());
    for (Object each : list) {
      if (!type.isInstance(each)) {
        throw malformed(name);
      }
      all.add(type.cast(each));
    }
    return all;
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
  static final class MalformedJson extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MalformedJson(String message) {
      super(message);
    }

    MalformedJson(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
