package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Hearing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What nobody reads for a while holds up no transfer, and is read in full afterwards. The readers
/// are as `| less` and a terminal after Ctrl-S: there, and in no hurry.
class UnreadOutputIT extends Scenes {

  private static final int FILES = 2_000;

  /// The sender of fewer has sent all before it hears of the first.
  private static final int FILES_OF_SESSION = 12_000;

  /// `await DIR N` waits until a directory has so many entries, and says so if it has got no more
  /// for 20 seconds. `read_late DIR N` reads after that. `zcp` says how it ended.
  private static final String SHELL =
      """
      await() {
        had=0 waited=0
        while test $waited -lt 200; do
          has=$(ls $1 | wc -l)
          test $has -ge $2 && return
          if test $has -gt $had; then waited=0; else waited=$((waited + 1)); fi
          had=$has
          sleep 0.1
        done
        echo "held up at $has"
      }
      read_late() { await $1 $2; sleep 2; cat > said; }
      zcp() { "$ZCP" "$@"; echo "ended: $?"; }
      there="--rsh=$PWD/rsh --remote-command=$ZCP"
      """;

  @BeforeEach
  void makeTheShell() throws IOException {
    Path shell = Files.writeString(folder.resolve("rsh"), "#!/bin/sh\nshift\nexec sh -c \"$*\"\n");
    shell.toFile().setExecutable(true);
    Files.createDirectory(folder.resolve("t"));
  }

  @Test
  void namesOnStandardOutputHoldUpNoCopy() throws Exception {
    makeFiles(FILES);
    assertThat(script(SHELL + "zcp copy -qav s/. t | read_late t %d".formatted(FILES))).isEmpty();
    assertThat(said().getLast()).isEqualTo("ended: 0");
    assertThat(said().stream().distinct().filter(line -> line.contains("' -> 't/"))).hasSize(FILES);
  }

  @Test
  void messagesOnStandardErrorHoldUpNoCopyAndKeepTheirOrder() throws Exception {
    Files.writeString(folder.resolve("last"), "");
    String missing = "$(seq -f missing-" + "x".repeat(100) + "%04g " + FILES + ")";
    assertThat(script(SHELL + "zcp copy " + missing + " last t 2>&1 | read_late t 1")).isEmpty();
    List<String> said = said();
    assertThat(said).hasSize(FILES + 2).element(FILES).asString().startsWith("copied 1 file, 0 B");
    assertThat(said.getLast()).isEqualTo("ended: 1");
    assertThat(said.subList(0, FILES)).isSorted().allMatch(line -> line.startsWith("zcp: missing"));
  }

  @Test
  void whatIsToldOfFilesEndsNoSession() throws Exception {
    makeFiles(FILES_OF_SESSION);
    String send = "zcp send -av --stall-timeout=1s $there there:$PWD/t s/. 2>&1";
    assertThat(script(SHELL + send + " | read_late t " + FILES_OF_SESSION)).isEmpty();
    assertThat(said().getLast()).isEqualTo("ended: 0");
    assertThat(said().stream().filter(line -> line.contains("xxx"))).hasSize(FILES_OF_SESSION);
  }

  @Test
  void eventsForAProgramEndNoSession() throws Exception {
    makeFiles(FILES);
    String receive = "zcp receive -q --json --stall-timeout=1s $there there:$PWD/s/. t";
    assertThat(script(SHELL + receive + " | read_late t " + FILES)).isEmpty();
    List<String> said = said();
    assertThat(said.getLast()).isEqualTo("ended: 0");
    assertThat(said.get(said.size() - 2)).startsWith("{\"event\":\"result\"");
    assertThat(said.stream().filter(line -> line.startsWith("{\"event\":\"file\""))).hasSize(FILES);
  }

  @Test
  void whatTheOtherEndSaysOfItsFilesEndsNoSession() throws Exception {
    Path source = Files.createDirectory(folder.resolve("s"));
    for (int i = 0; i < FILES; i++) {
      Files.createSymbolicLink(source.resolve(name(i)), Path.of("missing"));
    }
    Files.writeString(source.resolve("z"), "");
    String copy = "zcp copy -qrL $there there:$PWD/s/. t 2>&1";
    assertThat(script(SHELL + copy + " | read_late t 1")).isEmpty();
    List<String> said = said();
    assertThat(said.getLast()).isEqualTo("ended: 1");
    // The receiver names the first once more.
    String ofFile = "zcp: " + source;
    assertThat(said.stream().filter(line -> line.startsWith(ofFile))).hasSize(FILES);
  }

  @Test
  void aQuestionComesAfterWhatWasPrinted() throws Exception {
    makeFiles(FILES);
    Files.writeString(folder.resolve("a"), "new");
    Files.writeString(folder.resolve("t/a"), "old");
    String copy = "echo y | zcp copy -qvi -j1 s/* a t 2>&1";
    assertThat(script(SHELL + copy + " | read_late t " + (FILES + 1))).isEmpty();
    List<String> said = said();
    assertThat(said).hasSize(FILES + 3);
    assertThat(said.subList(0, FILES)).allMatch(line -> line.startsWith("'s/"));
    assertThat(said.subList(FILES, FILES + 3))
        .containsExactly("zcp: replace t/a? (y/n)", "'a' -> 't/a'", "ended: 0");
    assertThat(folder.resolve("t/a")).hasContent("new");
  }

  @Test
  void aSignalEndsACopyWhoseReaderNeverReads() throws Exception {
    Hearing.assume();
    makeFiles(FILES);
    assertThat(script(SHELL + interrupted("copy -qav s/. t", "await t " + FILES)))
        .isEqualTo("in time\nended: 130\n");
  }

  @Test
  void aSignalEndsACopyBetweenOtherMachinesWhoseReaderNeverReads() throws Exception {
    Hearing.assume();
    makeFiles(FILES);
    String copy = "copy -av $there --relay one:$PWD/s/. two:$PWD/t";
    assertThat(script(SHELL + interrupted(copy, "await t 1; sleep 3")))
        .isEqualTo("in time\nended: 130\n");
  }

  @Test
  void whoReadsWhenASignalComesMissesNothing() throws Exception {
    Hearing.assume();
    makeFiles(FILES);
    String text =
        SHELL
            + """
            mkfifo pipe; sh -c 'until test -e go; do sleep 0.1; done; cat > said' < pipe &
            exec 3> pipe
            %s "$ZCP" copy -qav s/. t >&3 2>&3 & zcp=$!
            exec 3>&-
            await t %d; sleep 1; (sleep 0.5; touch go) & kill -INT $zcp; wait $zcp; echo "ended: $?"
            wait
            """
                .formatted(String.join(" ", Hearing.PREFIX), FILES);
    assertThat(script(text)).isEqualTo("ended: 130\n");
    assertThat(said().stream().filter(line -> line.contains("' -> 't/"))).hasSize(FILES);
  }

  /// Interrupts a command whose output goes to a pipe that nobody reads.
  private static String interrupted(String command, String when) {
    return """
    mkfifo pipe; sleep 50 < pipe > /dev/null 2>&1 &
    exec 3> pipe
    %s "$ZCP" %s >&3 2>&3 & zcp=$!
    exec 3>&-
    %s
    (sleep 10; touch late) > /dev/null 2>&1 &
    kill -INT $zcp; wait $zcp; ended=$?
    test -e late || echo in time
    echo "ended: $ended"
    """
        .formatted(String.join(" ", Hearing.PREFIX), command, when);
  }

  private void makeFiles(int files) throws IOException {
    Path source = Files.createDirectory(folder.resolve("s"));
    for (int i = 0; i < files; i++) {
      Files.writeString(source.resolve(name(i)), "");
    }
  }

  /// Long, so that few fill a pipe.
  private static String name(int number) {
    return "%05d-%s".formatted(number, "x".repeat(100));
  }

  private List<String> said() throws IOException {
    return Files.readAllLines(folder.resolve("said"));
  }
}
