package dev.zcp.linux;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessorsTest {

  @Test
  void processorsThatAllWorkLeaveLessTimeThanThoseThatRest() throws InterruptedException {
    Processors processors = new Processors();
    double sinceStart = processors.idleShare();
    assertTrue(sinceStart >= 0 && sinceStart <= 1, () -> "since the start: " + sinceStart);
    long end = System.nanoTime() + Duration.ofMillis(300).toNanos();
    Thread[] workers = new Thread[Runtime.getRuntime().availableProcessors()];
    for (int i = 0; i < workers.length; i++) {
      workers[i] =
          new Thread(
              () -> {
                while (System.nanoTime() < end) {
                  Thread.onSpinWait();
                }
              });
      workers[i].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
    double busy = processors.idleShare();
    assertTrue(busy < 0.5, () -> "with as many threads as processors: " + busy);
  }
}
