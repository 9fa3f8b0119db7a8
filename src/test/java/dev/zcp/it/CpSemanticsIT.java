package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The words that cp(1) takes, given to zcp and to the cp of the machine in two copies of one
/// scene: the same is there afterwards, and both say whether all went well.
///
/// A row has what is added to the scene, by a shell, and the words of the command.
class CpSemanticsIT {

  private static final long RUN_S_MAX = 60;

  /// All of it is of 2001, so that what a copy made or changed is told from what it kept.
  private static final String SCENE =
      """
      umask 022
      mkdir -p src/sub/deep src/void dst
      echo a > src/a
      echo b > src/sub/b
      echo c > src/sub/deep/c
      chmod 640 src/a
      chmod 4711 src/sub/b
      chmod 1750 src/sub
      ln src/a src/sub/hard
      ln -s a src/link
      ln -s sub src/to-sub
      ln -s src to-src
      echo file > file
      echo other > other
      """;

  private static final String AGE = "find . -depth -exec touch -h -d 2001-02-03 {} +";

  /// Name, kind, mode, links of what is no directory, where a link leads and the year; then what is
  /// in the files. A directory in which a file is replaced by another, and not written over, is of
  /// now, so the year of directories counts only in new trees.
  private static final String LIST =
      """
      find . -type d -printf '%P %y %m\\n' | sort
      test ! -e new || find new -type d -printf '%P %TY\\n' | sort
      find . ! -type d -printf '%P %y %m %n %l %TY\\n' | sort
      find . -type f -exec cksum {} + | sort -k 3
      """;

  @TempDir Path folder;

  @BeforeEach
  void requireCpOfGnu() {
    assumeTrue(
        Programs.succeeds("sh", "-c", "cp --version | grep -q GNU"), "cp is not that of GNU");
  }

  @ParameterizedTest(name = "cp {1} ({0})")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # Where a tree goes
          ''                            | -r src new
          ''                            | -a src new
          ''                            | -r src new/
          ''                            | -r src dst
          ''                            | -a src dst
          ''                            | -r src dst/
          ''                            | -r src/ new
          ''                            | -r src/ dst
          ''                            | -r src/. dst
          ''                            | -a src/. dst
          ''                            | -a src/. new
          ''                            | -a src/sub/.. new
          ''                            | -a src/sub/.. dst
          ''                            | -r ./src ./new
          ''                            | -r src/sub/../void new
          ''                            | -r src no/new
          ''                            | -R src new
          ln -s dst to-dst              | -r src to-dst
          ln -s dst to-dst              | -a src to-dst/
          ln -s none to-none            | -r src to-none
          # Several sources
          ''                            | -r src file dst
          ''                            | -a src file other dst
          ''                            | -r src file new
          ''                            | -r src/sub src/void file
          ''                            | -r src none dst
          ''                            | -r none src dst
          ''                            | none new
          ''                            | file other dst
          ''                            | file other
          ''                            | file new/
          ''                            | file dst
          # Directories without -r
          ''                            | src new
          ''                            | src file dst
          # Into what is there
          mkdir -p dst/src/sub; echo old > dst/src/a; echo more > dst/src/more       | -r src dst
          mkdir -p dst/src/sub; echo old > dst/src/a; echo more > dst/src/more       | -a src dst
          mkdir -p dst/src/sub; echo old > dst/src/a; chmod 600 dst/src/a            | -r src dst
          mkdir -m 700 dst/src                                                       | -r src dst
          mkdir -m 700 dst/src                                                       | -a src dst
          echo x > dst/src                                                           | -r src dst
          echo x > dst/src                                                           | -a src dst
          mkdir -p dst/src/a                                                         | -r src dst
          mkdir -p dst/src/a/x                                                       | -a src dst
          mkdir -p dst/src; echo x > dst/src/sub                                     | -a src dst
          mkdir -p dst/src; ln -s ../../src/void dst/src/sub                         | -a src dst
          mkdir -p dst/src; ln -s ../../none dst/src/sub                             | -r src dst
          mkdir -p dst/src; echo x > dst/src/link                                    | -r src dst
          mkdir -p dst/src; ln -s b dst/src/link                                     | -a src dst
          mkdir -p dst/src/link                                                      | -a src dst
          ''                                                                         | -r src file
          ''                                                                         | -a src file
          ''                                                                         | -r file/ new
          # Itself; see below
          ''                            | -r src/. src
          ''                            | file file
          ''                            | file ./file
          ''                            | -a file dst/../file
          ''                            | src/a src/sub/hard
          ''                            | -a src/a src/sub/hard
          ''                            | src/link src/a
          ''                            | -r src/sub src
          ''                            | -a src/a src
          # Links
          ''                            | -r to-src new
          ''                            | -r to-src/ new
          ''                            | -a to-src new
          ''                            | -a to-src dst
          ''                            | -rH to-src new
          ''                            | -rH src new
          ''                            | -rL to-src new
          ''                            | -rL src new
          ''                            | -aH to-src new
          ''                            | -rP to-src new
          ''                            | -P to-src new
          ''                            | -P src/link new
          ''                            | src/link new
          ''                            | -a src/link new
          ''                            | -r src/to-sub new
          ''                            | -r src/to-sub/ new
          ''                            | -rLP src new
          ''                            | -rPL src new
          ln -s none src/lost           | -r src new
          ln -s none src/lost           | -a src new
          ln -s none src/lost           | -rL src new
          ln -s none src/lost           | -L src/lost new
          ln -s none src/lost           | -H src/lost new
          ln -s loop src/loop           | -a src new
          ln -s loop src/loop           | -rL src new
          ln -s .. src/sub/up           | -a src new
          ln -s .. src/sub/up           | -rL src new
          # What is there is kept or not
          mkdir dst/src; echo old > dst/src/a                                        | -rn src dst
          mkdir -p dst/src/a                                                         | -rn src dst
          mkdir -p dst/file                                                          | --update file dst
          echo old > dst/file; touch -d 2000-01-01 dst/file                          | -u file dst
          echo old > dst/file; touch -d 2020-01-01 dst/file                          | -u file dst
          echo old > dst/file; chmod 400 dst/file                                    | file dst
          echo old > dst/file; chmod 400 dst/file                                    | -f file dst
          # Specials
          mkfifo src/pipe                                                            | -a src new
          mkfifo pipe                                                                | -a pipe new
          mkfifo -m 664 src/pipe                                                     | -r src new
          # One file by two names
          ln -s file to-file                                                         | -a to-file file
          ln -s file to-file                                                         | -P to-file file
          ln -s file to-file                                                         | -d to-file file
          ln -s file to-file                                                         | -r to-file file
          ln -s ../file dst/file                                                     | -a file dst
          mkdir dst/src; ln -s ../../src/a dst/src/a                                 | -a src dst
          ln -s file one; ln one two                                                 | -d one two
          ln -s file one                                                             | -d one one
          ln -s file to-file                                                         | -bd to-file file
          ln -s file to-file                                                         | -b to-file file
          ''                                                                         | -b file file
          cp file file~                                                              | --backup=simple file~ file
          # Into a link to a directory
          mkdir real; ln -s real ld                                                  | -aT src ld/
          # Two sources of one name
          mkdir -p x/d y/d; echo 1 > x/d/a; echo 2 > y/d/b                           | -a x/d y/d dst
          ''                                                                         | file file dst
          mkdir p q; echo 1 > p/f; echo 2 > q/f                                      | p/f q/f dst
          mkdir p q; echo 1 > p/f; echo 2 > q/f                                      | --backup=numbered p/f q/f dst
          # Names of one file
          ''                                                                         | -aL src new
          ''                                                                         | -rL --preserve=links src new
          # Modes
          chmod 600 file                                                             | --no-preserve=mode file new
          ''                                                                         | -r --no-preserve=mode src new
          ''                                                                         | -a --no-preserve=mode src new
          chmod -R a-w src                                                           | -a --no-preserve=mode src new
          setfacl -d -m u:1:rwx dst                                                  | file dst
          setfacl -d -m u:1:rwx dst                                                  | -r src dst
          # Links instead of copies
          ''                            | -l file new
          ''                            | -l file other
          ''                            | -lf file other
          ''                            | -l src/a src/sub/hard
          ''                            | -rl src new
          ''                            | -al src new
          ''                            | -l src/link new
          ''                            | -lP src/link new
          ''                            | -s file new
          ''                            | -s file other
          ''                            | -sf file other
          ''                            | -s file dst
          ''                            | -s file file
          ln -s file to-file            | -sf file to-file
          # Attributes, paths and what is in the way
          chmod 600 file                | --attributes-only file other
          chmod 600 file                | --attributes-only -p file other
          ''                            | --attributes-only file new
          ''                            | --attributes-only -P src/link file
          ln -s file to-file            | --attributes-only -p other to-file
          ''                            | --parents src/sub/b dst
          ''                            | -r --parents src/sub dst
          ''                            | -a --parents src/./sub//deep/ dst
          chmod 700 src                 | -p --parents src/sub/b src/a dst
          ''                            | --parents to-src/a dst
          ''                            | --parents file/x dst
          ''                            | --parents src/a new
          ''                            | --remove-destination src/a src/sub/hard
          ln -s file to-file            | --remove-destination file to-file
          ''                            | --remove-destination file file
          mkfifo pipe                   | --remove-destination file pipe
          # Words
          ''                            | -b file other
          echo 1 > other.~1~            | -b file other
          echo 1 > other.~1~            | --backup=simple file other
          ''                            | --backup=num file other
          ''                            | --backup=off file other
          ''                            | -b src/a src/sub/hard
          chmod 600 file; chmod 644 other                   | -b file other
          chmod 600 file; chmod 644 other                   | --remove-destination file other
          echo 1 > dst/file; setfacl -d -m u:1:rwx dst      | -b file dst
          ''                            | --sparse=always file new
          ''                            | --reflink=never file new
          ''                            | --attr file new
          # Names
          mkdir ./-d; echo x > ./-d/-f                                               | -r -- -d new
          mkdir "a b"; echo x > "a b/c  d"                                           | -r 'a b' new
          """)
  void itDoesWhatCpDoes(String more, String words) throws Exception {
    assumeTrue(
        !more.contains("setfacl") || Programs.isInstalled("setfacl"), "setfacl is not installed");
    Outcome cp = run("cp", more, words);
    Outcome zcp = run("zcp", more, words);
    assertThat(differences(cp, zcp)).as("zcp said: %s", zcp.said()).isEmpty();
  }

  /// Where zcp does something else, and on purpose. Were one of these gone, the README would be
  /// wrong.
  @ParameterizedTest(name = "cp {1} ({0}): {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ln -s file to-file               | other to-file    | a link is replaced, not written through
          mkdir dst/src; ln -s ../../file dst/src/a | -r src dst | a link is replaced, not written through
          ''                               | --parents src/sub dst | no directories are made for what is refused
          ''                               | -f --backup file file | the copy gets the name, the old file that of the backup
          mkdir dst/sub; echo x > src/sub/f; mknod dst/sub/f c 1 3 | -a src/sub dst | a device is replaced, not written to
          """)
  void itDiffersFromCpOnPurpose(String more, String words, String why) throws Exception {
    assumeTrue(!more.contains("mknod") || Programs.isRoot(), "only root makes devices");
    Outcome cp = run("cp", more, words);
    Outcome zcp = run("zcp", more, words);
    assertThat(differences(cp, zcp)).as(why).isNotEmpty();
  }

  /// Where cp finds out only when it has made something.
  @ParameterizedTest(name = "cp {0}")
  @ValueSource(
      strings = {
        "-r src src",
        "-r src src/new",
        "-a src src/sub",
        "-a src src/sub/new",
        "-r src/. src/sub",
        "-r . dst",
        "-r src to-src",
        "-r src to-src/new"
      })
  void aCopyIntoItselfIsRefusedBeforeAnythingIsMade(String words) throws Exception {
    Outcome before = run("true", "''", words);
    Outcome zcp = run("zcp", "''", words);
    assertThat(differences(before, zcp))
        .as("zcp said: %s", zcp.said())
        .containsExactly("cp  succeeds", "zcp fails");
    assertThat(run("cp", "''", words).lines()).contains("fails");
  }

  /// @param lines what is there afterwards, and whether the tool says that all went well
  private record Outcome(List<String> lines, String said) {}

  /// What one of them has and the other has not.
  private static List<String> differences(Outcome cp, Outcome zcp) {
    List<String> differences = new ArrayList<>();
    for (String line : cp.lines()) {
      if (!zcp.lines().contains(line)) {
        differences.add("cp  " + line);
      }
    }
    for (String line : zcp.lines()) {
      if (!cp.lines().contains(line)) {
        differences.add("zcp " + line);
      }
    }
    return differences;
  }

  /// What is in the scene after one of the two has run there.
  private Outcome run(String tool, String more, String words) throws Exception {
    Path place = Files.createDirectory(folder.resolve(tool));
    String added = more.equals("''") ? "" : more;
    assertThat(sh(place, "set -e\n" + SCENE + added + "\n" + AGE)).as("the scene").isZero();
    String program = tool.equals("zcp") ? BuiltZcp.LAUNCHER + " copy -q" : tool;
    int code = sh(place, "exec 2> ../" + tool + ".err; " + program + " " + words);
    Path list = folder.resolve(tool + ".list");
    sh(place, "exec > " + list + "\n" + LIST);
    List<String> lines = new ArrayList<>(Files.readAllLines(list, StandardCharsets.ISO_8859_1));
    lines.add(code == 0 ? "succeeds" : "fails");
    return new Outcome(lines, Files.readString(folder.resolve(tool + ".err")));
  }

  private static int sh(Path place, String script) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", script)
            .directory(place.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    BuiltZcp.forgetSettings(builder.environment());
    Process process = builder.start();
    process.getOutputStream().close();
    if (!process.waitFor(RUN_S_MAX, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("did not end: " + script);
    }
    return process.exitValue();
  }
}
