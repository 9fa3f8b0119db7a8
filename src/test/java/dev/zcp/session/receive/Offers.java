package dev.zcp.session.receive;

import dev.zcp.core.Level;
import dev.zcp.testing.TestFrames;
import dev.zcp.wire.Attire;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.ExtendedAttribute;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Timestamp;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/// What a sender offers in a test.
final class Offers {

  static final Manifest ANYTHING =
      TestFrames.manifest(
          Manifest.UNKNOWN, Manifest.UNKNOWN, Manifest.UNKNOWN, Level.WIRE, Keep.ALL);

  static final Timestamp MODIFIED = new Timestamp(1_000_000_000, 123_456_789);

  private long next = 1;

  /// An entry that is put together piece by piece.
  final class One {

    private final long fileId = next++;
    private final EntryKind kind;
    private final byte[] path;
    private long size;
    private int mode = 0644;
    private int owner;
    private int group;
    private Timestamp modified = MODIFIED;
    private long represents;
    private final List<ExtendedAttribute> attributes = new ArrayList<>();
    private byte[] content = {};
    private long firstId;
    private byte version;

    private One(EntryKind kind, byte[] path) {
      this.kind = kind;
      this.path = path;
    }

    One size(long bytes) {
      size = bytes;
      return this;
    }

    One mode(int bits) {
      mode = bits;
      return this;
    }

    One owned(int user, int users) {
      owner = user;
      group = users;
      return this;
    }

    One modified(Timestamp moment) {
      modified = moment;
      return this;
    }

    One represents(long device) {
      represents = device;
      return this;
    }

    One attribute(String name, byte[] value) {
      attributes.add(new ExtendedAttribute(octets(name), Bytes.of(value)));
      return this;
    }

    One leadsTo(String target) {
      content = bytes(target);
      return this;
    }

    One first(Offered file) {
      firstId = file.fileId();
      return this;
    }

    One version(int which) {
      version = (byte) which;
      return this;
    }

    Offered offered() {
      byte[] identity = new byte[Limits.IDENTITY_BYTES];
      identity[0] = version;
      Attire metadata = new Attire(mode, owner, group, modified, modified, represents, attributes);
      return new Offered(
          fileId,
          kind,
          path.length == 0 ? EntryPath.TOP : EntryPath.of(path),
          size,
          metadata,
          Bytes.of(identity),
          Bytes.of(content),
          firstId);
    }
  }

  One of(EntryKind kind, String path) {
    return new One(kind, bytes(path));
  }

  One of(EntryKind kind, byte[] path) {
    return new One(kind, path);
  }

  Offered file(String path, byte[] content) {
    return of(EntryKind.FILE, path).size(content.length).offered();
  }

  Offered directory(String path) {
    return of(EntryKind.DIRECTORY, path).mode(0755).offered();
  }

  Offered link(String path, String target) {
    return of(EntryKind.LINK, path).leadsTo(target).offered();
  }

  static int crc32c(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return (int) crc.getValue();
  }

  static ByteBuffer buffer(byte[] content) {
    return ByteBuffer.allocateDirect(content.length).put(content).flip();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Bytes octets(String text) {
    return Bytes.of(bytes(text));
  }
}
