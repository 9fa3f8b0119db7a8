package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `zcp plan SOURCE --shards=N --output=DIR`.
class PlanTest {

  @TempDir Path dir;

  private Path source;
  private Path plan;

  @BeforeEach
  void makeSource() throws IOException {
    source = Files.createDirectory(dir.resolve("source"));
    plan = dir.resolve("plan");
  }

  @Test
  void eachEntryIsInOneShardWhateverItsNameAndDirectoriesOnlyIfTheyAreEmpty() throws IOException {
    Files.createDirectories(source.resolve("empty/deep"));
    Files.createDirectories(source.resolve("full"));
    Files.writeString(source.resolve("full/a\nb"), "x");
    Files.writeString(source.resolve("c"), "y");
    Files.createSymbolicLink(source.resolve("full/link"), Path.of("nowhere"));
    Cli.Result result = plan(3);
    assertThat(result).isEqualTo(new Cli.Result(0, "", result.err()));
    assertThat(result.err()).startsWith(plan + ": 3 shards of 4 entries, 2 B; the largest is ");
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.addAll(names(Integer.toString(i)));
    }
    assertThat(all).containsExactlyInAnyOrder("empty/deep", "full/a\nb", "c", "full/link");
    assertThat(names("directories")).containsExactlyInAnyOrder("empty", "empty/deep", "full");
    assertThat(files(plan)).containsExactly("0", "1", "2", "directories", "plan.json");
  }

  @Test
  void shardsTakeEquallyLongByBytesAndByFiles() throws IOException {
    for (int i = 0; i < 3; i++) {
      file("large" + i, 1 << 30);
    }
    file("medium", 1 << 29);
    for (int i = 0; i < 6000; i++) {
      file("d" + i % 50 + "/" + i, 0);
    }
    // A second for each GiB and 100 microseconds for each file: 4.1 s in all.
    assertThat(plan(4, "--rate=1G").err()).contains("the largest is 1.0");
    for (int i = 0; i < 4; i++) {
      long large = names("" + i).stream().filter(name -> name.startsWith("large")).count();
      assertThat(large).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void directoriesStayTogetherAsFarAsTheyCan() throws IOException {
    for (int i = 0; i < 1000; i++) {
      file("d" + i % 20 + "/" + i, 10);
    }
    plan(4);
    int parts = 0;
    for (int i = 0; i < 4; i++) {
      parts +=
          (int) names("" + i).stream().map(name -> Path.of(name).getParent()).distinct().count();
    }
    assertThat(parts).isLessThanOrEqualTo(20 + 3);
  }

  @Test
  void allNamesOfAFileAreInOneShard() throws IOException {
    for (int i = 0; i < 40; i++) {
      file("a/" + i, 1000);
      Files.createDirectories(source.resolve("b"));
      Files.createLink(source.resolve("b/" + i), source.resolve("a/" + i));
    }
    assertThat(plan(4).err()).contains("80 entries, 39.1 KiB; the largest is 1.0");
    for (int i = 0; i < 4; i++) {
      List<String> names = names("" + i);
      assertThat(names).hasSizeBetween(18, 22);
      for (String name : names) {
        assertThat(names).contains("a/" + name.substring(2), "b/" + name.substring(2));
      }
    }
  }

  @Test
  void anEmptyTreeHasAPlanWithEmptyShards() throws IOException {
    assertThat(plan(2).exitCode()).isZero();
    assertThat(names("0")).isEmpty();
    assertThat(names("1")).isEmpty();
  }

  @Test
  void aPlanIsMadeInAnEmptyDirectoryAndInNoOther() throws IOException {
    file("one", 1);
    Files.createDirectory(plan);
    assertThat(plan(1).exitCode()).isZero();
    byte[] before = Files.readAllBytes(plan.resolve("plan.json"));
    Cli.Result again = plan(2);
    assertThat(again.exitCode()).isEqualTo(9);
    assertThat(again.err())
        .isEqualTo(
            "zcp: "
                + plan
                + ": exists, and is no empty directory (it is unharmed; plan into another one)\n");
    assertThat(plan.resolve("plan.json")).hasBinaryContent(before);
  }

  @Test
  void aPlanThatFailsLeavesNothing() throws IOException {
    Cli.Result result =
        Cli.run("plan", source.resolve("none") + "", "--shards=1", "--output=" + plan);
    assertThat(result.exitCode()).isEqualTo(3);
    Path file = Files.writeString(dir.resolve("file"), "");
    assertThat(Cli.run("plan", file + "", "--shards=1", "--output=" + plan).err())
        .isEqualTo("zcp: " + file + ": not a directory (a plan is for a tree)\n");
    assertThat(files(dir)).containsExactly("file", "source");
    Cli.Result inside = Cli.run("plan", source + "", "--shards=1", "--output=" + source + "/p");
    assertThat(inside.exitCode()).isEqualTo(2);
    assertThat(files(source)).isEmpty();
  }

  private Cli.Result plan(int shards, String... more) {
    List<String> words = new ArrayList<>(List.of("plan", source.toString()));
    words.addAll(List.of("--shards=" + shards, "--output=" + plan));
    words.addAll(List.of(more));
    return Cli.run(words.toArray(String[]::new));
  }

  private void file(String name, long bytes) throws IOException {
    Files.createDirectories(source.resolve(name).getParent());
    try (RandomAccessFile file = new RandomAccessFile(source.resolve(name).toFile(), "rw")) {
      file.setLength(bytes);
    }
  }

  private List<String> names(String list) throws IOException {
    String text = new String(Files.readAllBytes(plan.resolve(list)), StandardCharsets.UTF_8);
    assertThat(text).matches("(?s)(.*\0)?\0");
    return List.of(text.split("\0"));
  }

  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> listing = Files.list(directory)) {
      return listing.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }
}
