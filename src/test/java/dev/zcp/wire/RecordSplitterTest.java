package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zcp.core.Span;
import dev.zcp.testing.TestFrames;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Lists of any length become as few frames as hold them.
class RecordSplitterTest {

  /// A slash and the longest name.
  private static final String NAME = "/" + "a".repeat(255);

  @Test
  void noRecordsAreNoFrames() {
    assertThat(Offer.of(List.of())).isEmpty();
    assertThat(Reply.of(List.of())).isEmpty();
  }

  @Test
  void aFrameTakesAsManyRecordsAsItMayAndNotOneMore() throws ProtocolException {
    List<Ending> endings = new ArrayList<>();
    for (int i = 0; i < Limits.RECORDS_MAX; i++) {
      endings.add(new Ending(i, Status.OK, i, i));
    }
    assertComesBack(new EntryEnds(endings));
    endings.add(endings.getFirst());
    assertThatIllegalArgumentException().isThrownBy(() -> new EntryEnds(endings));
  }

  @Test
  void aPartTakesAsManyBytesAsItMayAndNotOneMore() {
    int half = Limits.PART_BYTES_MAX / 2;
    assertThat(TestFrames.part(half, half, 0).rawBytes()).isEqualTo(Limits.PART_BYTES_MAX);
    assertThatIllegalArgumentException().isThrownBy(() -> TestFrames.part(half, half, 1));
  }

  @Test
  void aPartTakesAsManyFilesAsItMayAndNotOneMore() throws ProtocolException {
    assertComesBack(TestFrames.part(new int[Part.FILES_MAX]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TestFrames.part(new int[Part.FILES_MAX + 1]));
  }

  @Test
  void theLongestEntryFitsAFrameAndTwoOfThemGoInTwo() throws ProtocolException {
    Offered longest = longest("x");
    assertThat(OfferRecords.bytes(null, longest)).isGreaterThan(Limits.PAYLOAD_BYTES_MAX / 2);
    List<Offer> offers = Offer.of(List.of(longest, longest("y"), Wire.file(9, "a", 1)));
    assertThat(offers).hasSize(2);
    for (Offer offer : offers) {
      assertComesBack(offer);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Offer(List.of(longest, longest("y"))));
  }

  @Test
  void theLongestAnswerFitsAFrameAndTwoOfThemGoInTwo() throws ProtocolException {
    List<Held> held = new ArrayList<>();
    for (int i = 0; i < Limits.HELD_MAX; i++) {
      held.add(new Held(new Span(2L * i, 1), i));
    }
    Answer longest = Answer.rest(1, held);
    List<Reply> replies = Reply.of(List.of(longest, longest, Answer.declined(2, "no")));
    assertThat(replies).hasSize(2);
    for (Reply reply : replies) {
      assertComesBack(reply);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new Reply(List.of(longest, longest)));
    held.add(new Held(new Span(2L * Limits.HELD_MAX, 1), 0));
    assertThatIllegalArgumentException().isThrownBy(() -> Answer.rest(1, held));
  }

  @Test
  void aPayloadIsFilledToItsLastByte() throws ProtocolException {
    List<Offered> entries = new ArrayList<>();
    int left = Limits.PAYLOAD_BYTES_MAX;
    int name = 155;
    for (int id = 0; left > 0; id++) {
      int record = OfferRecords.FIXED_BYTES + name;
      // The last takes what is left, so that nothing is over.
      int path = left - record < record ? left - OfferRecords.FIXED_BYTES : name;
      entries.add(Wire.file(id, deep((char) ('a' + id % 2), path), 1));
      left -= OfferRecords.FIXED_BYTES + path;
    }
    Offer full = new Offer(entries);
    assertThat(Wire.bytes(full)).hasSize(Limits.CONTROL_BYTES_MAX);
    assertComesBack(full);
    assertThat(Offer.of(entries)).containsExactly(full);
    entries.add(Wire.file(5000, "b", 1));
    assertThat(Offer.of(entries)).hasSize(2);
  }

  @Test
  void pathsThatBeginAlikeTakeTheirBeginningOnce() {
    String parents = "d/".repeat(1000);
    Offer two = new Offer(List.of(Wire.file(1, parents + "a", 1), Wire.file(2, parents + "b", 1)));
    assertThat(Wire.bytes(two))
        .hasSize(Limits.HEADER_BYTES + 2 * OfferRecords.FIXED_BYTES + 2001 + 1 + Limits.MAC_BYTES);
  }

  /// Else one frame of 256 KiB could make a receiver remember 128 MiB.
  @Test
  void pathsThatBeginAlikeShareTheirDirectories() throws ProtocolException {
    String parents = "d/".repeat(Limits.PATH_NAMES_MAX - 1);
    Offer offer =
        new Offer(
            List.of(
                Wire.file(0, parents + "a", 1),
                Wire.file(1, parents + "b", 1),
                Wire.file(2, parents + "bc", 1),
                Wire.file(3, parents.substring(2) + "c", 1)));
    List<Offered> read = ((Offer) Wire.frame(Wire.bytes(offer))).entries();
    EntryPath directory = read.getFirst().path().parent();
    assertThat(read.get(1).path().parent()).isSameAs(directory);
    assertThat(read.get(2).path().parent()).isSameAs(directory);
    assertThat(read.get(3).path().parent()).isSameAs(directory.parent());
    assertThat(read).isEqualTo(offer.entries());
  }

  @Test
  void anythingThatIsOfferedArrivesInItsOrder() throws ProtocolException {
    long seed = Long.getLong("zcp.seed", System.nanoTime());
    System.out.println(
        "RecordSplitterTest seed " + seed + " (repeat with -Dzcp.seed=" + seed + ")");
    Random random = new Random(seed);
    for (int round = 0; round < 20; round++) {
      List<Offered> entries = new ArrayList<>();
      for (int i = random.nextInt(10_000); i >= 0; i--) {
        entries.add(any(random, i));
      }
      List<Offered> arrived = new ArrayList<>();
      for (Offer offer : Offer.of(entries)) {
        arrived.addAll(((Offer) Wire.frame(Wire.bytes(offer))).entries());
      }
      assertThat(arrived).isEqualTo(entries);
    }
  }

  private static Offered any(Random random, int id) {
    StringBuilder path = new StringBuilder();
    for (int i = random.nextInt(12); i >= 0; i--) {
      path.append((char) ('a' + random.nextInt(2)));
      path.append(i > 0 && random.nextInt(3) == 0 ? "/" + i : "");
    }
    int attributes = random.nextInt(500) == 0 ? 100 + random.nextInt(60_000) : 0;
    List<ExtendedAttribute> attribute = attributes == 0 ? List.of() : attributes(attributes);
    return Wire.entry(id, EntryKind.FILE, path.toString(), random.nextInt(1 << 30), attribute);
  }

  /// Attributes that take exactly this many bytes of an entry's.
  static List<ExtendedAttribute> attributes(int bytes) {
    List<ExtendedAttribute> attributes = new ArrayList<>();
    Bytes name = Wire.octets("user.n");
    int left = bytes;
    while (left > 0) {
      int value = Math.min(ExtendedAttribute.VALUE_BYTES_MAX, left - 11);
      // What is left after it must be room for another, or none.
      int rest = left - 11 - value;
      value -= rest > 0 && rest < 11 ? 11 : 0;
      attributes.add(new ExtendedAttribute(name, Bytes.of(new byte[value])));
      left -= 11 + value;
    }
    return attributes;
  }

  private static Offered longest(String begin) {
    Bytes content = Wire.octets("/".repeat(Offered.CONTENT_BYTES_MAX));
    Bytes identity = Bytes.of(new byte[Limits.IDENTITY_BYTES]);
    return new Offered(
        1,
        EntryKind.LINK,
        Wire.path(begin + NAME.repeat(Limits.PATH_BYTES_MAX / 256 - 1) + NAME.substring(0, 255)),
        0,
        Wire.metadata(attributes(Limits.ATTRIBUTES_BYTES_MAX)),
        identity,
        content,
        0);
  }

  /// A path of this many bytes.
  private static String deep(char with, int bytes) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < bytes; i++) {
      path.append(i % 100 == 99 && i < bytes - 1 ? '/' : with);
    }
    return path.toString();
  }

  private static void assertComesBack(Frame frame) throws ProtocolException {
    assertThat(Wire.frame(Wire.bytes(frame))).isEqualTo(frame);
  }
}
