package dev.zcp.bench.report;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/// One object of JSON that came from somewhere, asked for what it must hold. Whatever is not as it
/// must be is a [Failure] with the code USAGE that names the place and the key.
final class Fields {

  private static final int NESTING_MAX = 8;

  private final String place;
  private final Map<String, Object> values;

  private record Nested(Map<String, Object> values) {}

  private record Items(List<Object> values) {}

  private Fields(String place, Map<String, Object> values) {
    this.place = place;
    this.values = values;
  }

  /// @param place for messages: `old.json: line 3`
  /// @param text one object, and nothing after it
  static Fields parse(String place, String text) throws Failure {
    JsonFactory json =
        JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                StreamReadConstraints.builder().maxNestingDepth(NESTING_MAX).build())
            .build();
    try (JsonParser parser = json.createParser(ObjectReadContext.empty(), text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw malformed(place, "no object of JSON");
      }
      Map<String, Object> values = object(parser);
      if (parser.nextToken() != null) {
        throw malformed(place, "something after the object");
      }
      return new Fields(place, values);
    } catch (UnexpectedEndOfInputException e) {
      throw malformed(place, "ends in the middle").because(e);
    } catch (JacksonException e) {
      throw malformed(place, "no JSON: " + Printable.of(e.getOriginalMessage())).because(e);
    }
  }

  private static Map<String, Object> object(JsonParser parser) {
    Map<String, Object> values = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      values.put(name, value(parser));
    }
    return values;
  }

  /// A String, Long, Double, Boolean, Nested, Items, or null.
  private static Object value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> new Nested(object(parser));
      case START_ARRAY -> {
        List<Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(value(parser));
        }
        yield new Items(items);
      }
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new IllegalStateException("no value begins with " + parser.currentToken());
    };
  }

  boolean has(String key) {
    return values.get(key) != null;
  }

  String text(String key) throws Failure {
    return as(String.class, key, "a text");
  }

  boolean flag(String key) throws Failure {
    return as(Boolean.class, key, "true or false");
  }

  /// Any whole number.
  long number(String key) throws Failure {
    return as(Long.class, key, "a whole number");
  }

  /// A whole number from 0 to `max`.
  long count(String key, long max) throws Failure {
    long count = number(key);
    if (count < 0 || count > max) {
      throw malformed(place, "'" + key + "' is out of bounds: " + count);
    }
    return count;
  }

  /// A number that is not negative and at most `max`.
  double amount(String key, double max) throws Failure {
    return amount(key, values.get(key), max);
  }

  /// As [#amount], or NaN for null.
  double amountIfKnown(String key, double max) throws Failure {
    if (values.containsKey(key) && values.get(key) == null) {
      return Double.NaN;
    }
    return amount(key, max);
  }

  List<Double> amounts(String key, double max) throws Failure {
    List<Double> amounts = new ArrayList<>();
    for (Object item : as(Items.class, key, "a list").values()) {
      amounts.add(amount(key, item, max));
    }
    return amounts;
  }

  List<String> texts(String key) throws Failure {
    List<String> texts = new ArrayList<>();
    for (Object item : as(Items.class, key, "a list").values()) {
      texts.add(as(String.class, item, key, "a list of texts"));
    }
    return texts;
  }

  Fields object(String key) throws Failure {
    return nested(key, values.get(key));
  }

  List<Fields> objects(String key) throws Failure {
    List<Fields> objects = new ArrayList<>();
    for (Object item : as(Items.class, key, "a list").values()) {
      objects.add(nested(key, item));
    }
    return objects;
  }

  /// A word for one of `constants`.
  <T> T oneOf(String key, T[] constants, Function<T, String> word) throws Failure {
    String given = text(key);
    for (T constant : constants) {
      if (word.apply(constant).equals(given)) {
        return constant;
      }
    }
    throw malformed(place, "'" + key + "' is unknown: " + Printable.of(given));
  }

  /// A whole number from 1 on, or one of the `words`, whose index is given as `-1 - index`.
  long numberOr(String key, String... words) throws Failure {
    if (values.get(key) instanceof String word) {
      for (int i = 0; i < words.length; i++) {
        if (words[i].equals(word)) {
          return -1 - i;
        }
      }
      throw malformed(place, "'" + key + "' is unknown: " + Printable.of(word));
    }
    long number = count(key, Long.MAX_VALUE - 1);
    if (number == 0) {
      throw malformed(place, "'" + key + "' is out of bounds: 0");
    }
    return number;
  }

  void mustBeKind(String kind) throws Failure {
    mustBe("kind", kind);
  }

  void mustBe(String key, String expected) throws Failure {
    String given = text(key);
    if (!given.equals(expected)) {
      throw malformed(
          place,
          "'" + key + "' is '" + Printable.of(given) + "', not '" + Printable.of(expected) + "'");
    }
  }

  Failure malformed(String what) {
    return malformed(place, what);
  }

  private Fields nested(String key, Object value) throws Failure {
    Nested nested = as(Nested.class, value, key, "an object");
    return new Fields(place + ", " + key, nested.values());
  }

  private double amount(String key, Object value, double max) throws Failure {
    double amount = as(Number.class, value, key, "a number").doubleValue();
    // Too large a number of JSON becomes an infinity, which is not at most the maximum.
    if (!(amount >= 0 && amount <= max)) {
      throw malformed(place, "'" + key + "' is out of bounds: " + amount);
    }
    return amount;
  }

  private <T> T as(Class<T> type, String key, String what) throws Failure {
    return as(type, values.get(key), key, what);
  }

  private <T> T as(Class<T> type, Object value, String key, String what) throws Failure {
    if (!type.isInstance(value)) {
      throw malformed(place, "'" + key + "' is missing, or is not " + what);
    }
    return type.cast(value);
  }

  private static Failure malformed(String place, String what) {
    return Failure.of(ExitCode.USAGE, place, what + " (" + SavedBench.REMEDY + ")");
  }
}
