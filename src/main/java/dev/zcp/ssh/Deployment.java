package dev.zcp.ssh;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.ssh.RemotePath.Login;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Puts this zcp on a machine that has none, through the ssh that has found none there: one
/// archive, which a script checks, tries and renames. It needs a POSIX shell there, and tar, gzip
/// and sha256sum.
public final class Deployment {

  /// Whether zcp is put on a machine that has none.
  public enum When {
    /// If a person says yes.
    ASK,
    ALWAYS,
    NEVER
  }

  /// What is to be done on the other machine.
  enum Task {
    /// Put zcp there, and start it for a session.
    SERVE,
    DEPLOY,
    REMOVE
  }

  /// Who sees it.
  public interface View {

    /// @param question a sentence with its question mark
    boolean isAgreed(String question);

    /// Bytes begin to travel.
    ///
    /// @param what they are, printable
    /// @param sentBytes tells any thread, at any later moment, how many have been sent
    void begin(String what, long bytes, LongSupplier sentBytes);

    /// They have arrived, or not.
    void end();

    void tell(String message);
  }

  private static final String SCRIPT = "deploy";
  private static final int PIECE_BYTES = 64 << 10;
  private static final long KIB = 1024;

  /// A package and what is in it, over the package.
  private static final int PACKED_AND_UNPACKED = 5;

  /// What to do about a zcp that is not there.
  static final String INSTALL =
      "install the same zcp there, or name it: --remote-command=/opt/zcp/bin/zcp";

  static final String PUT_OR_INSTALL = "--deploy puts this one there; or " + INSTALL;

  private final OwnBuild build;
  private final When when;
  private final View view;

  /// Null to make one of this zcp.
  private final RawPath archive;

  private volatile long sentBytes;

  /// @param when ASK only if somebody can be asked; else null, and whoever reads the message hears
  ///   what to add
  public Deployment(OwnBuild build, When when, View view) {
    this(build, when, view, null);
  }

  /// @param archive what is put there, of another processor maybe; null for this zcp
  public Deployment(OwnBuild build, When when, View view, RawPath archive) {
    this.build = build;
    this.when = when;
    this.view = view;
    this.archive = archive;
  }

  OwnBuild build() {
    return build;
  }

  /// Whether it may be worth asking for a zcp of this build.
  boolean isPossible() {
    return when != When.NEVER && when != null;
  }

  /// There is no zcp that could be started, and this is not to change it.
  Failure none(RemoteEnd there) {
    return Failure.of(ExitCode.PROTOCOL, there.login(), "no zcp was found there that fits this one")
        .with(when == null ? PUT_OR_INSTALL : INSTALL);
  }

  /// Puts this zcp on a machine, unless it is there.
  public void deploy(SshCommand ssh, Login login, Consumer<String> errors) throws Failure {
    RemoteEnd.run(ssh, login, this, Task.DEPLOY, errors);
  }

  /// Removes all that was put there, of any build.
  public void remove(SshCommand ssh, Login login, Consumer<String> errors) throws Failure {
    RemoteEnd.run(ssh, login, this, Task.REMOVE, errors);
  }

  /// Does this through a shell that waits for a script.
  ///
  /// @param token what separates the script from all else
  /// @throws Failure if it could not be done
  void run(RemoteEnd there, String token, Task task) throws Failure {
    if (task == Task.SERVE && !isPossible()) {
      throw none(there);
    }
    if (token.isEmpty()) {
      throw Failure.of(ExitCode.PROTOCOL, there.login(), "there is no /proc there")
          .with("mount it: mount -t proc proc /proc");
    }
    try {
      there.say("\n" + token + "\n" + settings(task) + script() + token + "\n");
      follow(there, task);
    } catch (IOException e) {
      throw Failure.of(ExitCode.NETWORK, there.login(), Reasons.of(e))
          .with("run the same command again")
          .because(e);
    }
  }

  private String settings(Task task) throws IOException, Failure {
    if (task == Task.REMOVE) {
      return "task=remove\n";
    }
    build.requireWhole();
    // A package for another processor says itself whether it runs there.
    return "task="
        + (task == Task.SERVE ? "serve" : "deploy")
        + "\nrelease="
        + build.release()
        + "\nbuild="
        + build.commit()
        + "\nmachine="
        + (archive == null ? OwnBuild.machine() : "any")
        + "\nloader='"
        + (archive == null ? build.loader() : "/")
        + "'\nroom_kib="
        + roomBytes() / KIB
        + "\n";
  }

  private long roomBytes() throws Failure {
    if (archive == null) {
      return ZcpArchive.BYTES_MAX + ZcpArchive.unpackedBytes(build.home());
    }
    try {
      return PACKED_AND_UNPACKED * Files.size(archive.toPath());
    } catch (IOException e) {
      throw Reasons.source(archive, e);
    }
  }

  private static String script() throws IOException {
    try (InputStream in = Deployment.class.getResourceAsStream(SCRIPT)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void follow(RemoteEnd there, Task task) throws IOException, Failure {
    String answer =
        switch (task) {
          case SERVE -> answer(there, "at ", "ready ");
          case DEPLOY -> answer(there, "at ", "here ");
          case REMOVE -> answer(there, "gone ");
        };
    String rest = answer.substring(answer.indexOf(' ') + 1);
    if (answer.startsWith("gone ")) {
      view.tell(there.login() + ": copies of zcp that were removed: " + rest);
    } else if (answer.startsWith("here ")) {
      view.tell(there.login() + ": this zcp is there already: " + rest);
    } else if (answer.startsWith("at ")) {
      put(there, rest, task);
    }
  }

  private void put(RemoteEnd there, String place, Task task) throws IOException, Failure {
    if (task == Task.SERVE && when == When.ASK) {
      ByteSize size = new ByteSize(ZcpArchive.unpackedBytes(build.home()));
      view.tell(
          there.login()
              + ": no zcp there fits this one, which would take "
              + size
              + " in "
              + place);
      there.beUnhurried();
      if (!view.isAgreed("put this one on " + there.login() + "?")) {
        throw none(there);
      }
    }
    there.beUnhurried();
    ZcpArchive packed = archive == null ? ZcpArchive.of(build.home()) : ZcpArchive.ofFile(archive);
    sentBytes = 0;
    view.begin("zcp to " + there.login(), packed.bytes(), () -> sentBytes);
    try {
      send(there, packed);
      String answer = answer(there, "ready ");
      view.end();
      view.tell(there.login() + ": put zcp into " + answer.substring(answer.indexOf(' ') + 1));
    } finally {
      view.end();
    }
  }

  private void send(RemoteEnd there, ZcpArchive packed) throws IOException {
    there.say("go " + packed.bytes() + " " + packed.digest() + "\n");
    try {
      for (byte[] each : packed.pieces()) {
        for (int at = 0; at < each.length; at += PIECE_BYTES) {
          int bytes = Math.min(PIECE_BYTES, each.length - at);
          there.say(ByteBuffer.wrap(each, at, bytes));
          sentBytes += bytes;
        }
      }
    } catch (IOException e) {
      // It takes no more. What comes from there says why.
      there.endOutput();
    }
  }

  /// What the script answers, if it begins with one of `words`.
  private static String answer(RemoteEnd there, String... words) throws IOException, Failure {
    String answer = there.line();
    for (String each : words) {
      if (answer.startsWith(each)) {
        return answer;
      }
    }
    String[] parts = answer.split(" ", 3);
    if (parts.length == 3 && parts[0].equals("not") && parts[1].matches("[0-9]{1,3}")) {
      ExitCode code = ExitCode.ofNumber(Integer.parseInt(parts[1]));
      if (code != ExitCode.OK) {
        throw Failure.of(code, there.login(), parts[2]);
      }
    }
    throw Failure.of(ExitCode.PROTOCOL, there.login(), "the shell there says '" + answer + "'");
  }
}
