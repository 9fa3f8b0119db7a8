package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StrangersLimitTest {

  private static final int MANY = 10_000;

  private final Strangers<Object> strangers = new Strangers<>(new Random(1), 1024);

  @Test
  void oneFromElsewhereStaysHoweverManyCome() throws UnknownHostException {
    Object honest = new Object();
    strangers.add(honest, address("192.0.2.1"));
    Object honestToo = new Object();
    strangers.add(honestToo, address("2001:db8:0:1::1"));
    for (int i = 0; i < MANY; i++) {
      strangers.add(new Object(), address("198.51.100.7"));
      strangers.add(new Object(), address("2001:db8:0:2::" + Integer.toHexString(i)));
    }
    assertThat(strangers.remove(honest)).isTrue();
    assertThat(strangers.remove(honestToo)).isTrue();
    assertThat(strangers.remove(honest)).isFalse();
  }

  /// Where it was one of those that chance takes, one good client in 65 was turned away at once.
  @Test
  void whoComesIsNotTheOneThatMakesRoom() throws UnknownHostException {
    for (int i = 0; i < MANY; i++) {
      Object newcomer = new Object();
      assertThat(strangers.add(newcomer, address("198.51.100.7"))).isNotSameAs(newcomer);
    }
  }

  /// The oldest had to go before, so that 16 arrivals within its handshake were its end.
  @Test
  void oneAmongThemMostlyStaysForAsLongAsAHandshakeTakes() throws UnknownHostException {
    int stayed = 0;
    for (int i = 0; i < Strangers.STRANGERS_MAX; i++) {
      strangers.add(new Object(), address("198.51.100.7"));
    }
    for (int round = 0; round < 100; round++) {
      Object honest = new Object();
      strangers.add(honest, address("198.51.100.7"));
      for (int i = 0; i < 16; i++) {
        strangers.add(new Object(), address("198.51.100.7"));
      }
      stayed += strangers.remove(honest) ? 1 : 0;
    }
    assertThat(stayed).isGreaterThan(60);
  }

  @Test
  void aProcessOfFewDescriptorsHasFewerOfThem() throws UnknownHostException {
    for (int[] each : new int[][] {{64, 16}, {256, 32}, {512, 64}, {1 << 20, 64}}) {
      Strangers<Object> some = new Strangers<>(new Random(1), each[0]);
      for (int i = 0; i < each[1]; i++) {
        assertThat(some.add(new Object(), address("198.51.100.7"))).isNull();
      }
      assertThat(some.add(new Object(), address("198.51.100.7"))).isNotNull();
    }
  }

  private static InetAddress address(String text) throws UnknownHostException {
    return InetAddress.getByName(text);
  }
}
