package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.place.Durability;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Ending;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IncomingEntryTest {

  private final IncomingEntry entry = new IncomingEntry(StrangeSender.file(0, "sparse", 100));
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final CountDownLatch inTheHole = new CountDownLatch(1);
  private final CountDownLatch isSeen = new CountDownLatch(1);

  /// Where a file system has no holes, zeros are written, which may take minutes.
  @Test
  void whileAHoleIsMadeOthersGoOnWithTheFile() throws Exception {
    entry.land(Answer.of(0, Answer.AnswerKind.ALL), new SlowHoles());
    Thread maker = Thread.ofPlatform().daemon().start(this::makeHole);
    inTheHole.await();
    assertThat(entry.enter()).isTrue();
    entry.verified(new Span(50, 10), 1);
    entry.leave();
    isSeen.countDown();
    maker.join();
    assertThat(calls).containsExactly("begin 0", "hole 0", "verified 50", "verified 0");
  }

  private void makeHole() {
    try {
      entry.hole(new Span(0, 50));
    } catch (Exception e) {
      calls.add(e.toString());
    }
  }

  private final class SlowHoles implements Landing {

    @Override
    public Sink sink() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Source written() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void begin(Span span) {
      calls.add("begin " + span.offset());
    }

    @Override
    public void hole(Span span) throws IOException {
      calls.add("hole " + span.offset());
      inTheHole.countDown();
      try {
        isSeen.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void verified(Span span, int crc32c) {
      calls.add("verified " + span.offset());
    }

    @Override
    public void publish(
        Ending ending, Level level, Durability.PublicationQueue queue, PublishOutcome outcome) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long keep() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void drop() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException();
    }
  }
}
