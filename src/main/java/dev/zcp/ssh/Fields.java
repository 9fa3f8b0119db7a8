package dev.zcp.ssh;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/// The fields of a request or a reply: each is 4 bytes of length and as many bytes. A number is a
/// field of 8 bytes. All are little-endian.
///
/// One table names the fields of a record in their order, and writes or reads them: each method
/// writes what `get` has of `from`, or reads the field, and returns it. While fields are read,
/// `from` is null and `get` is not called. Everything that does not fit is an
/// [IllegalArgumentException].
final class Fields {

  static final int BYTES_MAX = 1 << 20;

  static final int MAGIC_BYTES = 8;

  /// Before the fields: the magic, the version and the length of the fields.
  static final int HEAD_BYTES = MAGIC_BYTES + 2 + 4;

  static final int ENTRIES_MAX = 1 << 16;

  private static final int PORT_MAX = 65535;

  /// Of IPv6.
  private static final int ADDRESS_BYTES_MAX = 16;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /// Null while fields are written.
  private final ByteBuffer in;

  private Fields(ByteBuffer in) {
    this.in = in;
  }

  /// The table of one record.
  @FunctionalInterface
  interface FieldTable<P> {
    P code(Fields fields, P from);
  }

  <T> byte[] bytes(T from, Function<T, byte[]> get, int max) {
    if (in == null) {
      byte[] field = get.apply(from);
      out.writeBytes(little(new byte[4]).putInt(field.length).array());
      out.writeBytes(field);
      return field;
    }
    int length = in.remaining() < 4 ? -1 : in.getInt();
    if (length < 0 || length > max || length > in.remaining()) {
      throw new IllegalArgumentException("a field is cut short, or too long");
    }
    byte[] field = new byte[length];
    in.get(field);
    return field;
  }

  <T> String text(T from, Function<T, String> get, int bytesMax) {
    byte[] field = bytes(from, each -> get.apply(each).getBytes(StandardCharsets.UTF_8), bytesMax);
    return new String(field, StandardCharsets.UTF_8);
  }

  /// A number from 0 to 2^63-1.
  <T> long amount(T from, ToLongFunction<T> get) {
    byte[] field =
        bytes(from, each -> little(new byte[8]).putLong(get.applyAsLong(each)).array(), 8);
    long number = field.length == 8 ? little(field).getLong() : -1;
    if (number < 0) {
      throw new IllegalArgumentException("a field is no number");
    }
    return number;
  }

  /// @param max of what is read
  <T> int number(T from, ToLongFunction<T> get, int max) {
    long number = amount(from, get);
    if (in != null && number > max) {
      throw new IllegalArgumentException(number + " is too much");
    }
    return (int) number;
  }

  <T> boolean flag(T from, Predicate<T> get) {
    return number(from, each -> get.test(each) ? 1 : 0, 1) == 1;
  }

  /// One of these, by its number.
  <T, E extends Enum<E>> E oneOf(T from, Function<T, E> get, E[] values) {
    return values[number(from, each -> get.apply(each).ordinal(), values.length - 1)];
  }

  /// Two fields: a port, and the address that it is at; null if there is none.
  <T> InetSocketAddress port(T from, Function<T, InetSocketAddress> get) {
    InetSocketAddress known = from == null ? null : get.apply(from);
    int port = number(from, _ -> known == null ? 0 : known.getPort(), PORT_MAX);
    byte[] address =
        bytes(
            from,
            _ -> known == null ? new byte[0] : known.getAddress().getAddress(),
            ADDRESS_BYTES_MAX);
    try {
      return port == 0 ? null : new InetSocketAddress(InetAddress.getByAddress(address), port);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("an address of " + address.length + " bytes", e);
    }
  }

  <T, P> P part(T from, Function<T, P> get, FieldTable<P> part) {
    return part.code(this, from == null ? null : get.apply(from));
  }

  /// A flag, and a part if it is 1; null if it is 0.
  <T, P> P optional(T from, Function<T, P> get, FieldTable<P> part) {
    return flag(from, each -> get.apply(each) != null) ? part(from, get, part) : null;
  }

  /// A count, and as many parts.
  <T, P> List<P> list(T from, Function<T, List<P>> get, FieldTable<P> part) {
    int count = number(from, each -> get.apply(each).size(), ENTRIES_MAX);
    List<P> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(part.code(this, from == null ? null : get.apply(from).get(i)));
    }
    return List.copyOf(all);
  }

  /// The fields of `from`, behind the magic, the version and their length.
  static <P> byte[] encode(P from, FieldTable<P> table, byte[] magic, int version) {
    Fields fields = new Fields(null);
    table.code(fields, from);
    ByteArrayOutputStream out = fields.out;
    return little(new byte[HEAD_BYTES + out.size()])
        .put(magic)
        .putShort((short) version)
        .putInt(out.size())
        .put(out.toByteArray())
        .array();
  }

  /// @throws IllegalArgumentException with the reason, if these are not the fields of `table`
  static <P> P decode(byte[] bytes, FieldTable<P> table) {
    Fields fields = new Fields(little(bytes));
    P read = table.code(fields, null);
    if (fields.in.hasRemaining()) {
      throw new IllegalArgumentException("there is more than was expected");
    }
    return read;
  }

  /// The first field alone, if it is text.
  static String firstText(byte[] bytes, int bytesMax) {
    return new Fields(little(bytes)).text("", it -> it, bytesMax);
  }

  /// A message that was read, whose fields are not understood yet.
  record Message(int version, byte[] fields) {

    /// @throws IllegalArgumentException if the magic is another one, or the fields are too long
    static Message read(ByteInput in, byte[] magic) throws IOException {
      ByteBuffer head = little(in.read(HEAD_BYTES));
      if (!Arrays.equals(head.array(), 0, MAGIC_BYTES, magic, 0, MAGIC_BYTES)) {
        throw new IllegalArgumentException("that is not what zcp says");
      }
      int bytes = head.getInt(MAGIC_BYTES + 2);
      if (bytes < 0 || bytes > BYTES_MAX) {
        throw new IllegalArgumentException("it is too long");
      }
      return new Message(head.getShort(MAGIC_BYTES) & 0xffff, in.read(bytes));
    }
  }

  /// Gives bytes, until -1.
  @FunctionalInterface
  interface ByteInput {
    int read(ByteBuffer target) throws IOException;

    /// Reads exactly `count` bytes.
    default byte[] read(int count) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(count);
      while (bytes.hasRemaining()) {
        if (read(bytes) < 0) {
          throw new EOFException("it ended after " + bytes.position() + " bytes");
        }
      }
      return bytes.array();
    }
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
