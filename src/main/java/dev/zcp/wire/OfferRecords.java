package dev.zcp.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The payload of an [Offer], both ways: one [Offered] after the other. Each leaves out what its
/// path begins with as that of the one before it does, so that a tree's long common parents travel
/// once a frame.
final class OfferRecords {

  /// Before the parts whose lengths stand in it.
  static final int FIXED_BYTES = 91;

  private OfferRecords() {}

  static int bytes(List<Offered> entries) {
    long bytes = 0;
    Offered previous = null;
    for (Offered entry : entries) {
      bytes += bytes(previous, entry);
      previous = entry;
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }

  /// What `entry` takes after `previous`, which may be null; at most [Limits#PAYLOAD_BYTES_MAX],
  /// whatever they are.
  static int bytes(Offered previous, Offered entry) {
    return FIXED_BYTES
        + entry.path().length()
        - shared(previous, entry)
        + entry.content().length()
        + ExtendedAttribute.bytes(entry.metadata().attributes());
  }

  private static int shared(Offered previous, Offered entry) {
    return previous == null ? 0 : entry.path().shared(previous.path());
  }

  static void put(List<Offered> entries, ByteBuffer out) {
    Offered previous = null;
    for (Offered entry : entries) {
      int shared = shared(previous, entry);
      out.putLong(entry.fileId()).put((byte) entry.kind().ordinal());
      out.putShort((short) shared).putShort((short) (entry.path().length() - shared));
      out.putShort((short) entry.content().length());
      out.putShort((short) entry.metadata().attributes().size());
      put(entry.metadata(), out);
      out.putLong(entry.size());
      entry.identity().put(out);
      out.putLong(entry.firstId());
      entry.path().put(shared, out);
      entry.content().put(out);
      putAttributes(entry.metadata().attributes(), out);
      previous = entry;
    }
  }

  private static void put(Attire metadata, ByteBuffer out) {
    out.putShort((short) metadata.mode()).putInt(metadata.owner()).putInt(metadata.group());
    put(metadata.modified(), out);
    put(metadata.accessed(), out);
    out.putLong(metadata.represents());
  }

  static void putAttributes(List<ExtendedAttribute> attributes, ByteBuffer out) {
    for (ExtendedAttribute attribute : attributes) {
      out.put((byte) attribute.name().length()).putInt(attribute.value().length());
      attribute.name().put(out);
      attribute.value().put(out);
    }
  }

  private static void put(Timestamp moment, ByteBuffer out) {
    out.putLong(moment.seconds()).putInt(moment.nanos());
  }

  /// @throws IllegalArgumentException with the reason, if `in` holds no such records
  static List<Offered> parse(ByteBuffer in) {
    List<Offered> entries = new ArrayList<>();
    EntryPath path = null;
    while (in.hasRemaining()) {
      // Bounds the list before it grows.
      Limits.requireRecords(entries.size() + 1);
      Bytes.requireRemaining(in, FIXED_BYTES);
      long fileId = in.getLong();
      EntryKind kind = Payload.take(in, EntryKind.ALL, "kind of entry");
      int shared = in.getShort() & 0xffff;
      int pathBytes = in.getShort() & 0xffff;
      int contentBytes = in.getShort() & 0xffff;
      int attributes = in.getShort() & 0xffff;
      int mode = in.getShort() & 0xffff;
      int owner = in.getInt();
      int group = in.getInt();
      Timestamp modified = moment(in);
      Timestamp accessed = moment(in);
      long represents = in.getLong();
      long size = in.getLong();
      Bytes identity = Bytes.take(in, Limits.IDENTITY_BYTES);
      long firstId = in.getLong();
      path = path(path, shared, pathBytes, in);
      Bytes content = Bytes.take(in, contentBytes);
      Attire metadata =
          new Attire(
              mode, owner, group, modified, accessed, represents, attributes(attributes, in));
      entries.add(new Offered(fileId, kind, path, size, metadata, identity, content, firstId));
    }
    return entries;
  }

  private static Timestamp moment(ByteBuffer in) {
    long seconds = in.getLong();
    return new Timestamp(seconds, in.getInt());
  }

  private static EntryPath path(EntryPath previous, int shared, int own, ByteBuffer in) {
    Bytes.requireRemaining(in, own);
    byte[] bytes = new byte[own];
    in.get(bytes);
    return (previous == null ? EntryPath.TOP : previous).branch(shared, bytes);
  }

  static List<ExtendedAttribute> attributes(int count, ByteBuffer in) {
    if (count == 0) {
      return List.of();
    }
    Bytes.requireRemaining(in, count * ExtendedAttribute.FIXED_BYTES);
    List<ExtendedAttribute> attributes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Bytes.requireRemaining(in, ExtendedAttribute.FIXED_BYTES);
      int nameBytes = in.get() & 0xff;
      int valueBytes = in.getInt();
      Bytes name = Bytes.take(in, nameBytes);
      attributes.add(new ExtendedAttribute(name, Bytes.take(in, valueBytes)));
    }
    return attributes;
  }
}
