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
import dev.zcp.ssh.Deployment.Task;
import dev.zcp.ssh.Fields.Message;
import dev.zcp.ssh.RemotePath.Login;
import dev.zcp.tree.Guard;
import dev.zcp.tree.Reasons;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

  /// What a script there says in a line.
  private static final int LINE_BYTES_MAX = 8 << 10;

  /// How long a shell there may stall that does not serve a session.
  private static final long STALL_NS = 30_000_000_000L;

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

  /// What came from the other end and is not read yet.
  private final ByteBuffer heard = ByteBuffer.allocate(BANNER_BYTES_MAX + Fields.HEAD_BYTES);

  private ServeReply reply;
  private long loginNs;

  /// When it began to start.
  private long startNs;

  /// How long the first word may take, and each thing that a shell there does.
  private long patienceNs;

  /// Whether the zcp there cannot do what this one wants, and another one could.
  private boolean isOther;

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
    heard.limit(0);
  }

  /// Starts it and has it answer. If there is no zcp, or one of another release, `deployment` may
  /// put this one there.
  ///
  /// @param request made once ssh has been started: logging in takes some tenths of a second, in
  ///   which this process has little else to do
  /// @param banner told what the login shell printed before, if it did
  /// @param errors gets what comes on standard error
  /// @throws Failure if there is no zcp that answers in time, or it cannot do what it is asked for
  static RemoteEnd start(
      SshCommand ssh,
      Login login,
      Supplier<ServeRequest> request,
      Deployment deployment,
      Consumer<String> banner,
      Consumer<String> errors)
      throws Failure {
    RemoteEnd end = launch(ssh, login, deployment, true, errors);
    try {
      return end.asked(ssh, request, deployment, banner);
    } catch (Failure e) {
      if (!end.isOther || ssh.remote() != null || !deployment.isPossible()) {
        throw e;
      }
    }
    return launch(ssh, login, deployment, false, errors).asked(ssh, request, deployment, banner);
  }

  /// Has a shell there do this, and ends it.
  static void run(
      SshCommand ssh, Login login, Deployment deployment, Task task, Consumer<String> errors)
      throws Failure {
    try (RemoteEnd end = launch(ssh, login, deployment, false, errors)) {
      end.patienceNs = firstWordNs(STALL_NS);
      end.hurry();
      int found = end.find(RemoteShell.NONE, RemoteShell.NONE);
      if (found < 0) {
        throw end.noAnswer(ssh);
      }
      end.heard.position(end.heard.position() + found + RemoteShell.NONE.length);
      deployment.run(end, end.line(), task);
    } catch (IOException e) {
      throw Failure.of(ExitCode.NETWORK, login, Reasons.of(e)).because(e);
    }
  }

  /// @param startsZcp whether the shell there starts a zcp that it finds
  private static RemoteEnd launch(
      SshCommand ssh,
      Login login,
      Deployment deployment,
      boolean startsZcp,
      Consumer<String> errors)
      throws Failure {
    ProcessBuilder builder =
        new ProcessBuilder(ssh.line(login, RemoteShell.script(deployment.build(), startsZcp)));
    long startNs = System.nanoTime();
    try {
      RemoteEnd end = new RemoteEnd(login, ChildProcess.start(builder), ssh.isSsh(), errors);
      end.startNs = startNs;
      return end;
    } catch (IOException e) {
      throw Failure.of(ExitCode.USAGE, Printable.of(ssh.words().getFirst()), "cannot be started")
          .with((ssh.isSsh() ? "--ssh" : "--rsh") + " names another program")
          .because(e);
    }
  }

  private RemoteEnd asked(
      SshCommand ssh,
      Supplier<ServeRequest> request,
      Deployment deployment,
      Consumer<String> banner)
      throws Failure {
    try {
      ServeRequest asked = request.get();
      patienceNs = firstWordNs(asked.stallTimeoutNs());
      hurry();
      ask(asked.encode(), ssh, deployment, banner);
      loginNs = System.nanoTime() - startNs;
      timeout.settle(asked.stallTimeoutNs(), null);
      if (!reply.fits(asked)) {
        throw failure(ExitCode.PROTOCOL, "zcp there: it answers something else");
      }
      return this;
    } catch (IOException e) {
      close();
      throw failure(ExitCode.NETWORK, Reasons.of(e)).because(e);
    } catch (Failure e) {
      close();
      throw e;
    }
  }

  private void hurry() {
    timeout.hurry(patienceNs);
  }

  /// Waits for a person, or for this process, however long that takes.
  void beUnhurried() {
    timeout.hurry(Long.MAX_VALUE);
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
    if (heard.hasRemaining()) {
      throw failure(ExitCode.PROTOCOL, "zcp there: it says more than it was asked for");
    }
    return carrier;
  }

  /// Reads what the end says behind its reply.
  ///
  /// @return how many bytes; -1 if it has said all
  int read(ByteBuffer target) throws IOException {
    if (!heard.hasRemaining()) {
      return carrier.source().read(target, 0);
    }
    int count = Math.min(heard.remaining(), target.remaining());
    target.put(heard.slice(heard.position(), count));
    heard.position(heard.position() + count);
    return count;
  }

  /// Reads a line of at most [#LINE_BYTES_MAX] bytes that a shell there says.
  ///
  /// @return the line, printable
  /// @throws IOException if there is none
  String line() throws IOException {
    hurry();
    for (int i = 0; ; i++) {
      if (i == heard.remaining() && (i > LINE_BYTES_MAX || !more())) {
        throw new IOException(
            timeout.ranOut()
                ? "no answer within " + new Elapsed(patienceNs)
                : i > LINE_BYTES_MAX ? "no line came" : "the connection is lost");
      }
      if (heard.get(heard.position() + i) == '\n') {
        byte[] line = new byte[i];
        heard.get(line).get();
        return Printable.of(line);
      }
    }
  }

  /// Says this to a shell there.
  void say(String text) throws IOException {
    say(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  void say(ByteBuffer bytes) throws IOException {
    hurry();
    carrier.writeAll(bytes);
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

  private void ask(byte[] request, SshCommand ssh, Deployment deployment, Consumer<String> banner)
      throws IOException, Failure {
    if (request.length > Fields.HEAD_BYTES + Fields.BYTES_MAX) {
      end();
      throw failure(ExitCode.USAGE, "too many operands and patterns for ssh");
    }
    request(request);
    // Of a zcp that was named, no shell tells that there is none.
    int found = find(ServeReply.MAGIC, ssh.remote() == null ? RemoteShell.NONE : ServeReply.MAGIC);
    if (found > 0) {
      banner.accept(login + ": before zcp, the login shell printed: " + shown(heard, found));
      heard.position(found);
    }
    if (found >= 0 && starts(heard, 0, RemoteShell.NONE)) {
      heard.position(heard.position() + RemoteShell.NONE.length);
      deployment.run(this, line(), Task.SERVE);
      startNs = System.nanoTime();
      hurry();
      request(request);
      found = find(ServeReply.MAGIC, ServeReply.MAGIC);
      heard.position(heard.position() + Math.max(0, found));
    }
    if (found < 0) {
      throw noAnswer(ssh);
    }
    read(deployment.build().release());
  }

  private void request(byte[] request) {
    try {
      carrier.writeAll(ByteBuffer.wrap(request));
    } catch (IOException e) {
      // ssh has ended, or closed its input. What came from it says why.
    }
  }

  /// Reads until one of the two magics, which are equally long, is there.
  ///
  /// @return how much comes before it; -1 if neither comes in time
  private int find(byte[] magic, byte[] other) throws IOException {
    int found = -1;
    boolean more = true;
    while (more && found < 0 && heard.remaining() < heard.capacity()) {
      more = more();
      int last = Math.min(BANNER_BYTES_MAX, heard.remaining() - magic.length);
      for (int i = 0; found < 0 && i <= last; i++) {
        found = starts(heard, i, magic) || starts(heard, i, other) ? i : -1;
      }
    }
    if (found >= 0 && timeout.ranOut()) {
      // What comes too late is of no use: ssh is about to be killed.
      heard.limit(heard.position() + found);
      return -1;
    }
    return found;
  }

  /// @return whether more may come
  private boolean more() throws IOException {
    heard.compact();
    try {
      return carrier.source().read(heard, 0) >= 0;
    } finally {
      heard.flip();
    }
  }

  private void read(String release) throws IOException, Failure {
    try {
      Message message = Message.read(this::read, ServeReply.MAGIC);
      if (message.version() != ServeRequest.VERSION) {
        throw otherVersion(ServeReply.release(message.fields()), release);
      }
      reply = ServeReply.decode(message.fields());
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
    isOther = true;
    return failure(
            ExitCode.PROTOCOL, "zcp there is " + Printable.of(theirs) + ", and here it is " + ours)
        .with(
            "these two cannot talk to each other: install the same one on both, or let --deploy put"
                + " this one there");
  }

  private static boolean starts(ByteBuffer heard, int at, byte[] magic) {
    int from = heard.position() + at;
    byte[] bytes = heard.array();
    return bytes[from] == magic[0]
        && Arrays.equals(bytes, from, from + magic.length, magic, 0, magic.length);
  }

  private static String shown(ByteBuffer heard, int bytes) {
    int shown = Math.min(bytes, BANNER_BYTES_SHOWN);
    byte[] printed = new byte[shown];
    heard.get(heard.position(), printed);
    String text = Printable.of(printed);
    return "'" + text + (shown < bytes ? "...'" : "'");
  }

  private Failure noAnswer(SshCommand ssh) {
    boolean ended = heard.remaining() < heard.capacity();
    int code = ended ? exitCode(EXIT_MS_MAX) : -1;
    String there = heard.hasRemaining() ? "; it printed " + shown(heard, heard.remaining()) : "";
    String lost =
        timeout.ranOut()
            ? "no zcp answered within " + new Elapsed(patienceNs)
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
    isOther = ended;
    String what =
        switch (code) {
          case NOT_FOUND, NOT_EXECUTABLE ->
              ssh.remote() == null
                  ? "there is no shell, or the zcp that it finds cannot be started"
                  : "there is no '" + Printable.of(ssh.remote()) + "' that the login shell finds";
          case UNKNOWN -> "zcp there cannot be started by ssh; it may be older";
          default ->
              ended
                  ? "no zcp answered; the command there ended with exit code " + code
                  : "no zcp answered in the first " + BANNER_BYTES_MAX + " bytes";
        };
    return failure(ExitCode.PROTOCOL, what + there)
        .with(isOther && ssh.remote() == null ? Deployment.PUT_OR_INSTALL : Deployment.INSTALL);
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

  /// Ends ssh, which may wait for a network that does not answer; and what it has started, which
  /// may have its pipes: a thread that reads from one waits as long as somebody has its other end.
  private void end() {
    List<ProcessHandle> started = process.descendants().toList();
    process.destroy();
    started.forEach(ProcessHandle::destroy);
    if (exitCode(END_MS_MAX) < 0) {
      process.destroyForcibly();
    }
    try {
      CompletableFuture.allOf(
              started.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
          .get(END_MS_MAX, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // One that is stopped heeds nothing else.
      started.forEach(ProcessHandle::destroyForcibly);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
