package dev.zcp.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The committed scripts, driven by the real shells.
class CompletionTest {

  private static final Path SCRIPTS = Path.of("completions").toAbsolutePath();

  private static final String BASH =
      """
      bind 'set enable-bracketed-paste off'
      bind -x '"\\C-t": printf "%s\\n" "$READLINE_LINE" > "$LINE"'
      bind '"\\C-xa": insert-completions'
      """;

  private static final String ZSH =
      """
      unset zle_bracketed_paste
      bindkey -e
      write-line() { print -r -- "$BUFFER" > $LINE }
      zle -N write-line
      bindkey '^T' write-line
      zle -C all-matches complete-word _generic
      bindkey '^Xa' all-matches
      zstyle ':completion:all-matches:*' completer _all_matches _complete
      zstyle ':completion:all-matches:*' insert yes
      """;

  @TempDir Path dir;

  @BeforeEach
  void someFiles() throws IOException {
    Files.createFile(dir.resolve("notes.txt"));
    Files.createFile(dir.resolve("with space.txt"));
    Files.createDirectory(dir.resolve("inbox"));
  }

  @Test
  void bashCompletesCommandsOptionsValuesAndFiles() throws Exception {
    Programs.assume("bash", "script");
    try (Terminal bash = bash("source " + SCRIPTS + "/zcp.bash")) {
      assertThat(bash.after("zcp co\t")).isEqualTo("zcp co");
      assertThat(bash.after("zcp cop\t")).isEqualTo("zcp copy");
      assertThat(bash.after("zcp help rec\t")).isEqualTo("zcp help receive");
      assertThat(words(bash.after("zcp c\u0018a"))).containsExactly("completion", "config", "copy");
      assertThat(bash.after("zcp copy --stra\t")).isEqualTo("zcp copy --strategy");
      assertThat(bash.after("zcp copy --chu\t64K")).isEqualTo("zcp copy --chunk-size=64K");
      assertThat(bash.after("zcp copy --no-cl\ta")).isEqualTo("zcp copy --no-clobber a");
      assertThat(bash.after("zcp copy --preserve=mo\t,ti\t"))
          .isEqualTo("zcp copy --preserve=mode,times");
      assertThat(bash.after("zcp copy --no-preserve ow\t"))
          .isEqualTo("zcp copy --no-preserve owner");
      assertThat(bash.after("zcp copy --backup=nu\ta")).isEqualTo("zcp copy --backup=numbered a");
      assertThat(bash.after("zcp copy --backup no\t")).isEqualTo("zcp copy --backup notes.txt");
      assertThat(bash.after("zcp copy --exclude-from no\t"))
          .isEqualTo("zcp copy --exclude-from notes.txt");
      assertThat(bash.after("zcp copy --files-from=no\t"))
          .isEqualTo("zcp copy --files-from=notes.txt");
      assertThat(bash.after("zcp copy --manifest=no\t")).isEqualTo("zcp copy --manifest=notes.txt");
      assertThat(bash.after("zcp copy -t i\t")).isEqualTo("zcp copy -t inbox/");
      assertThat(bash.after("zcp copy --verify=me\t")).isEqualTo("zcp copy --verify=media");
      assertThat(bash.after("zcp copy --strategy=mm\t")).isEqualTo("zcp copy --strategy=mmap");
      assertThat(bash.after("zcp copy --strategy mm\t")).isEqualTo("zcp copy --strategy mmap");
      assertThat(bash.after("zcp copy --strategy=tr\ta"))
          .isEqualTo("zcp copy --strategy=transferTo a");
      assertThat(bash.after("zcp copy --strategy=\u0018a")).contains("auto", "mmap", "splice");
      assertThat(bash.after("zcp copy --strategy \u0018a")).contains("auto", "mmap", "splice");
      assertThat(bash.after("zcp send --progress=al\t")).isEqualTo("zcp send --progress=always");
      assertThat(bash.after("zcp copy no\t")).isEqualTo("zcp copy notes.txt");
      assertThat(bash.after("zcp copy wi\t")).isEqualTo("zcp copy with\\ space.txt");
      assertThat(bash.after("zcp copy --histogram=no\t"))
          .isEqualTo("zcp copy --histogram=notes.txt");
      assertThat(bash.after("zcp copy -- no\t")).isEqualTo("zcp copy -- notes.txt");
      assertThat(bash.after("zcp receive i\t")).isEqualTo("zcp receive inbox/");
      assertThat(bash.after("zcp receive no\t")).isEqualTo("zcp receive no");
      assertThat(bash.after("zcp completion f\t")).isEqualTo("zcp completion fish");
      assertThat(bash.after("zcp bench co\t")).isEqualTo("zcp bench copy");
      assertThat(bash.after("zcp bench read wr\t")).isEqualTo("zcp bench read write");
      assertThat(bash.after("zcp bench --strategy=mappedO\t"))
          .isEqualTo("zcp bench --strategy=mappedOnce");
      assertThat(bash.after("zcp bench --article=\u0018a")).contains("A1", "E", "all");
      assertThat(bash.after("zcp bench --dir=i\t")).isEqualTo("zcp bench --dir=inbox/");
      assertThat(bash.after("zcp bench --html=no\t")).isEqualTo("zcp bench --html=notes.txt");
      assertThat(bash.after("zcp send 127.0.0.1:5230 no\t"))
          .isEqualTo("zcp send 127.0.0.1:5230 notes.txt");
    }
  }

  @Test
  void bashCompletesWhereTheEqualsSignEndsNoWord() throws Exception {
    Programs.assume("bash", "script");
    String setup = "source " + SCRIPTS + "/zcp.bash\nCOMP_WORDBREAKS=${COMP_WORDBREAKS//=}";
    try (Terminal bash = bash(setup)) {
      assertThat(bash.after("zcp copy --strategy=mm\t")).isEqualTo("zcp copy --strategy=mmap");
      assertThat(bash.after("zcp copy --histogram=no\t"))
          .isEqualTo("zcp copy --histogram=notes.txt");
    }
  }

  @Test
  void bashTakesTheScriptThatTheProgramPrints() throws Exception {
    Programs.assume("bash", "script");
    Cli.Result printed = Cli.run("completion", "bash");
    assertThat(printed.out()).isEqualTo(Files.readString(SCRIPTS.resolve("zcp.bash")));
    Files.writeString(dir.resolve("printed"), printed.out());
    try (Terminal bash = bash("source ./printed")) {
      assertThat(bash.after("zcp cop\t")).isEqualTo("zcp copy");
    }
  }

  @Test
  void zshCompletesCommandsOptionsValuesAndFiles() throws Exception {
    Programs.assume("zsh", "script");
    String setup = "fpath=(" + SCRIPTS + " $fpath)\nautoload -Uz compinit\ncompinit -u -D\n" + ZSH;
    try (Terminal zsh = terminal("zsh -f -i", setup)) {
      assertThat(zsh.after("zcp cop\t")).isEqualTo("zcp copy");
      assertThat(words(zsh.after("zcp c\u0018a"))).contains("completion", "copy");
      assertThat(zsh.after("zcp help rec\t")).isEqualTo("zcp help receive");
      assertThat(zsh.after("zcp copy --stra\t")).startsWith("zcp copy --strategy");
      assertThat(zsh.after("zcp copy --strategy=mm\t")).isEqualTo("zcp copy --strategy=mmap");
      assertThat(zsh.after("zcp copy --strategy mm\t")).isEqualTo("zcp copy --strategy mmap");
      assertThat(zsh.after("zcp copy --strategy=\u0018a")).contains("auto", "mmap", "splice");
      assertThat(zsh.after("zcp copy no\t")).isEqualTo("zcp copy notes.txt");
      assertThat(zsh.after("zcp copy -q wi\t")).isEqualTo("zcp copy -q with\\ space.txt");
      assertThat(zsh.after("zcp copy --histogram=no\t"))
          .isEqualTo("zcp copy --histogram=notes.txt");
      assertThat(zsh.after("zcp copy --preserve=mo\t,ti\t"))
          .startsWith("zcp copy --preserve=mode,times");
      assertThat(zsh.after("zcp copy --backup=nu\t")).isEqualTo("zcp copy --backup=numbered");
      assertThat(zsh.after("zcp copy --backup no\t")).isEqualTo("zcp copy --backup notes.txt");
      assertThat(zsh.after("zcp copy --exclude=a --exclude-from=no\t"))
          .isEqualTo("zcp copy --exclude=a --exclude-from=notes.txt");
      assertThat(zsh.after("zcp copy -t i\t")).isEqualTo("zcp copy -t inbox/");
      // Not "no": where no directory fits, zsh offers files after all.
      assertThat(zsh.after("zcp receive \t")).isEqualTo("zcp receive inbox/");
      assertThat(zsh.after("zcp completion f\t")).isEqualTo("zcp completion fish");
      assertThat(zsh.after("zcp bench read wr\t")).isEqualTo("zcp bench read write");
      assertThat(zsh.after("zcp bench --content=ho\t")).isEqualTo("zcp bench --content=holes");
      assertThat(zsh.after("zcp bench --html=no\t")).isEqualTo("zcp bench --html=notes.txt");
    }
  }

  @Test
  void zshTakesTheScriptWhenItIsSourced() throws Exception {
    Programs.assume("zsh", "script");
    String setup = "autoload -Uz compinit\ncompinit -u -D\nsource " + SCRIPTS + "/_zcp\n" + ZSH;
    try (Terminal zsh = terminal("zsh -f -i", setup)) {
      assertThat(zsh.after("zcp copy --strategy=mm\t")).isEqualTo("zcp copy --strategy=mmap");
    }
  }

  @Test
  void fishCompletesCommandsOptionsValuesAndFiles() throws Exception {
    Programs.assume("fish");
    assertThat(fish("zcp c")).containsExactlyInAnyOrder("completion", "config", "copy");
    assertThat(fish("zcp help rec")).containsExactly("receive");
    assertThat(fish("zcp copy --stra")).containsExactlyInAnyOrder("--strategy", "--strategy-path");
    assertThat(fish("zcp copy --strategy=mm")).containsExactly("--strategy=mmap");
    assertThat(fish("zcp copy --strategy ")).contains("auto", "mmap", "splice");
    assertThat(fish("zcp copy no")).containsExactly("notes.txt");
    assertThat(fish("zcp copy --histogram=no")).containsExactly("--histogram=notes.txt");
    assertThat(fish("zcp copy --preserve=mode,ti")).containsExactly("--preserve=mode,times");
    assertThat(fish("zcp copy --no-preserve mode,ti")).containsExactly("mode,times");
    assertThat(fish("zcp copy --backup=nu")).containsExactly("--backup=numbered");
    assertThat(fish("zcp copy --backup no")).containsExactly("notes.txt");
    assertThat(fish("zcp copy --files-from no")).containsExactly("notes.txt");
    assertThat(fish("zcp copy -t i")).containsExactly("inbox/");
    assertThat(fish("zcp receive i")).containsExactly("inbox/");
    assertThat(fish("zcp receive no")).isEmpty();
    assertThat(fish("zcp completion ")).containsExactlyInAnyOrder("bash", "zsh", "fish");
    assertThat(fish("zcp copy copy --onc")).as("an option of receive").isEmpty();
    assertThat(fish("zcp bench co")).containsExactly("copy");
    assertThat(fish("zcp bench --cache=c")).containsExactly("--cache=cold");
    assertThat(fish("zcp bench --article ")).contains("A1", "E", "all");
  }

  private Terminal bash(String setup) throws Exception {
    return terminal("bash --norc --noprofile -i", BASH + setup);
  }

  private Terminal terminal(String shell, String setup) throws Exception {
    return new Terminal(shell, dir, Map.of("INPUTRC", "/dev/null"), setup);
  }

  /// The candidates that fish shows for a line, without their descriptions.
  private List<String> fish(String line) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                "fish",
                "--no-config",
                "-c",
                "source $argv[1]; complete -C $argv[2]",
                SCRIPTS.resolve("zcp.fish").toString(),
                line)
            .directory(dir.toFile())
            .redirectErrorStream(true);
    builder.environment().put("HOME", dir.toString());
    Process process = builder.start();
    process.getOutputStream().close();
    String shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(shown).isZero();
    return shown.lines().map(candidate -> candidate.replaceAll("\t.*", "")).toList();
  }

  private static List<String> words(String line) {
    return List.of(line.substring("zcp ".length()).split(" "));
  }
}
