package dev.zcp.json;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;

/// The fields of an object, in their order: what writes it, reads it and says what its schema is.
///
/// @param <T> what the object is in Java
public final class JsonTable<T> extends JsonType<T> {

  /// @param isAll whether the fields of the type, a table, stand here without an object of their
  ///   own
  /// @param isIfAny whether the field is left out if there is no value
  private record Field<T, V>(
      String name, JsonType<V> type, Function<T, V> get, boolean isAll, boolean isIfAny) {

    void write(JsonGenerator to, T of) {
      V value = of == null ? null : get.apply(of);
      if (type instanceof JsonTable<V> table && isAll) {
        table.writeFields(to, value);
      } else if (value != null || !isIfAny) {
        to.writeName(name);
        if (value == null) {
          to.writeNull();
        } else {
          type.write(to, value);
        }
      }
    }

    Object read(JsonObject from) {
      return isAll ? type.read(from) : from.get(name, isIfAny ? type.orNull() : type);
    }
  }

  /// The values of an object that is read.
  public static final class Values {

    private final JsonObject object;
    private final Iterator<? extends Field<?, ?>> fields;

    private Values(JsonObject object, List<? extends Field<?, ?>> fields) {
      this.object = object;
      this.fields = fields.iterator();
    }

    /// That of the next field; null if it is left out.
    @SuppressWarnings("unchecked")
    public <V> V get() {
      return (V) fields.next().read(object);
    }

    /// For what is made of fields in another order.
    public JsonObject object() {
      return object;
    }
  }

  private final List<Field<T, ?>> fields = new ArrayList<>();

  /// -1 if the object does not tell it.
  private long format = -1;

  private final Function<Values, T> make;

  /// For what is only written.
  public JsonTable() {
    this(null);
  }

  /// @param make the object, of the values of its fields in their order
  public JsonTable(Function<Values, T> make) {
    this.make = make;
  }

  /// The object begins with `format`, and one of another format is not read.
  public JsonTable<T> format(long number) {
    format = number;
    return this;
  }

  public <V> JsonTable<T> field(String name, JsonType<V> type, Function<T, V> get) {
    fields.add(new Field<>(name, type, get, false, false));
    return this;
  }

  /// A field that is left out if its value is null.
  public <V> JsonTable<T> fieldIfAny(String name, JsonType<V> type, Function<T, V> get) {
    fields.add(new Field<>(name, type, get, false, true));
    return this;
  }

  /// The fields of another table among those of this one. Of null they are all null.
  public <V> JsonTable<T> all(JsonTable<V> table, Function<T, V> get) {
    fields.add(new Field<>("", table, get, true, false));
    return this;
  }

  @Override
  void write(JsonGenerator to, T value) {
    to.writeStartObject();
    writeFields(to, value);
    to.writeEndObject();
  }

  private void writeFields(JsonGenerator to, T value) {
    if (format >= 0) {
      to.writeNumberProperty("format", format);
    }
    for (Field<T, ?> each : fields) {
      each.write(to, value);
    }
  }

  /// @throws JsonObject.MalformedJson if a field is not what it should be
  @Override
  public T read(Object object) {
    if (!(object instanceof JsonObject json)) {
      return null;
    }
    if (format >= 0 && json.get("format", COUNT) != format) {
      String what = "is of format " + json.get("format", COUNT);
      throw new JsonObject.MalformedJson(what + ", and this zcp knows " + format);
    }
    return make.apply(new Values(json, fields));
  }

  @Override
  String schema(boolean orNull) {
    StringBuilder properties = new StringBuilder();
    StringBuilder required = new StringBuilder();
    describe(properties, required);
    String all = properties.substring(1);
    return kind("object", orNull)
        + ",\"properties\":{"
        + all
        + "},\"required\":["
        + required.substring(1)
        + "]";
  }

  private void describe(StringBuilder properties, StringBuilder required) {
    for (Field<T, ?> each : fields) {
      if (each.isAll()) {
        ((JsonTable<?>) each.type()).describe(properties, required);
      } else {
        properties.append(",\"" + each.name() + "\":" + each.type().schema());
        required.append(each.isIfAny() ? "" : ",\"" + each.name() + "\"");
      }
    }
  }
}
