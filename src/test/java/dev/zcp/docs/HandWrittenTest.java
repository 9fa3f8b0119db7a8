package dev.zcp.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.cli.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HandWrittenTest {

  @Test
  void everyFileBelongsToAPage() throws IOException {
    List<String> pages =
        Commands.all().stream().map(command -> Docs.page(command) + ".md").toList();
    try (Stream<Path> files = Files.list(HandWritten.FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString())).isNotEmpty().isSubsetOf(pages);
    }
  }

  @Test
  void markdownBecomesRoff() {
    String markdown =
        """
        # Title

        ## FILES

        One `-a` here. Two
        there.

        - first
          of two
        - second

        ```
        tar c | x
        ```

        ## NOTES

        ### Part

        | word | meaning |
        |---|---|
        | `a`, `b` | both |

        | n | one | two |
        |---|---|---|
        | `x` | yes | |
        """;
    assertThat(HandWritten.sectionsOf(markdown))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "FILES",
                """
                One \\fB\\-a\\fR here.
                Two there.
                .IP \\(bu 2
                first of two
                .IP \\(bu 2
                second
                .PP
                .nf
                tar c | x
                .fi
                """,
                "NOTES",
                """
                .SS Part
                .TP
                \\fBa\\fR, \\fBb\\fR
                both
                .PP
                .nf
                n  one  two
                x  yes
                .fi
                """));
  }

  @Test
  void aTableThatNoTerminalShowsIsRefused() {
    String wide = "x".repeat(HandWritten.TABLE_COLUMNS_MAX);
    assertThatThrownBy(
            () ->
                HandWritten.sectionsOf(
                    "## A\n\n| a | b | c |\n|---|---|---|\n| " + wide + " | b | c |"))
        .hasMessageContaining("wider than");
  }
}
