package dev.zcp.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The files of `examples/` that no other test runs.
class ExamplesTest {

  private static final Path KUBERNETES = Path.of("examples/kubernetes");

  @ParameterizedTest
  @ValueSource(strings = {"plan", "shards", "finish"})
  void aManifestIsValid(String name) throws IOException {
    // It has the schemas of Kubernetes with it.
    Programs.run("kubernetes-validate", "--strict", KUBERNETES.resolve(name + ".yaml").toString());
  }

  @Test
  void theJobsHaveAsManyShardsAsThePlanAndTheVolumesThatTheyMount() throws IOException {
    String shards = read("shards");
    assertThat(only(read("plan"), "--shards=(\\d+)"))
        .isEqualTo(only(shards, "completions: (\\d+)"));
    assertThat(shards)
        .contains("\n  completionMode: Indexed\n", "\n      restartPolicy: Never\n")
        .contains("--shard=\"/plan/photos/$JOB_COMPLETION_INDEX\" /target/photos");
    for (String name : List.of("plan", "shards", "finish")) {
      String text = read(name);
      List<String> mounted = all(text, "            - name: (\\w+)");
      assertThat(mounted).contains("plan").isEqualTo(all(text, "\n        - name: (\\w+)\n +pers"));
      assertThat(mounted).isEqualTo(all(text, "claimName: (\\w+)"));
      assertThat(mounted).isEqualTo(all(text, "mountPath: /(\\w+)"));
    }
  }

  @Test
  void theOptionsInTheExamplesAreThoseThatThereAre() throws IOException {
    int commands = 0;
    try (Stream<Path> files = Files.walk(Path.of("examples"))) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        for (String words :
            all(Files.readString(file), "(?:exec |\\(|  |\n)zcp( [a-z][^;|&)\n`]*)")) {
          String typed = words.replaceAll("[\"$]", "") + " --help";
          assertThat(Cli.run(typed.strip().split(" +")))
              .as(file + ":" + typed)
              .returns(0, Cli.Result::exitCode);
          commands++;
        }
      }
    }
    assertThat(commands).isGreaterThanOrEqualTo(6);
  }

  private static String read(String name) throws IOException {
    return Files.readString(KUBERNETES.resolve(name + ".yaml"));
  }

  private static String only(String text, String pattern) {
    List<String> all = all(text, pattern);
    assertThat(all).as(pattern).hasSize(1);
    return all.getFirst();
  }

  private static List<String> all(String text, String pattern) {
    return Pattern.compile(pattern).matcher(text).results().map(ExamplesTest::first).toList();
  }

  private static String first(MatchResult result) {
    return result.group(1);
  }
}
