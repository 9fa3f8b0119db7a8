package dev.zcp.ssh;

import dev.zcp.core.Daemon;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event;
import dev.zcp.tree.Guard;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/// Two ends on other machines that copy from one to the other. The sender tells the user how it
/// goes; this process passes that on, or with `--relay` the bytes of the session.
///
/// @param environment of the command
/// @param isRelayed whether what each end says is for the other one
/// @param stallTimeoutNs how long an end may say nothing, if it says anything to the other one
record JoinedEnds(
    RemoteEnd sender,
    RemoteEnd receiver,
    CommandEnvironment environment,
    boolean isRelayed,
    long stallTimeoutNs) {

  private static final int PIECE_BYTES = 64 << 10;

  /// How long an end may go on when the other one has ended.
  private static final long END_MS_MAX = 5_000;

  private static final String KEPT =
      "what had arrived is kept; the same command again sends the rest";

  /// Waits for the end of both.
  ///
  /// @return the sender's exit code, or the receiver's if only that one knows what failed
  /// @throws Failure NETWORK if an ssh has ended too early. The ends tell the user all else
  ExitCode run() throws Failure {
    receiver.endWith(sender, stallTimeoutNs);
    try (Guard _ = Guard.install(() -> Guard.tell(this::tellWhatIsKept))) {
      if (isRelayed) {
        Daemon.start(() -> pass(receiver, sender), "zcp-relay");
        pass(sender, receiver);
      } else {
        passOutput();
      }
      int sent = sender.exitCode(END_MS_MAX);
      boolean knowsNothing = sent == 0 || sent == ExitCode.NETWORK.number();
      int received = receiver.exitCode(knowsNothing ? END_MS_MAX : 0);
      if (sent < 0 || RemoteEnd.isLost(sent)) {
        throw lost(RemoteEnd.isLost(received) ? receiver : sender);
      }
      boolean isReceivers = knowsNothing && received > 0 && !RemoteEnd.isLost(received);
      return ExitCode.ofNumber(isReceivers ? received : sent);
    }
  }

  private void tellWhatIsKept() {
    environment
        .listener()
        .on(new Event.Interrupted(receiver.login() + ": interrupted (" + KEPT + ")"));
  }

  private static Failure lost(RemoteEnd end) {
    return Failure.of(ExitCode.NETWORK, end.login(), "the connection by ssh is lost").with(KEPT);
  }

  /// Passes all that one end says on to the other, and that it was all. If the other one takes no
  /// more, it has ended, and its exit code tells why; this one can end only if it is read to its
  /// end.
  private static void pass(RemoteEnd from, RemoteEnd to) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(PIECE_BYTES);
    boolean takes = true;
    try {
      while (from.hear(bytes.clear()) >= 0) {
        takes = takes && isTaken(bytes.flip(), to);
      }
      to.endOutput();
    } catch (IOException e) {
      // The session at the other one sees it.
    }
  }

  private static boolean isTaken(ByteBuffer bytes, RemoteEnd to) {
    try {
      to.write(bytes);
      return true;
    } catch (IOException e) {
      // See above.
      return false;
    }
  }

  private void passOutput() throws Failure {
    byte[] bytes = new byte[PIECE_BYTES];
    OutputStream out = environment.out();
    try {
      for (int count = read(bytes); count >= 0; count = read(bytes)) {
        out.write(bytes, 0, count);
      }
    } catch (IOException e) {
      throw Reasons.destination("standard output", e);
    }
  }

  private int read(byte[] bytes) throws Failure {
    try {
      return sender.read(ByteBuffer.wrap(bytes));
    } catch (IOException e) {
      throw Failure.of(ExitCode.NETWORK, sender.login(), Reasons.of(e)).because(e);
    }
  }
}
