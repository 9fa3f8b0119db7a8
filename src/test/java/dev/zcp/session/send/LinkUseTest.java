package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Network;
import org.junit.jupiter.api.Test;

/// What a sender takes for a network that limits it.
class LinkUseTest {

  private static final int MIB = 1 << 20;
  private static final long MS = 1_000_000;

  private long nowMs = 5_000;
  private long busyMs;
  private long windowMs;

  private LinkUse of(boolean isPipe, boolean isPossible) {
    return new LinkUse(
        () -> new Network(1, busyMs * MS, windowMs * MS, 0, 0, 0, 0),
        () -> nowMs * MS,
        isPipe,
        isPossible);
  }

  /// A second of 10 units.
  private void send(LinkUse link, int bytes, int elapsedMs, int writingMs, boolean isCompressed) {
    for (int i = 0; i < 10; i++) {
      nowMs += 100;
      link.sent(bytes, elapsedMs * MS, writingMs * MS, isCompressed);
    }
  }

  private void sendAsBusy(LinkUse link, int bytes, int elapsedMs, boolean isCompressed) {
    for (int i = 0; i < 10; i++) {
      busyMs += 100;
      nowMs += 100;
      link.sent(bytes, elapsedMs * MS, elapsedMs * MS, isCompressed);
    }
  }

  @Test
  void aNetworkLimitsWhileTcpIsBusyAndTheSenderWaitsForTheSocket() {
    LinkUse link = of(false, true);
    assertThat(link.isFull()).isFalse();
    sendAsBusy(link, MIB, 100, false);
    assertThat(link.isFull()).isTrue();
    send(link, MIB, 100, 100, false);
    assertThat(link.isFull()).as("TCP is idle").isFalse();
  }

  @Test
  void aSenderThatWaitsForItsDiskIsNotLimited() {
    LinkUse link = of(false, true);
    for (int i = 0; i < 10; i++) {
      busyMs += 100;
      nowMs += 100;
      link.sent(MIB, 100 * MS, 10 * MS, false);
    }
    assertThat(link.isFull()).isFalse();
  }

  @Test
  void aReceiverWithoutRoomIsNoNetwork() {
    LinkUse link = of(false, true);
    for (int i = 0; i < 10; i++) {
      busyMs += 100;
      windowMs += 90;
      nowMs += 100;
      link.sent(MIB, 100 * MS, 100 * MS, false);
    }
    assertThat(link.isFull()).isFalse();
  }

  @Test
  void nothingLimitsOnOneMachine() {
    LinkUse link = of(false, false);
    sendAsBusy(link, MIB, 100, false);
    assertThat(link.isPossible()).isFalse();
    assertThat(link.isFull()).isFalse();
  }

  @Test
  void behindSshASlowWayIsANetwork() {
    LinkUse link = of(true, true);
    send(link, 2 * MIB, 100, 100, false);
    assertThat(link.isFull()).isTrue();
    send(link, 3 * MIB, 100, 100, false);
    assertThat(link.isFull()).as("30 MiB a second").isFalse();
  }

  @Test
  void whatTakesLongerCompressedIsSentAsItIsForTenSeconds() {
    LinkUse link = of(false, true);
    sendAsBusy(link, MIB, 100, false);
    sendAsBusy(link, 4 * MIB, 100, true);
    assertThat(link.isFull()).as("four times as fast").isTrue();
    sendAsBusy(link, MIB / 2, 100, true);
    assertThat(link.isFull()).as("slower, but the socket is what it waits for").isTrue();
    send(link, MIB / 2, 100, 10, true);
    assertThat(link.isFull()).as("slower").isFalse();
    for (int second = 0; second < 8; second++) {
      sendAsBusy(link, MIB, 100, false);
      assertThat(link.isFull()).isFalse();
    }
    for (int second = 0; second < 3; second++) {
      sendAsBusy(link, MIB, 100, false);
    }
    assertThat(link.isFull()).as("it is tried again").isTrue();
  }
}
