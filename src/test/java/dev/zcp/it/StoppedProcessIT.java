package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that was stopped says so, and does not blame a disk or the peer for it.
class StoppedProcessIT {

  private static final int BYTES = 24 << 20;
  private static final long STOPPED_MS = 400;

  private static final Pattern PAUSES =
      Pattern.compile(
          "\"pauses\":\\{\"count\":(\\d+),\"totalNs\":(\\d+),\"maxNs\":(\\d+),"
              + "\"samplesOverlapped\":(\\d+)}");

  @TempDir Path folder;

  @Test
  void aStopIsAPauseAndIsPartOfTheSamplesOfThatTime() throws Exception {
    Matcher pauses = PAUSES.matcher(send("--json").out());
    assertThat(pauses.find()).isTrue();
    assertThat(Long.parseLong(pauses.group(1))).isPositive();
    // Less the step in which it began.
    assertThat(Long.parseLong(pauses.group(3))).isGreaterThan((STOPPED_MS - 20) * 1_000_000);
    // The file at least was under way.
    assertThat(Long.parseLong(pauses.group(4))).isPositive();
  }

  @Test
  void theReportSaysHowLongTheProcessStoodStillAndWhatItUsed() throws Exception {
    assertThat(send("-v").err().replace('\n', ' '))
        .containsPattern("this process stood still for \\d.* in \\d+ pauses?, at most")
        .containsPattern("process: \\S+ [mµu]?s user, .* context switches: ")
        .contains("  corrected ");
  }

  /// What the program in place of ssh has started holds the pipes, too. It heeds no SIGTERM while
  /// it is stopped, and zcp waited for the end of the pipes for ever.
  @Test
  void whatIsStoppedBehindTheProgramInPlaceOfSshIsEnded() throws Exception {
    Path source = Files.write(folder.resolve("file"), new byte[BYTES]);
    Path inbox = Files.createDirectory(folder.resolve("inbox"));
    Path number = folder.resolve("number");
    Path program = folder.resolve("program");
    Files.writeString(
        program,
        """
        #!/bin/sh
        for command; do :; done
        sh -c "echo \\$\\$ > %s; exec $command"
        exit $?
        """
            .formatted(number));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    try (BuiltZcp copy =
        BuiltZcp.start(
            folder,
            "copy",
            "--stall-timeout=2s",
            "--limit-rate=4M",
            "--ssh=" + program,
            "--remote-command=" + BuiltZcp.LAUNCHER,
            source.toString(),
            "host:" + inbox + "/")) {
      copy.await("some of the file", () -> TreeContent.partialBytes(inbox) >= BYTES / 4);
      ProcessHandle other =
          ProcessHandle.of(Long.parseLong(Files.readString(number).strip())).get();
      try {
        Programs.run("kill", "-STOP", Long.toString(other.pid()));
        BuiltZcp.Ended ended = copy.end();
        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(5);
        assertThat(ended.err()).contains("zcp: host: stalled: the receiver made no progress");
        other.onExit().get(30, TimeUnit.SECONDS);
      } finally {
        other.destroyForcibly();
      }
    }
  }

  private BuiltZcp.Ended send(String option) throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[BYTES]);
    Path inbox = Files.createDirectory(folder.resolve("inbox"));
    try (BuiltZcp receiver =
            BuiltZcp.start(
                folder, "receive", "-q", "--once", "--listen=127.0.0.1:0", inbox.toString());
        BuiltZcp sender =
            BuiltZcp.start(
                folder,
                "send",
                option,
                "--limit-rate=8M",
                "127.0.0.1:" + receiver.port(),
                file.toString())) {
      sender.await("half of the file", () -> TreeContent.partialBytes(inbox) >= BYTES / 2);
      sender.signal("STOP");
      Thread.sleep(STOPPED_MS);
      sender.signal("CONT");
      BuiltZcp.Ended ended = sender.end();
      assertThat(ended.exitCode()).as(ended.err()).isZero();
      return ended;
    }
  }
}
