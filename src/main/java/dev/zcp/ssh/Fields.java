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
import java.util.Arrays;

/// The fields of a request or a reply: each is 4 bytes of length and as many bytes. A number is a
/// field of 8 bytes. All are little-endian.
final class Fields {

  private static final int PORT_MAX = 65535;

  /// Of IPv6.
  private static final int ADDRESS_BYTES_MAX = 16;

  private Fields() {}

  /// Gathers fields.
  static final class FieldWriter {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    FieldWriter put(byte[] field) {
      bytes.writeBytes(little(4).putInt(field.length).array());
      bytes.writeBytes(field);
      return this;
    }

    FieldWriter put(String text) {
      return put(text.getBytes(StandardCharsets.UTF_8));
    }

    FieldWriter put(long number) {
      return put(little(8).putLong(number).array());
    }

    FieldWriter put(boolean flag) {
      return put(flag ? 1 : 0);
    }

    /// Two fields: a port, and the address that it is at.
    ///
    /// @param port null if there is none
    FieldWriter put(InetSocketAddress port) {
      return put(port == null ? 0 : port.getPort())
          .put(port == null ? new byte[0] : port.getAddress().getAddress());
    }

    /// The fields behind the magic, the version and their length.
    byte[] message(byte[] magic, int version) {
      return little(magic.length + 6 + bytes.size())
          .put(magic)
          .putShort((short) version)
          .putInt(bytes.size())
          .put(bytes.toByteArray())
          .array();
    }
  }

  /// Reads fields in their order. Everything that does not fit is an [IllegalArgumentException].
  static final class FieldReader {

    private final ByteBuffer bytes;

    FieldReader(byte[] bytes) {
      this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    byte[] bytes(int max) {
      int length = bytes.remaining() < 4 ? -1 : bytes.getInt();
      if (length < 0 || length > max || length > bytes.remaining()) {
        throw new IllegalArgumentException("a field is cut short, or too long");
      }
      byte[] field = new byte[length];
      bytes.get(field);
      return field;
    }

    String text(int bytesMax) {
      return new String(bytes(bytesMax), StandardCharsets.UTF_8);
    }

    /// A number from 0 to 2^63-1.
    long amount() {
      byte[] field = bytes(8);
      long number = field.length == 8 ? little(field).getLong() : -1;
      if (number < 0) {
        throw new IllegalArgumentException("a field is no number");
      }
      return number;
    }

    int number(int max) {
      long number = amount();
      if (number > max) {
        throw new IllegalArgumentException(number + " is too much");
      }
      return (int) number;
    }

    boolean flag() {
      return number(1) == 1;
    }

    /// One of these, by its number.
    <T> T oneOf(T[] values) {
      return values[number(values.length - 1)];
    }

    /// @return null if there is none
    InetSocketAddress port() {
      int port = number(PORT_MAX);
      byte[] address = bytes(ADDRESS_BYTES_MAX);
      try {
        return port == 0 ? null : new InetSocketAddress(InetAddress.getByAddress(address), port);
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException("an address of " + address.length + " bytes", e);
      }
    }

    void requireEnd() {
      if (bytes.hasRemaining()) {
        throw new IllegalArgumentException("there is more than was expected");
      }
    }
  }

  /// Gives bytes, until -1.
  @FunctionalInterface
  interface ByteInput {
    int read(ByteBuffer target) throws IOException;
  }

  /// Reads exactly `count` bytes.
  static byte[] read(ByteInput in, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    while (bytes.hasRemaining()) {
      if (in.read(bytes) < 0) {
        throw new EOFException("it ended after " + bytes.position() + " bytes");
      }
    }
    return bytes.array();
  }

  /// What stands between the magic and the fields.
  record Head(int version, int bytes) {

    /// @throws IllegalArgumentException if the magic is another one, or the fields are too long
    static Head decode(byte[] head, byte[] magic, int bytesMax) {
      if (!Arrays.equals(head, 0, magic.length, magic, 0, magic.length)) {
        throw new IllegalArgumentException("that is not what zcp says");
      }
      ByteBuffer rest = little(head).position(magic.length);
      int version = rest.getShort() & 0xffff;
      int bytes = rest.getInt();
      if (bytes < 0 || bytes > bytesMax) {
        throw new IllegalArgumentException("it is too long");
      }
      return new Head(version, bytes);
    }
  }

  private static ByteBuffer little(int bytes) {
    return little(new byte[bytes]);
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
