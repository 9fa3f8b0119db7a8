package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.insight.StageBook;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeterTest {

  private static final int CALLS = 10_000;
  private static final int PAGE_BYTES = 4096;

  private final StageBook book = new StageBook(0);
  private final Meter meter = new Meter(book, new StageBook(0));

  @Test
  void ofSmallCallsAllAreCountedAndSomeAreBooked() throws IOException {
    run(32);
    assertThat(meter.calls()).isEqualTo(CALLS);
    assertThat(book.close(0).count())
        .isEqualTo(Math.ceilDiv(CALLS, CellResult.SMALL_CALLS_BOOKED_EVERY));
  }

  @Test
  void ofLargerCallsAllAreBooked() throws IOException {
    run((int) CellResult.SMALL_CALL_BYTES);
    assertThat(meter.calls()).isEqualTo(CALLS);
    assertThat(book.close(0).count()).isEqualTo(CALLS);
  }

  @Test
  void aCallThatIsNotTimedIsNotBookedAsOneOfNoTime() {
    for (int i = 0; i < CALLS; i++) {
      long elapsedNs = meter.wantsTimeOf(32) ? 1000 : 0;
      meter.moved("mapped", 0, 32, elapsedNs);
    }
    assertThat(book.close(0).minNs()).isEqualTo(1000);
  }

  @Test
  void whatAMappingCopiesStaysInThisProcess() {
    meter.read(0, 5, 1);
    meter.ofMapping();
    meter.read(0, 7, 1);
    meter.written(0, 7, 1);
    assertThat(meter.readBytes()).isEqualTo(5);
    assertThat(meter.writtenBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 64, 1024})
  void theCallsBookedDoNotAllBeginAPage(int callBytes) {
    List<Long> offsetsInPage = new ArrayList<>();
    for (long i = 0; i < CALLS; i++) {
      if (meter.wantsTimeOf(callBytes)) {
        offsetsInPage.add(i * callBytes % PAGE_BYTES);
      }
      meter.moved("heap", 0, callBytes, 1);
    }
    assertThat(offsetsInPage.stream().distinct().count()).isEqualTo(PAGE_BYTES / callBytes);
  }

  private void run(int callBytes) throws IOException {
    BenchOnly.loop(
        "loop",
        Buffer::limit,
        _ -> {},
        ByteBuffer.allocate(callBytes),
        (long) CALLS * callBytes,
        meter);
  }
}
