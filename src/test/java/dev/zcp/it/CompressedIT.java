package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The built zcp between two machines with a cable of 25 Mbit/s: nobody asks for compression.
@Timeout(120)
class CompressedIT {

  private static final int BYTES = 16 << 20;

  /// Of a busy machine: how soon the network is seen to limit hangs on what else runs.
  private static final long LEAST_BYTES = 512 << 10;

  private static final Pattern COMPRESSED = Pattern.compile("\"bytesCompressed\":([0-9]+)");

  @TempDir Path folder;

  private final Random random = new Random(11);
  private TwoHosts hosts;
  private Path source;
  private Path inbox;

  @BeforeEach
  void connect() throws Exception {
    Programs.assume("tc");
    hosts = TwoHosts.connect();
    hosts.limit("25mbit");
    folder = folder.toRealPath();
    source = folder.resolve("source");
    inbox = Files.createDirectory(folder.resolve("inbox"));
  }

  @AfterEach
  void disconnect() {
    if (hosts != null) {
      hosts.close();
    }
  }

  @Test
  void aLargeTextIsCompressedOnceTheNetworkIsSeenToLimit() throws Exception {
    Files.write(source, text(BYTES));
    assertThat(send()).isGreaterThan(LEAST_BYTES);
  }

  @Test
  void soAreSmallFiles() throws Exception {
    Files.createDirectory(source);
    for (int i = 0; i < 400; i++) {
      Files.write(source.resolve(Integer.toString(i)), text(BYTES / 400));
    }
    assertThat(send()).isGreaterThan(LEAST_BYTES);
  }

  @Test
  void whatDoesNotShrinkIsNot() throws Exception {
    byte[] noise = new byte[BYTES];
    random.nextBytes(noise);
    Files.write(source, noise);
    assertThat(send()).isZero();
  }

  private byte[] text(int bytes) {
    StringBuilder text = new StringBuilder();
    while (text.length() < bytes) {
      text.append("word").append(random.nextInt(1000)).append(random.nextBoolean() ? ' ' : '\n');
    }
    return Arrays.copyOf(text.toString().getBytes(StandardCharsets.US_ASCII), bytes);
  }

  /// @return how many bytes were compressed
  private long send() throws Exception {
    String there = TwoHosts.ADDRESS + ":0";
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder, hosts.onSecond(), "receive", "--once", "--listen=" + there, inbox.toString())) {
      String url = receiver.firstLine();
      BuiltZcp.Ended sent =
          BuiltZcp.run(folder, hosts.onFirst(), "send", "-r", "--json", url, source.toString());
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(receiver.end().exitCode()).isZero();
      assertThat(TreeContent.of(inbox.resolve("source")).entries())
          .isEqualTo(TreeContent.of(source).entries());
      Matcher found = COMPRESSED.matcher(sent.out());
      assertThat(found.find()).as(sent.out()).isTrue();
      return Long.parseLong(found.group(1));
    }
  }
}
