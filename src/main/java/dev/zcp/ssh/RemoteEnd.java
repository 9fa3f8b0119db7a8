package dev.zcp.ssh;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.PeerTimeout;
import dev.zcp.carrier.PipeCarrier;
import dev.zcp.carrier.PipeCarrier.PipeLife;
import dev.zcp.core.Daemon;
import dev.zcp.core.Elapsed;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.linux.ChildProcess;
import dev.zcp.linux.StandardStreams;
import dev.zcp.ssh.Fields.Message;
import dev.zcp.ssh.RemotePath.Login;
import dev.zcp.tree.Guard;
import dev.zcp.tree.Reasons;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The zcp on another machine that ssh has started: it has answered, and a session may begin over
/// the pipes. The ssh ends with this object, and with this process.
final class RemoteEnd implements PipeLife, Closeable {

  /// What a login shell may print before zcp says something.
  private static final int BANNER_BYTES_MAX = 64 << 10;

  /// How much of that an error shows.
  private static final int BANNER_BYTES_SHOWN = 512;

  /// How long the other end may take to exit once all is said.
  private static final long EXIT_MS_MAX = 2_000;

  /// How long ssh may take to end by a signal.
  private static final long END_MS_MAX = 1_000;

  /// To log in and to say the first word the other end may take so many times as long as it may
  /// stall later: sshd waits 120 seconds for a login, four times the usual 30.
  private static final int FIRST_WORD_FACTOR = 4;

  /// At least, if a person may have to type a password.
  private static final long PASSWORD_NS = 120_000_000_000L;

  private static final String TERMINAL = "/dev/tty";

  // What ssh and shells exit with if it is not the other zcp that does.
  private static final int SSH_FAILED = 255;
  private static final int SIGNALLED = 128;
  private static final int NOT_FOUND = 127;
  private static final int NOT_EXECUTABLE = 126;

  /// What `zcp` exits with if it does not know a command.
  private static final int UNKNOWN = 2;

  private final Login login;
  private final Process process;
  private final Guard guard;
  private final PipeCarrier carrier;
  private final PeerTimeout timeout;
  private final RemoteErrors errors;
  private final AtomicBoolean cut = new AtomicBoolean();
  private ServeReply reply;
  private long loginNs;

  /// What came behind the reply.
  private ByteBuffer rest;

  private RemoteEnd(Login login, ChildProcess child, boolean isSsh, Consumer<String> errors)
      throws IOException {
    this.login = login;
    this.process = child.process();
    this.guard = Guard.install(this::end);
    this.carrier =
        new PipeCarrier(
            new StandardStreams(child.in(), child.out()), login.toString(), this, isSsh);
    this.timeout = PeerTimeout.watch(carrier);
    this.errors = new RemoteErrors(process.getErrorStream(), errors);
  }

  /// Starts it and has it answer.
  ///
  /// @param request made once ssh has been started: logging in takes some tenths of a second, in
  ///   which this process has little else to do
  /// @param release of this zcp
  /// @param banner told what the login shell printed before, if it did
  /// @param errors gets what comes on standard error
  /// @throws Failure if there is no zcp that answers in time, or it cannot do what it is asked for
  static RemoteEnd start(
      SshCommand ssh,
      Login login,
      Supplier<ServeRequest> request,
      String release,
      Consumer<String> banner,
      Consumer<String> errors)
      throws Failure {
    ProcessBuilder builder = new ProcessBuilder(ssh.line(login));
    long startNs = System.nanoTime();
    RemoteEnd end;
    try {
      end = new RemoteEnd(login, ChildProcess.start(builder), ssh.isSsh(), errors);
    } catch (IOException e) {
      throw Failure.of(ExitCode.USAGE, Printable.of(ssh.words().getFirst()), "cannot be started")
          .with((ssh.isSsh() ? "--ssh" : "--rsh") + " names another program")
          .because(e);
    }
    try {
      ServeRequest asked = request.get();
      long firstWordNs = firstWordNs(asked.stallTimeoutNs());
      end.timeout.hurry(firstWordNs);
      end.ask(asked.encode(), ssh, release, banner, firstWordNs);
      end.loginNs = System.nanoTime() - startNs;
      end.timeout.settle(asked.stallTimeoutNs(), null);
      if (!end.reply.fits(asked)) {
        throw end.failure(ExitCode.PROTOCOL, "zcp there: it answers something else");
      }
      return end;
    } catch (IOException e) {
      end.close();
      throw end.failure(ExitCode.NETWORK, Reasons.of(e)).because(e);
    } catch (Failure e) {
      end.close();
      throw e;
    }
  }

  Login login() {
    return login;
  }

  /// How long it took until it answered.
  long loginNs() {
    return loginNs;
  }

  ServeReply reply() {
    return reply;
  }

  /// The pipes, which are the first connection. The end that listens must have said nothing yet.
  ///
  /// @throws Failure PROTOCOL if it has
  Carrier connection() throws Failure {
    if (rest.hasRemaining()) {
      throw failure(ExitCode.PROTOCOL, "zcp there: it says more than it was asked for");
    }
    return carrier;
  }

  /// Reads what the end says behind its reply.
  ///
  /// @return how many bytes; -1 if it has said all
  int read(ByteBuffer target) throws IOException {
    return take(rest, target);
  }

  /// As [#read]; ends the end if it says nothing for longer than it may stall.
  int hear(ByteBuffer target) throws IOException {
    timeout.waitForPeer();
    try {
      return read(target);
    } finally {
      timeout.stopWaiting();
    }
  }

  private int take(ByteBuffer heard, ByteBuffer target) throws IOException {
    if (!heard.hasRemaining()) {
      return carrier.source().read(target, 0);
    }
    int count = Math.min(heard.remaining(), target.remaining());
    target.put(heard.slice(heard.position(), count));
    heard.position(heard.position() + count);
    return count;
  }

  /// Says these bytes to the end.
  void write(ByteBuffer bytes) throws IOException {
    carrier.writeAll(bytes);
  }

  void endOutput() throws IOException {
    carrier.endOutput();
  }

  private static long firstWordNs(long stallTimeoutNs) {
    long ns = Math.max(stallTimeoutNs, FIRST_WORD_FACTOR * stallTimeoutNs);
    try (InputStream _ = new FileInputStream(TERMINAL)) {
      return Math.max(ns, PASSWORD_NS);
    } catch (IOException e) {
      // ssh can ask nobody.
      return ns;
    }
  }

  private void ask(
      byte[] request, SshCommand ssh, String release, Consumer<String> banner, long firstWordNs)
      throws IOException, Failure {
    if (request.length > Fields.HEAD_BYTES + Fields.BYTES_MAX) {
      end();
      throw failure(ExitCode.USAGE, "too many operands and patterns for ssh");
    }
    ByteBuffer asked = ByteBuffer.wrap(request);
    ByteBuffer heard = ByteBuffer.allocate(BANNER_BYTES_MAX + Fields.HEAD_BYTES);
    int magic = -1;
    try {
      carrier.writeAll(asked);
    } catch (IOException e) {
      // ssh has ended, or closed its input. What came from it says why.
    }
    boolean ended = false;
    while (!ended && magic < 0 && heard.hasRemaining()) {
      ended = carrier.source().read(heard, 0) < 0;
      magic = indexOfMagic(heard);
    }
    if (magic < 0 || timeout.ranOut()) {
      // What comes too late is of no use: ssh is about to be killed.
      ByteBuffer printed = heard.flip();
      throw noAnswer(ended, ssh, magic < 0 ? printed : printed.limit(magic), firstWordNs);
    }
    if (magic > 0) {
      banner.accept(login + ": before zcp, the login shell printed: " + shown(heard, magic));
    }
    read(heard.flip().position(magic), release);
  }

  private void read(ByteBuffer heard, String release) throws IOException, Failure {
    try {
      Message message = Message.read(target -> take(heard, target), ServeReply.MAGIC);
      if (message.version() != ServeRequest.VERSION) {
        throw otherVersion(ServeReply.release(message.fields()), release);
      }
      reply = ServeReply.decode(message.fields());
      rest = heard;
    } catch (IllegalArgumentException e) {
      throw failure(ExitCode.PROTOCOL, "zcp there: " + e.getMessage()).because(e);
    }
    if (reply.problem() != ExitCode.OK) {
      throw failure(reply.problem(), Printable.ofPhrase(reply.reason()));
    }
  }

  private Failure failure(ExitCode code, String what) {
    return Failure.of(code, login, what);
  }

  private Failure otherVersion(String theirs, String ours) {
    return failure(
            ExitCode.PROTOCOL, "zcp there is " + Printable.of(theirs) + ", and here it is " + ours)
        .with("the two do not understand each other; install one release on both");
  }

  private static int indexOfMagic(ByteBuffer heard) {
    byte[] bytes = heard.array();
    byte[] magic = ServeReply.MAGIC;
    for (int i = 0; i + Fields.HEAD_BYTES <= heard.position(); i++) {
      if (bytes[i] == magic[0]
          && Arrays.equals(bytes, i, i + magic.length, magic, 0, magic.length)) {
        return i;
      }
    }
    return -1;
  }

  private static String shown(ByteBuffer heard, int bytes) {
    int shown = Math.min(bytes, BANNER_BYTES_SHOWN);
    String text = Printable.of(Arrays.copyOf(heard.array(), shown));
    return "'" + text + (shown < bytes ? "...'" : "'");
  }

  /// @param ended whether nothing more comes
  private Failure noAnswer(boolean ended, SshCommand ssh, ByteBuffer heard, long firstWordNs) {
    int code = ended ? exitCode(EXIT_MS_MAX) : -1;
    String there = heard.hasRemaining() ? "; it printed " + shown(heard, heard.limit()) : "";
    String lost =
        timeout.ranOut()
            ? "no zcp answered within " + new Elapsed(firstWordNs)
            : code == SSH_FAILED
                ? errors.finish()
                    ? "ssh failed, for the reason above"
                    : "ssh failed without a reason; maybe a signal ended the zcp there"
                : isLost(code)
                    ? "signal " + (code - SIGNALLED) + " ended ssh or the zcp there"
                    : null;
    if (lost != null) {
      return failure(ExitCode.NETWORK, lost + there).with("nothing was copied");
    }
    String what =
        switch (code) {
          case NOT_FOUND, NOT_EXECUTABLE ->
              "there is no '" + Printable.of(ssh.remote()) + "' that the login shell finds";
          case UNKNOWN -> "zcp there cannot be started by ssh; it may be older";
          default ->
              ended
                  ? "no zcp answered; the command there ended with exit code " + code
                  : "no zcp answered in the first " + BANNER_BYTES_MAX + " bytes";
        };
    return failure(ExitCode.PROTOCOL, what + there)
        .with("install the same zcp there, or name it: --remote-command=/opt/zcp/bin/zcp");
  }

  /// Whether ssh exits with this code if zcp there did not exit by itself: a signal ended one of
  /// the two, or ssh failed.
  static boolean isLost(int exitCode) {
    return exitCode >= SIGNALLED;
  }

  /// Ends `other` when this end is lost; when this one has ended otherwise, the other one has as
  /// long to end as it may stall.
  void endWith(RemoteEnd other, long stallTimeoutNs) {
    process
        .onExit()
        .thenAccept(
            ended -> {
              if (isLost(ended.exitValue())) {
                other.cut();
              } else {
                other.timeout.hurry(stallTimeoutNs);
              }
            });
  }

  /// What ssh exits with, or -1 if it does not in time.
  int exitCode(long ms) {
    try {
      return process.waitFor(ms, TimeUnit.MILLISECONDS) ? process.exitValue() : -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  /// All may have been said, and ssh about to end. If it does not, it hangs, and is killed.
  @Override
  public void cut() {
    if (cut.getAndSet(true)) {
      return;
    }
    Daemon.start(
        () -> {
          if (exitCode(END_MS_MAX) < 0) {
            end();
          }
        },
        "zcp-ssh-end");
  }

  @Override
  public void closed() {
    // ssh ends when it has said all.
  }

  /// Ends ssh, which may wait for a network that does not answer.
  private void end() {
    process.destroy();
    if (exitCode(END_MS_MAX) < 0) {
      process.destroyForcibly();
    }
  }

  @Override
  public void close() {
    timeout.close();
    try {
      carrier.close();
    } catch (IOException e) {
      // Nothing more is said on it.
    }
    if (exitCode(EXIT_MS_MAX) < 0) {
      end();
    }
    errors.finish();
    guard.close();
  }
}
