package dev.zcp.session.receive;

import dev.zcp.wire.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/// Which start of the machine this is: `/proc/sys/kernel/random/boot_id`, random(4). While it stays
/// the same the page cache has lost nothing, whatever became of processes.
final class BootId {

  static final int BYTES = 16;

  private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

  private static final Bytes PRESENT = read();

  private BootId() {}

  /// The present one; another in each process if the kernel does not tell.
  static Bytes now() {
    return PRESENT;
  }

  private static Bytes read() {
    UUID id;
    try {
      id = UUID.fromString(Files.readString(FILE, StandardCharsets.US_ASCII).strip());
    } catch (IOException | IllegalArgumentException e) {
      // As if the machine had been started anew: what journals tell is read again.
      id = UUID.randomUUID();
    }
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    return Bytes.of(bytes.array());
  }
}
