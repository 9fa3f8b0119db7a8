package dev.zcp.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Span;
import dev.zcp.wire.Data;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.FrameWriter;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Limits;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class FrameSpotterTest {

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final FrameWriter writer =
      new FrameWriter(
          (sequence, message, mac) -> {
            message.position(message.limit());
            mac.put(new byte[Limits.MAC_BYTES]);
          });

  @RepeatedTest(20)
  void framesAreFoundHoweverTheyAreCut() {
    said.writeBytes(new byte[Hello.BYTES + Limits.PROOF_BYTES]);
    long greeting = said.size();
    say(TestFrames.part(7, 3), 10);
    long part = said.size();
    say(new Data(3, new Span(0, 1000)), 1000);
    long data = said.size();
    say(TestVerdicts.done(1), 0);
    FrameSpotter spotter = FrameSpotter.ofSender();
    byte[] all = said.toByteArray();
    long seed = Long.getLong("zcp.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int at = 0; at < all.length; ) {
      int count = Math.min(1 + random.nextInt(200), all.length - at);
      spotter.see(Arrays.copyOfRange(all, at, at + count), count);
      at += count;
    }
    assertThat(spotter.edges())
        .as("seed %d", seed)
        .containsExactly(
            greeting,
            greeting + Limits.HEADER_BYTES,
            part - 10,
            part,
            part + Limits.HEADER_BYTES,
            data - 1000,
            data,
            data + Limits.HEADER_BYTES,
            (long) all.length);
    assertThat(spotter.firstRaw(FrameType.PART)).as("seed %d", seed).isEqualTo(part - 10);
    assertThat(spotter.firstRaw(FrameType.DATA)).as("seed %d", seed).isEqualTo(data - 1000);
    assertThat(spotter.count(FrameType.VERDICTS)).as("seed %d", seed).isEqualTo(1);
    assertThat(spotter.count()).as("seed %d", seed).isEqualTo(3);
  }

  @Test
  void afterWhatIsNoFrameNothingIsFound() {
    FrameSpotter spotter = FrameSpotter.ofReceiver();
    byte[] noise = new byte[4000];
    spotter.see(noise, noise.length);
    assertThat(spotter.count()).isZero();
  }

  private void say(Frame frame, int rawBytes) {
    ByteBuffer bytes = writer.encode(frame);
    said.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    said.writeBytes(new byte[rawBytes]);
  }
}
