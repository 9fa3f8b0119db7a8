package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.session.Admission;
import dev.zcp.session.ResumeVerify;
import dev.zcp.testing.OpenDescriptors;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.wire.Answer;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiscardingPlaceTest extends PlaceContract {

  @TempDir Path dir;

  private Inbox inbox;

  @BeforeEach
  void open() throws Exception {
    inbox = new Inbox(dir);
  }

  @AfterEach
  void nothingIsLeftOpen() throws IOException {
    inbox.close();
    String here = dir.toRealPath().toString();
    assertThat(OpenDescriptors.targets()).noneMatch(target -> target.startsWith(here));
  }

  @Override
  TestPlace place() {
    return inbox.unadmitted(
        new Admission(
            Existing.REFUSE,
            Keep.ALL,
            null,
            ResumeVerify.ALL,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            true));
  }

  @Override
  byte[] arrived(String name) throws IOException {
    assertThat(inbox.names()).isEmpty();
    return null;
  }

  @Test
  void nothingOfATreeGetsAName() throws Exception {
    try (TestPlace place = admitting()) {
      Offered directory = offers.directory("t");
      Offered file = offers.file("t/f", new byte[9]);
      assertThat(place.consider(directory).kind()).isEqualTo(Answer.AnswerKind.NEW);
      assertThat(place.consider(file).kind()).isEqualTo(Answer.AnswerKind.ALL);
      assertThat(place.consider(offers.link("t/l", "f")).kind()).isEqualTo(Answer.AnswerKind.MADE);
      Offered second = offers.of(EntryKind.HARD_LINK, "t/h").first(file).offered();
      put(place, file, new byte[9]);
      assertThat(place.consider(second).kind()).isEqualTo(Answer.AnswerKind.MADE);
      place.complete(directory);
      assertThat(inbox.names()).isEmpty();
    }
  }

  @Test
  void whatIsThereDoesNotMatter() throws Exception {
    Files.writeString(dir.resolve("a"), "mine");
    Files.createDirectory(dir.resolve("b"));
    try (TestPlace place = admitting()) {
      for (String name : new String[] {"a", "b"}) {
        Offered file = offers.file(name, new byte[4]);
        assertThat(place.consider(file).kind()).isEqualTo(Answer.AnswerKind.ALL);
        put(place, file, new byte[4]);
      }
    }
    assertThat(dir.resolve("a")).hasContent("mine");
    assertThat(inbox.names()).containsExactly("a", "b");
  }

  /// The sender is answered before the kernel frees the bytes, which takes its time.
  @Test
  void theNameGoesBeforeTheAnswerAndTheBytesAfterIt() throws Exception {
    byte[] content = random(2 << 20);
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", content);
      place.consider(file);
      try (Landing landing = place.landing(file)) {
        block(landing, content, new Span(0, content.length));
        assertThat(TestPlace.publish(landing, ending(file, content), Level.READBACK))
            .isEqualTo(Level.READBACK);
        assertThat(inbox.names()).isEmpty();
        assertThat(landing.written().read(Offers.buffer(content), 0)).isEqualTo(content.length);
      }
    }
  }

  @Test
  void anInterruptedFileIsNotKept() throws Exception {
    byte[] content = random(2 << 20);
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", content);
      place.consider(file);
      block(place.landing(file), content, new Span(0, 1 << 20));
    }
    assertThat(inbox.names()).isEmpty();
  }
}
