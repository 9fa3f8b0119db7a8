package dev.zcp.core;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real tar reads what it makes.
class TarHeaderTest {

  private static final byte[] NONE = {};

  @TempDir Path folder;

  @Test
  void tarReadsNamesOfAnyLengthAndNumbersOfAnySize() throws Exception {
    Programs.assume("tar");
    List<String> expected = new ArrayList<>();
    Path file = folder.resolve("archive");
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int chars : new int[] {1, 99, 100, 101, 511, 512, 5000}) {
        String name = "x".repeat(chars);
        add(out, TarHeader.DIRECTORY, name + "/", "", 0, 1);
        add(out, TarHeader.LINK, "link", name, 0, 1);
        expected.add("drwxr-xr-x 0 1970-01-01 00:00:01 " + name + "/");
        expected.add("lrwxr-xr-x 0 1970-01-01 00:00:01 link -> " + name);
      }
      for (long bytes : new long[] {0, 511, 512, 513, (8L << 30) - 1, 8L << 30, 5L << 40}) {
        add(out, TarHeader.FILE, "file", "", bytes, 1);
        expected.add("-rwxr-xr-x " + bytes + " 1970-01-01 00:00:01 file");
      }
      add(out, TarHeader.FILE, "before", "", 0, -1);
      add(out, TarHeader.FILE, "far", "", 0, 1L << 33);
      expected.add("-rwxr-xr-x 0 1969-12-31 23:59:59 before");
      expected.add("-rwxr-xr-x 0 2242-03-16 12:56:32 far");
      out.write(ByteBuffer.wrap(TarHeader.end()));
    }
    String listed =
        Programs.run(
            "sh",
            "-c",
            "TZ=UTC tar --numeric-owner --full-time -tvf \"$0\" | sed 's,0/0 *,,'",
            file.toString());
    assertThat(listed.lines()).containsExactlyElementsOf(expected);
  }

  /// The content is a hole.
  private static void add(
      FileChannel out, char type, String name, String link, long bytes, long seconds)
      throws Exception {
    byte[] target = link.isEmpty() ? NONE : link.getBytes(US_ASCII);
    byte[] header = TarHeader.of(type, name.getBytes(US_ASCII), target, 0755, bytes, seconds);
    out.write(ByteBuffer.wrap(header));
    out.position(out.position() + bytes);
    out.write(ByteBuffer.wrap(TarHeader.padding(bytes)));
  }
}
