package dev.zcp.exchange;

import dev.zcp.wire.Frame;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/// A connection of a simulation: what is on the way, both ways.
final class SimulatedLink {

  /// What the wire carries: a frame, or raw bytes.
  record Item(Frame frame, Cells raw) {}

  final int number;
  final Deque<Item> toReceiver = new ArrayDeque<>();
  final Deque<Item> toSender = new ArrayDeque<>();

  /// Each end has its own idea of whether there is a connection.
  boolean isSenderUp = true;

  boolean isReceiverUp = true;
  private boolean isCut;

  /// For how many turns the receiver's thread is held up by something else.
  private int naps;

  SimulatedLink(int number) {
    this.number = number;
  }

  void send(Frame frame) {
    if (!isCut) {
      toReceiver.addLast(new Item(frame, null));
    }
  }

  void sendRaw(Cells raw) {
    if (!isCut) {
      toReceiver.addLast(new Item(null, raw));
    }
  }

  void answer(Frame frame) {
    if (!isCut) {
      toSender.addLast(new Item(frame, null));
    }
  }

  boolean isCut() {
    return isCut;
  }

  /// The receiver takes its time with what is on the way.
  void sleep(int turns) {
    naps = turns;
  }

  boolean sleeps() {
    naps--;
    return naps >= 0;
  }

  /// Some of what is on the way still arrives; nothing else ever does.
  void cut(Random random) {
    if (!isCut) {
      isCut = true;
      lose(random, toReceiver);
      lose(random, toSender);
    }
  }

  private static void lose(Random random, Deque<Item> items) {
    int rest = random.nextInt(3) == 0 ? items.size() : random.nextInt(items.size() + 1);
    while (items.size() > rest) {
      items.pollLast();
    }
  }
}
