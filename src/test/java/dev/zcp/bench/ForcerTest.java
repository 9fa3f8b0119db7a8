package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.insight.StageBook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ForcerTest {

  private final AtomicInteger forces = new AtomicInteger();
  private final StageBook book = new StageBook(0);
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  @Test
  void itForcesEachTimeSoManyBytesWereWrittenAndTheRestAtTheEnd() throws IOException {
    try (Forcer forcer = new Forcer(new Cell.ForceRule(100, false), book)) {
      forcer.begin(this::force);
      forcer.wrote(99);
      assertThat(forces).hasValue(0);
      forcer.wrote(1);
      assertThat(forces).hasValue(1);
      forcer.wrote(250);
      assertThat(forces).hasValue(2);
      forcer.finish();
      assertThat(forces).as("nothing was left").hasValue(2);
      forcer.wrote(1);
      forcer.finish();
      assertThat(forces).as("the next target's").hasValue(2);
    }
    assertThat(threads).containsOnly(Thread.currentThread());
    assertThat(book.close(0).count()).as("each is booked").isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void atTheEndIsOnceAndNeverIsNever(boolean asynchronous) throws IOException {
    try (Forcer forcer = new Forcer(new Cell.ForceRule(Long.MAX_VALUE, asynchronous), book)) {
      forcer.begin(this::force);
      forcer.wrote(5);
      forcer.wrote(5);
      assertThat(forces).hasValue(0);
      forcer.finish();
      assertThat(forces).hasValue(1);
    }
    try (Forcer forcer = new Forcer(Cell.ForceRule.NEVER, book)) {
      forcer.begin(this::force);
      forcer.wrote(Long.MAX_VALUE);
      forcer.finish();
      assertThat(forces).hasValue(1);
    }
  }

  @Test
  void aCallIsToldOfBeforeItIsForced() throws IOException {
    Meter meter = new Meter(new StageBook(0), book);
    List<Long> callsBefore = new ArrayList<>();
    try (Forcer forcer = new Forcer(new Cell.ForceRule(100, false), book)) {
      forcer.begin(() -> callsBefore.add(meter.calls()));
      meter.forceBy(forcer);
      BenchOnly.loop("loop", Buffer::limit, _ -> {}, ByteBuffer.allocate(50), 400, meter);
      forcer.finish();
    }
    assertThat(callsBefore).containsExactly(2L, 4L, 6L, 8L);
  }

  @Test
  void aThreadOfItsOwnForcesWhileWritingGoesOn() throws Exception {
    CountDownLatch written = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    try (Forcer forcer = new Forcer(new Cell.ForceRule(1, true), book)) {
      forcer.begin(
          () -> {
            begun.countDown();
            await(written);
            force();
          });
      forcer.wrote(1);
      begun.await();
      for (int i = 0; i < 1000; i++) {
        forcer.wrote(1);
      }
      written.countDown();
      forcer.finish();
    }
    assertThat(forces).as("what came meanwhile became one").hasValue(2);
    assertThat(book.close(0).count()).as("so there were two").isEqualTo(2);
    assertThat(threads).doesNotContain(Thread.currentThread());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aForceThatFailsIsToldAtTheEnd(boolean asynchronous) {
    try (Forcer forcer = new Forcer(new Cell.ForceRule(1, asynchronous), book)) {
      forcer.begin(
          () -> {
            throw new IOException("no disk");
          });
      forcer.wrote(1);
      assertThatThrownBy(forcer::finish).isInstanceOf(IOException.class).hasMessage("no disk");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMappingThatFailsFailsAsAFileDoes(boolean asynchronous) {
    try (Forcer forcer = new Forcer(new Cell.ForceRule(1, asynchronous), book)) {
      forcer.begin(
          () -> {
            throw new UncheckedIOException(new IOException("no disk"));
          });
      forcer.wrote(1);
      assertThatThrownBy(forcer::finish).isInstanceOf(IOException.class).hasMessage("no disk");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anErrorWhileForcingIsToldAtTheEndAndHangsNobody(boolean asynchronous) {
    try (Forcer forcer = new Forcer(new Cell.ForceRule(1, asynchronous), book)) {
      forcer.begin(
          () -> {
            throw new InternalError("a page is lost");
          });
      forcer.wrote(1);
      assertThatThrownBy(forcer::finish)
          .isInstanceOf(InternalError.class)
          .hasMessage("a page is lost");
    }
  }

  private void force() {
    threads.add(Thread.currentThread());
    forces.incrementAndGet();
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
