package dev.zcp.json;

import dev.zcp.core.Printable;
import dev.zcp.core.Scale;
import java.nio.file.FileSystemNotFoundException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;

/// What a field may hold: how it is written, read and described.
///
/// @param <V> what it is in Java
public class JsonType<V> {

  private static final long NS_PER_SECOND = 1_000_000_000;

  public static final JsonType<String> TEXT =
      new JsonType<>(
          "string", "", JsonGenerator::writeString, value -> value instanceof String s ? s : null);

  /// A text that a terminal may be shown: no file may tell a terminal what to do.
  public static final JsonType<String> PHRASE = TEXT.as(text -> text, Printable::ofPhrase);

  public static final JsonType<Boolean> FLAG =
      new JsonType<>(
          "boolean",
          "",
          JsonGenerator::writeBoolean,
          value -> value instanceof Boolean b ? b : null);

  /// A whole number from 0 on.
  public static final JsonType<Long> COUNT = count(0, Long.MAX_VALUE);

  public static final JsonType<Integer> INT = integer(0, Integer.MAX_VALUE);

  /// A count; -1 is one that is not known.
  public static final JsonType<Long> COUNT_IF_KNOWN = COUNT.orNull(-1L);

  /// To six decimals; what is not finite is not known, and NaN.
  public static final JsonType<Double> NUMBER =
      new JsonType<Double>(
              "number",
              "",
              (to, number) ->
                  to.writeNumber(Double.isFinite(number) ? Scale.plain(number) : "null"),
              value -> value instanceof Number number ? (Double) number.doubleValue() : null)
          .orNull(Double.NaN);

  /// A part of one, told to the thousandth.
  public static final JsonType<Double> SHARE =
      new JsonType<Double>(
          "number",
          ",\"minimum\":0,\"maximum\":1",
          (to, share) -> to.writeNumber(Math.round(share * 1000) / 1000.0),
          value -> {
            double share = value instanceof Number number ? number.doubleValue() : -1;
            return share >= 0 && share <= 1 ? (Double) share : null;
          });

  /// Nanoseconds, as `0.000012345`: never `1.2345E-5`, which is JSON, too, but not to every script.
  /// By hand, since the first BigDecimal of a process takes 17 ms.
  public static final JsonType<Long> SECONDS =
      new JsonType<Long>(
          "number",
          ",\"minimum\":0",
          (to, ns) -> {
            String fraction = Long.toString(ns % NS_PER_SECOND);
            String zeros = "0".repeat(9 - fraction.length());
            to.writeNumber(ns / NS_PER_SECOND + "." + zeros + fraction);
          },
          value -> {
            double seconds = value instanceof Number number ? number.doubleValue() : -1;
            boolean isTime = seconds >= 0 && seconds < (double) Long.MAX_VALUE / NS_PER_SECOND;
            return isTime ? (Long) Math.round(seconds * NS_PER_SECOND) : null;
          });

  /// Whole numbers from 0 on, in an array.
  public static final JsonType<long[]> COUNTS =
      new JsonType<>(
          orNull -> kind("array", orNull) + ",\"items\":" + COUNT.schema(),
          (to, counts) -> to.writeArray(counts, 0, counts.length),
          value ->
              value instanceof List<?> list && list.isEmpty()
                  ? new long[0]
                  : value instanceof long[] all && Arrays.stream(all).allMatch(each -> each >= 0)
                      ? all.clone()
                      : null);

  private final Function<Boolean, String> schema;
  private final BiConsumer<JsonGenerator, V> write;
  private final Function<Object, V> read;
  private final boolean orNull;
  private final V absent;

  private JsonType(
      Function<Boolean, String> schema,
      BiConsumer<JsonGenerator, V> write,
      Function<Object, V> read,
      boolean orNull,
      V absent) {
    this.schema = schema;
    this.write = write;
    this.read = read;
    this.orNull = orNull;
    this.absent = absent;
  }

  private JsonType(
      Function<Boolean, String> schema,
      BiConsumer<JsonGenerator, V> write,
      Function<Object, V> read) {
    this(schema, write, read, false, null);
  }

  private JsonType(
      String kind, String limits, BiConsumer<JsonGenerator, V> write, Function<Object, V> read) {
    this(orNull -> kind(kind, orNull) + limits, write, read);
  }

  /// Of a table, which has methods of its own.
  JsonType() {
    this(null, null, null);
  }

  void write(JsonGenerator to, V value) {
    if (orNull && (value == null || value.equals(absent))) {
      to.writeNull();
    } else {
      write.accept(to, value);
    }
  }

  /// @param value what [JsonObject] has for it
  /// @return null if it is no such value
  V read(Object value) {
    return read.apply(value);
  }

  /// What JSON Schema says of it, without braces.
  String schema(boolean orNull) {
    return schema.apply(orNull);
  }

  /// As JSON Schema has it.
  public final String schema() {
    return "{" + schema(isOrNull()) + "}";
  }

  static String kind(String kind, boolean orNull) {
    return "\"type\":" + (orNull ? "[\"" + kind + "\",\"null\"]" : "\"" + kind + "\"");
  }

  boolean isOrNull() {
    return orNull;
  }

  /// What stands for null.
  V absent() {
    return absent;
  }

  /// A whole number within limits.
  public static JsonType<Long> count(long min, long max) {
    return new JsonType<>(
        "integer",
        ",\"minimum\":" + min + (max == Long.MAX_VALUE ? "" : ",\"maximum\":" + max),
        JsonGenerator::writeNumber,
        value -> value instanceof Long count && count >= min && count <= max ? count : null);
  }

  public static JsonType<Integer> integer(int min, int max) {
    return count(min, max).as(Integer::longValue, Long::intValue);
  }

  /// One of some values, by its word.
  public static <E> JsonType<E> oneOf(E[] values, Function<E, String> word) {
    return TEXT.as(
        word,
        text -> {
          for (E each : values) {
            if (word.apply(each).equals(text)) {
              return each;
            }
          }
          return null;
        });
  }

  /// The same in JSON, something else in Java.
  ///
  /// @param from null or an exception of Java's own parsers if it is no such thing
  public final <W> JsonType<W> as(Function<W, V> to, Function<V, W> from) {
    return new JsonType<>(
        this::schema,
        (json, value) -> write(json, to.apply(value)),
        value -> {
          try {
            V read = read(value);
            return read == null ? null : from.apply(read);
          } catch (IllegalArgumentException | DateTimeException | FileSystemNotFoundException e) {
            return null;
          }
        });
  }

  /// @param absent what is written as `null`, besides null, and read for it and for what is missing
  public final JsonType<V> orNull(V absent) {
    return new JsonType<>(_ -> schema(true), this::write, this::read, true, absent);
  }

  public final JsonType<V> orNull() {
    return orNull(null);
  }

  public final JsonType<List<V>> list() {
    return list(Integer.MAX_VALUE);
  }

  /// @param most how many may be read
  public final JsonType<List<V>> list(int most) {
    return new JsonType<>(
        orNull -> kind("array", orNull) + ",\"items\":" + schema(),
        (to, list) -> {
          to.writeStartArray();
          list.forEach(each -> write(to, each));
          to.writeEndArray();
        },
        value -> {
          Object list = value instanceof long[] all ? Arrays.stream(all).boxed().toList() : value;
          return list instanceof List<?> some && some.size() <= most ? readAll(some) : null;
        });
  }

  private List<V> readAll(List<?> list) {
    List<V> all = new ArrayList<>(list.size());
    for (Object each : list) {
      V read = read(each);
      if (read == null) {
        return null;
      }
      all.add(read);
    }
    return all;
  }

  /// An object whose keys are data.
  public final JsonType<Map<String, V>> map() {
    return new JsonType<>(
        orNull -> kind("object", orNull) + ",\"additionalProperties\":" + schema(),
        (to, map) -> {
          to.writeStartObject();
          map.forEach(
              (key, each) -> {
                to.writeName(key);
                write(to, each);
              });
          to.writeEndObject();
        },
        value -> {
          if (!(value instanceof JsonObject object)) {
            return null;
          }
          Map<String, V> map = new LinkedHashMap<>();
          object.names().forEach(key -> map.put(key, object.get(key, this)));
          return map;
        });
  }
}
