package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.core.Span;
import dev.zcp.place.Partials;
import dev.zcp.session.ResumeVerify;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Held;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/// A file of [#BLOCKS] blocks that comes down in a directory, is interrupted, and is looked at
/// again.
final class InterruptedFile implements Closeable {

  static final int BLOCK_BYTES = 64 << 10;
  static final int BLOCKS = 16;
  static final int BYTES = BLOCK_BYTES * BLOCKS;
  static final byte[] NAME = "photo.raw".getBytes(StandardCharsets.US_ASCII);
  static final Bytes IDENTITY = Bytes.of("the same version".getBytes(StandardCharsets.US_ASCII));

  final byte[] content = new byte[BYTES];
  final Path folder;
  final Partials partials = new Partials();
  final OpenDirectory directory;

  InterruptedFile(Path folder) throws IOException {
    this.folder = folder;
    this.directory = OpenDirectory.open(RawPath.of(folder));
    new Random(7).nextBytes(content);
  }

  Path part() {
    return named(HiddenNames.of(NAME).part());
  }

  Path journal() {
    return named(HiddenNames.of(NAME).journal());
  }

  private Path named(byte[] name) {
    return folder.resolve(new String(name, StandardCharsets.US_ASCII));
  }

  ResumableFile open(ResumeVerify verify) throws Failure, IOException {
    return open(NAME, BYTES, IDENTITY, verify);
  }

  ResumableFile open(byte[] name, long size, Bytes identity, ResumeVerify verify)
      throws Failure, IOException {
    return ResumableFile.open(partials, directory, name, 0600, size, identity, verify, () -> {});
  }

  /// Closes it and gives it its final name.
  static void reveal(ResumableFile file, byte[] name, boolean replaces) throws IOException {
    file.file().close();
    file.partial().reveal(name, replaces);
    file.revealed();
  }

  /// Lets these blocks arrive and the session end.
  void interruptAfter(int... blocks) throws Failure, IOException {
    ResumableFile file = open(ResumeVerify.ALL);
    for (int block : blocks) {
      write(file, block);
    }
    file.keep();
  }

  void write(ResumableFile file, int block) throws IOException {
    Span span = block(block);
    ByteBuffer bytes = ByteBuffer.wrap(content, (int) span.offset(), BLOCK_BYTES);
    assertThat(file.file().write(bytes, span.offset())).isEqualTo(BLOCK_BYTES);
    file.append(span, crc32c(span));
  }

  /// Opens it anew and sees that what is held is what the source has.
  ///
  /// @return which blocks are held
  List<Integer> heldBlocks(ResumeVerify verify) throws Failure, IOException {
    ResumableFile file = open(verify);
    try {
      return heldBlocks(file);
    } finally {
      file.keep();
    }
  }

  List<Integer> heldBlocks(ResumableFile file) throws IOException {
    List<Integer> blocks = new ArrayList<>();
    long end = 0;
    for (Held held : file.held()) {
      Span span = held.span();
      assertThat(span.offset()).isGreaterThanOrEqualTo(end).isLessThan(BYTES);
      assertThat(span.end()).isLessThanOrEqualTo(BYTES);
      assertThat(held.crc32c()).isEqualTo(crc32c(span));
      byte[] there = new byte[(int) span.length()];
      file.file().read(ByteBuffer.wrap(there), span.offset());
      assertThat(there)
          .isEqualTo(Arrays.copyOfRange(content, (int) span.offset(), (int) span.end()));
      for (long at = span.offset(); at < span.end(); at += BLOCK_BYTES) {
        blocks.add((int) (at / BLOCK_BYTES));
      }
      end = span.end();
    }
    return blocks;
  }

  static Span block(int block) {
    return new Span((long) block * BLOCK_BYTES, BLOCK_BYTES);
  }

  Held told(int block) {
    return new Held(block(block), crc32c(block(block)));
  }

  int crc32c(Span span) {
    CRC32C digest = new CRC32C();
    digest.update(content, (int) span.offset(), (int) span.length());
    return (int) digest.getValue();
  }

  @Override
  public void close() throws IOException {
    directory.close();
  }
}
