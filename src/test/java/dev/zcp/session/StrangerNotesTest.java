package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.insight.Event;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StrangerNotesTest {

  private final LinkedBlockingQueue<Event> told = new LinkedBlockingQueue<>();

  /// 12,000 lines in 7 seconds.
  @Test
  void howeverManyFailOneIsToldAtOnceAndTheOthersTogether() {
    StrangerNotes notes = new StrangerNotes(told::add, StrangerNotes.PAUSE_NS);
    for (int i = 0; i <= 12_000; i++) {
      notes.failed("127.0.0.1:" + i + ": the sender has another key");
    }
    assertThat(told).containsExactly(new Event.Noted("127.0.0.1:0: the sender has another key"));
    told.clear();
    notes.tellRest();
    notes.tellRest();
    assertThat(told)
        .containsExactly(
            new Event.Noted(
                "12000 more connections failed before they proved the key, the last:"
                    + " 127.0.0.1:12000: the sender has another key"));
  }

  @Test
  void afterThePauseTheOthersAreToldAndThenTheNextAtOnce() throws InterruptedException {
    StrangerNotes notes = new StrangerNotes(told::add, 100_000_000);
    notes.failed("a");
    notes.failed("b");
    assertThat(next()).isEqualTo(new Event.Noted("a"));
    assertThat(next()).isEqualTo(new Event.Noted("b"));
    // In the pause after that, or behind it.
    notes.failed("c");
    assertThat(next()).isEqualTo(new Event.Noted("c"));
  }

  private Event next() throws InterruptedException {
    return told.poll(60, TimeUnit.SECONDS);
  }
}
