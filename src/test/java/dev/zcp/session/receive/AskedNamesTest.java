package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Name;
import dev.zcp.session.Admission;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Offered;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A sender that was asked for certain files gives no others (CVE-2019-6111 of scp).
class AskedNamesTest {

  @TempDir Path dir;

  private static final Set<Name> ASKED =
      Set.of(Name.of("asked".getBytes(StandardCharsets.US_ASCII)));

  private final Offers offers = new Offers();

  @Test
  void onlyWhatWasAskedForIsTaken() throws Exception {
    Admission admission = Inbox.admission(Existing.REPLACE, Keep.ALL).of(ASKED, true);
    try (Inbox inbox = new Inbox(dir);
        TestPlace place = inbox.unadmitted(admission)) {
      place.admit(Offers.ANYTHING);
      Answer other = place.consider(offers.file(".bashrc", new byte[1]));
      assertThat(other.kind()).isEqualTo(Answer.AnswerKind.FAILED);
      assertThat(other.exitCode()).isEqualTo(ExitCode.PROTOCOL);
      Answer below = place.consider(offers.file("other/asked", new byte[1]));
      assertThat(below.kind()).isEqualTo(Answer.AnswerKind.FAILED);
      assertThat(place.consider(offers.link("link", "asked")).kind())
          .isEqualTo(Answer.AnswerKind.FAILED);
      assertThat(place.consider(offers.directory("")).kind()).isEqualTo(Answer.AnswerKind.FAILED);
      assertThat(inbox.names()).isEmpty();
      Offered asked = offers.directory("asked");
      assertThat(place.consider(asked).kind()).isEqualTo(Answer.AnswerKind.NEW);
      assertThat(place.consider(offers.link("asked/link", "x")).kind())
          .isEqualTo(Answer.AnswerKind.MADE);
      assertThat(inbox.names()).containsExactly("asked", "asked/link");
      assertThat(Files.isDirectory(dir.resolve("asked"))).isTrue();
    }
  }

  @Test
  void whoAskedForAFileIsGivenNoTree() throws Exception {
    for (Set<Name> names : Arrays.asList(ASKED, null)) {
      Admission admission = Inbox.admission(Existing.REPLACE, Keep.ALL).of(names, false);
      try (Inbox inbox = new Inbox(dir);
          TestPlace place = inbox.unadmitted(admission)) {
        place.admit(Offers.ANYTHING);
        for (Offered each :
            List.of(
                offers.directory(""),
                offers.directory("asked"),
                offers.file("asked/file", new byte[1]))) {
          Answer answer = place.consider(each);
          assertThat(answer.kind()).isEqualTo(Answer.AnswerKind.FAILED);
          assertThat(answer.exitCode()).isEqualTo(ExitCode.PROTOCOL);
        }
        assertThat(inbox.names()).isEmpty();
        assertThat(place.consider(offers.file("asked", new byte[1])).kind())
            .isNotEqualTo(Answer.AnswerKind.FAILED);
      }
    }
  }
}
