package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ListenersTest {

  @Test
  void eachEventGoesToAllInTheirOrder() {
    List<String> heard = new ArrayList<>();
    Listener both =
        new Listeners(List.of(event -> heard.add("1" + event), event -> heard.add("2" + event)));
    Event a = new Event.Noted("a");
    Event b = new Event.Noted("b");
    both.on(a);
    both.on(b);
    assertThat(heard).containsExactly("1" + a, "2" + a, "1" + b, "2" + b);
  }

  @Test
  void eachFileIsHeardWhereOneOfThemHearsIt() {
    Listener deaf = new OutputLines(new Page().out(), false);
    assertThat(new Listeners(List.of(deaf, deaf)).hearsEachFile()).isFalse();
    assertThat(new Listeners(List.of(deaf, event -> {})).hearsEachFile()).isTrue();
  }

  @Test
  @Timeout(60)
  void severalThreadsAreHeardOneAtATime() throws InterruptedException {
    int threads = 8;
    int each = 5_000;
    List<Event> first = new ArrayList<>();
    List<Event> second = new ArrayList<>();
    Listener both = new Listeners(List.of(first::add, second::add));
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      String name = "thread " + i;
      Thread thread =
          new Thread(
              () -> {
                for (int event = 0; event < each; event++) {
                  both.on(new Event.Noted(name));
                }
              });
      thread.start();
      all.add(thread);
    }
    for (Thread thread : all) {
      thread.join();
    }
    assertThat(first).hasSize(threads * each);
    assertThat(second).isEqualTo(first);
  }
}
