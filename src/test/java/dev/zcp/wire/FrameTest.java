package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Network;
import dev.zcp.core.ProcessTimes;
import dev.zcp.core.Span;
import dev.zcp.testing.TestFrames;
import dev.zcp.wire.Digest.Algorithm;
import dev.zcp.wire.LimitedBy.ShareOfTime;
import dev.zcp.wire.Rejection.Again;
import dev.zcp.wire.Rejection.Kept;
import dev.zcp.wire.Rejection.Refused;
import dev.zcp.wire.Rejection.Wanted;
import dev.zcp.wire.Timings.SlowOperation;
import dev.zcp.wire.Timings.StageTimes;
import dev.zcp.wire.Timings.TimeCell;
import dev.zcp.wire.Wants.Want;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameTest {

  /// Those that a peer may say.
  private static final Set<ExitCode> CODES = EnumSet.complementOf(EnumSet.of(ExitCode.INTERNAL));

  private static final long LAST_ID = Limits.FILES_MAX - 1;
  private static final long MAX = Long.MAX_VALUE;
  private static final int GIB = 1 << 30;
  private static final int LAST_CELL = Limits.CELLS_MAX - 1;
  private static final Digest DIGEST = Digest.crc32c(0x89abcdef);
  private static final Digest SHA256 = Digest.sha256(filled(32, 0x5a));
  private static final Bytes TREE = Bytes.of(filled(Limits.TREE_DIGEST_BYTES, 0xd1));

  /// The flags of the first record of a part.
  private static final int FILE = Part.FOLDER | Part.OWNER;

  private static final Bytes IDENTITY = Bytes.of(filled(Limits.IDENTITY_BYTES, 0x1d));

  /// Every kind of frame, with each field at its least and at its most.
  static List<Frame> frames() {
    List<Frame> frames = new ArrayList<>();
    for (Level level : Level.values()) {
      frames.add(TestFrames.manifest(0, 0, 0, level, 0));
      frames.add(TestFrames.accept(level, Keep.ALL, true, Limits.CONNECTIONS_MAX, MAX, 0x7fffffff));
    }
    frames.add(
        TestFrames.manifest(
            Manifest.UNKNOWN, Manifest.UNKNOWN, Manifest.UNKNOWN, Level.NONE, Keep.ALL));
    frames.add(TestFrames.manifest(MAX, MAX, MAX, Level.WIRE, Keep.OWNER.bit()));
    frames.add(TestFrames.accept(Level.NONE, 0, false, 1, 1, 1));
    for (KeepExisting keepExisting : KeepExisting.values()) {
      frames.add(
          new Manifest(0, 0, 0, Level.WIRE, Algorithm.SHA256, keepExisting, false, false, 0));
    }
    frames.add(
        new Manifest(0, 0, 0, Level.WIRE, Algorithm.SHA256, KeepExisting.SAME, true, false, 0));
    frames.add(
        new Manifest(0, 0, 0, Level.WIRE, Algorithm.SHA256, KeepExisting.SAME, false, true, 0));
    frames.add(chunks(7, MAX - 3, 1, false, 3));
    frames.add(chunks(7, 0, Limits.RECORDS_MAX, true, Limits.CHUNK_BYTES_MAX));
    frames.add(chunks(0, MAX, 0, true, 0));
    frames.add(new SurplusNames(List.of(Bytes.of(new byte[1]))));
    frames.add(
        new SurplusNames(
            List.of(Bytes.of(new byte[Limits.PATH_BYTES_MAX]), Bytes.of(new byte[] {'a', '/'}))));
    frames.add(new Accept(Level.MEDIA, Algorithm.SHA256, 0, false, 1, 1, 1));
    offers(frames);
    replies(frames);
    for (Status status : Status.values()) {
      frames.add(new EntryEnds(List.of(new Ending(0, status, 0, 0))));
      if (!status.isOfEndsOnly()) {
        frames.add(new Trailer(7, new Span(5, GIB), status, DIGEST));
      }
    }
    frames.add(
        new EntryEnds(
            List.of(new Ending(LAST_ID, Status.OK, MAX, -1), new Ending(3, Status.OK, 1, 7))));
    parts(frames);
    frames.add(Trailer.ok(0, new Span(0, 1), SHA256));
    frames.add(new Show(LAST_ID, -1, SHA256));
    frames.add(new Show(0, 0, Digest.NONE));
    ShareOfTime share = new ShareOfTime("x".repeat(16), Side.RECEIVER, 100);
    frames.add(new LimitedBy(0, false, List.of(), Network.NONE));
    Network network = new Network(255, MAX, MAX - 1, MAX - 2, MAX - 3, MAX - 4, MAX - 5);
    List<ShareOfTime> most = new ArrayList<>(Collections.nCopies(7, share));
    most.add(new ShareOfTime("network", null, 0));
    frames.add(new LimitedBy(MAX, true, most, network));
    frames.add(new Data(0, new Span(0, 1)));
    frames.add(new Data(LAST_ID, new Span(MAX - GIB, GIB)));
    frames.add(Trailer.ok(0, new Span(0, 1), Digest.NONE));
    frames.add(Trailer.ok(LAST_ID, new Span(MAX - GIB, GIB), DIGEST));
    frames.add(Data.hole(0, new Span(0, 1)));
    frames.add(Data.zstd(LAST_ID, new Span(MAX - GIB, GIB)));
    frames.add(Data.hole(LAST_ID, new Span(MAX - GIB, GIB)));
    frames.add(new Lost(List.of(0, 0xffff)));
    verdicts(frames);
    for (ExitCode code : CODES) {
      frames.add(new Done(code, 0, 0, Level.NONE, TREE, "", false));
      frames.add(new Done(code, 0, 0, Level.NONE, TREE, "", true));
      frames.add(new Done(code, 0, 0, Level.NONE, TREE, "", false).lackingNames());
      frames.add(
          new Done(code, 0, 0, Level.NONE, TREE, "", false)
              .with(new Done.Tally(0, true, false, MAX, MAX)));
    }
    for (Level level : Level.values()) {
      frames.add(
          new Done(ExitCode.OK, MAX, MAX, level, TREE, "x".repeat(1024), false)
              .with(new Done.Tally(MAX, false, true, 0, 0)));
    }
    timings(frames);
    frames.add(new Beat(0));
    frames.add(new Beat(MAX));
    return frames;
  }

  private static void parts(List<Frame> frames) {
    frames.add(part(Limits.FILES_MAX - 3, 3, false, SHA256));
    frames.add(part(0, Part.FILES_MAX, true, Digest.NONE));
    frames.add(TestFrames.part(Limits.PART_BYTES_MAX - 1, 1));
    frames.add(part(7, 100, true, SHA256));
    frames.add(look(0, 1));
    frames.add(look(Limits.FILES_MAX - Part.FILES_MAX, Part.FILES_MAX));
    frames.add(Wants.of(0, Want.values()));
    frames.add(new Wants(LAST_ID, Bytes.of(new byte[1])));
    frames.add(new Wants(1, Bytes.of(filled(Part.FILES_MAX, 3))));
  }

  private static void timings(List<Frame> frames) {
    Done done = new Done(ExitCode.OK, 0, 0, Level.WIRE, TREE, "text", false);
    StageTimes least = new StageTimes("open", 0, 0, 0, 0, List.of(new TimeCell(0, 1)));
    List<TimeCell> edges =
        List.of(new TimeCell(127, 1), new TimeCell(128, 2), new TimeCell(LAST_CELL, MAX - 3));
    StageTimes most = new StageTimes("x".repeat(16), MAX, MAX, MAX, MAX, edges);
    SlowOperation slow = new SlowOperation("write", "", SlowOperation.OFFSET_UNKNOWN, 0, 0, 0);
    SlowOperation slowest = new SlowOperation("read", "x".repeat(1024), MAX, MAX, MAX, MAX);
    frames.add(done.with(new Timings(0, ProcessTimes.UNKNOWN, List.of(least), List.of(slow))));
    frames.add(
        done.with(
            new Timings(
                MAX,
                new ProcessTimes(MAX, MAX, MAX),
                List.of(most, least),
                List.of(slowest, slow))));
    frames.add(
        done.with(
            new Timings(1, ProcessTimes.UNKNOWN, List.of(), Collections.nCopies(1000, slow))));
    List<TimeCell> many = new ArrayList<>();
    for (int i = 0; i < 32_000; i++) {
      many.add(new TimeCell(i, 1));
    }
    StageTimes all = new StageTimes("copy", 0, MAX, MAX, MAX, many);
    frames.add(done.with(new Timings(1, ProcessTimes.UNKNOWN, List.of(all), List.of())));
  }

  private static void offers(List<Frame> frames) {
    for (EntryKind kind : EntryKind.values()) {
      frames.add(new Offer(List.of(Wire.entry(1, kind, "a", 0, List.of()))));
    }
    Timestamp first = new Timestamp(Instant.MIN.getEpochSecond(), 0);
    Timestamp last = new Timestamp(Instant.MAX.getEpochSecond(), 999_999_999);
    Bytes nothing = Bytes.of(new byte[0]);
    Attire least = new Attire(0, 0, 0, first, first, 0, List.of());
    Attire most =
        new Attire(
            07777,
            -1,
            -1,
            last,
            last,
            0,
            List.of(
                new ExtendedAttribute(Wire.octets("n".repeat(255)), nothing),
                new ExtendedAttribute(
                    Wire.octets("u"), Bytes.of(filled(ExtendedAttribute.VALUE_BYTES_MAX, 0)))));
    EntryPath strange = EntryPath.of(new byte[] {(byte) 0xff, '\n', '/', 0x1b});
    EntryPath deepest =
        Wire.path(
            "x/".repeat(Limits.PATH_NAMES_MAX - 100)
                + ("x".repeat(255) + "/").repeat(48)
                + "x".repeat(200));
    assertThat(deepest.length()).isEqualTo(Limits.PATH_BYTES_MAX);
    frames.add(
        new Offer(
            List.of(
                new Offered(0, EntryKind.FILE, strange, -1, least, IDENTITY, nothing, 0),
                new Offered(LAST_ID, EntryKind.FILE, deepest, MAX, most, IDENTITY, nothing, 0),
                new Offered(
                    LAST_ID,
                    EntryKind.HARD_LINK,
                    deepest.parent(),
                    0,
                    least,
                    IDENTITY,
                    nothing,
                    LAST_ID - 1),
                new Offered(
                    2,
                    EntryKind.LINK,
                    deepest,
                    0,
                    least,
                    IDENTITY,
                    Wire.octets("/".repeat(Offered.CONTENT_BYTES_MAX)),
                    0))));
    frames.add(new Offer(List.of(device(EntryKind.BLOCK_DEVICE))));
    frames.add(
        new Offer(
            List.of(
                Wire.file(7, "some/where/a", 1),
                Wire.file(8, "some/where/a", 1),
                Wire.file(9, "some/where", 1),
                Wire.file(10, "else", 1))));
  }

  private static Offered device(EntryKind kind) {
    Timestamp moment = new Timestamp(0, 0);
    Attire metadata = new Attire(0, 0, 0, moment, moment, -1, List.of());
    return new Offered(0, kind, Wire.path("a"), 0, metadata, IDENTITY, Wire.octets(""), 0);
  }

  private static void verdicts(List<Frame> frames) {
    frames.add(new Verdicts(1, List.of()));
    frames.add(new Verdicts(Limits.UNITS_UNDER_WAY_MAX, List.of()));
    frames.add(new Verdicts(0, List.of(new Again(0, new Span(0, 0)))));
    List<Rejection> rejections = new ArrayList<>();
    for (ExitCode code : CODES) {
      if (code != ExitCode.OK) {
        rejections.add(new Refused(0, code, ""));
      }
    }
    rejections.add(new Again(LAST_ID, new Span(1, MAX - 1)));
    rejections.add(new Kept(LAST_ID));
    rejections.add(new Wanted(0));
    rejections.add(new Wanted(LAST_ID));
    rejections.add(new Refused(LAST_ID, ExitCode.DESTINATION, "ü".repeat(512)));
    frames.add(new Verdicts(7, rejections));
  }

  private static void replies(List<Frame> frames) {
    List<Answer> answers = new ArrayList<>();
    for (Answer.AnswerKind kind : Answer.AnswerKind.values()) {
      if (kind != Answer.AnswerKind.FAILED) {
        answers.add(Answer.of(LAST_ID, kind));
        frames.add(new Reply(List.of(Answer.of(0, kind))));
      }
    }
    answers.add(Answer.declined(1, "ü".repeat(512)));
    for (ExitCode code : CODES) {
      if (code != ExitCode.OK) {
        answers.add(Answer.failed(1, code, "why"));
      }
    }
    answers.add(Answer.rest(1, List.of(new Held(new Span(MAX - 1, 1), 5))));
    answers.add(Answer.rest(1, mostHeld()));
    frames.add(new Reply(answers));
  }

  private static List<Held> mostHeld() {
    List<Held> held = new ArrayList<>();
    for (int i = 0; i < Limits.HELD_MAX; i++) {
      held.add(new Held(new Span(i * 10L, 10), i));
    }
    return held;
  }

  /// Files of all kinds. Those from 7 to 13 are in the receiver's own directory.
  private static Part part(long firstId, int count, boolean isRepeated, Digest digest) {
    PartBuilder builder = new PartBuilder();
    builder.clear();
    for (int i = 0; i < count; i++) {
      Bytes value = Bytes.of(new byte[] {1, 2});
      List<ExtendedAttribute> attributes =
          i % 5 == 4 ? List.of(new ExtendedAttribute(value, value)) : List.of();
      builder.owner(i % 3 == 0 ? 0644 : 07777, -1, i / 10);
      builder.times(-1, 999_999_999, Long.MAX_VALUE >> 32, i);
      builder.names(i % 6 == 5);
      long directoryId = directoryOf(i);
      byte[] name = nameOf(i);
      int size = sizeOf(i);
      switch (i % 9) {
        case 1 -> builder.addBare(directoryId, name, size, isRepeated ? ~i : 0, attributes);
        case 2 -> {
          byte[] sha256 = digest.isSha256() ? filled(32, i) : null;
          builder.addShown(directoryId, name, size, ~i, sha256, attributes);
        }
        default -> builder.add(directoryId, name, size, ~i, attributes);
      }
    }
    return builder.build(firstId, isRepeated, count > 3, digest);
  }

  private static Part bare(int crc32c) {
    PartBuilder builder = new PartBuilder();
    builder.clear();
    builder.owner(0644, 0, 0);
    builder.addBare(0, nameOf(0), 5, crc32c, List.of());
    return builder.build(0, false, false, Digest.NONE);
  }

  private static Part look(long number, int count) {
    PartBuilder builder = new PartBuilder();
    builder.clear();
    builder.owner(0, 0, 0);
    for (int i = 0; i < count; i++) {
      builder.times(i, 999_999_999, 0, 0);
      builder.names(i % 2 == 1);
      builder.addToLook(directoryOf(i), nameOf(i), sizeOf(i));
    }
    return builder.buildLook(number);
  }

  private static long directoryOf(int file) {
    return file / 7 == 1 ? Part.OWN_DIRECTORY : file / 7;
  }

  private static byte[] nameOf(int file) {
    return ("file " + file).getBytes(StandardCharsets.UTF_8);
  }

  private static int sizeOf(int file) {
    return file % 4 == 0 ? 0 : 1000 + file;
  }

  static Stream<Digest> digestsOfParts() {
    return Stream.of(Digest.NONE, SHA256);
  }

  @ParameterizedTest
  @MethodSource("digestsOfParts")
  void theFilesOfAPartComeBackAsTheyWent(Digest digest) throws ProtocolException {
    Part part = (Part) Wire.frame(Wire.bytes(part(7, 100, true, digest)));
    assertThat(part.directoryIds()).hasSize(15).startsWith(0, Part.OWN_DIRECTORY, 2);
    assertThat(part.isLook()).isFalse();
    assertThat(part.isAnyWhole()).isTrue();
    int files = 0;
    int bytes = 0;
    for (Part.Cursor each = part.cursor(); each.next(); files++) {
      boolean isBare = files % 9 == 1;
      boolean isShown = files % 9 == 2;
      boolean isWhole = !isBare && !isShown;
      assertThat(each.index()).isEqualTo(files);
      assertThat(each.directoryId()).isEqualTo(directoryOf(files));
      assertThat(each.name()).isEqualTo(nameOf(files));
      assertThat(each.size()).isEqualTo(sizeOf(files));
      assertThat(each.rawBytes()).isEqualTo(isWhole ? sizeOf(files) : 0);
      assertThat(each.crc32c()).isEqualTo(~files);
      assertThat(each.mode()).isEqualTo(files % 3 == 0 ? 0644 : 07777);
      assertThat(each.group()).isEqualTo(files / 10);
      assertThat(each.accessedNanos()).isEqualTo(files);
      assertThat(each.isBare()).isEqualTo(isBare);
      assertThat(each.isShown()).isEqualTo(isShown);
      assertThat(each.isWhole()).isEqualTo(isWhole);
      assertThat(each.mayGetNames()).isEqualTo(files % 6 == 5);
      assertThat(each.shown())
          .isEqualTo(isShown && digest.isSha256() ? Digest.sha256(filled(32, files)) : Digest.NONE);
      assertThat(each.attributes()).hasSize(files % 5 == 4 ? 1 : 0);
      bytes += each.rawBytes();
    }
    assertThat(files).isEqualTo(100).isEqualTo(part.count());
    assertThat(bytes).isEqualTo(part.rawBytes());
  }

  @Test
  void theFilesOfALookComeBackWithoutTheirBytes() throws ProtocolException {
    Part look = (Part) Wire.frame(Wire.bytes(look(7, 20)));
    assertThat(look.isLook()).isTrue();
    assertThat(look.firstId()).isEqualTo(7);
    assertThat(look.rawBytes()).isZero();
    assertThat(look.isAnyWhole()).isFalse();
    int files = 0;
    for (Part.Cursor each = look.cursor(); each.next(); files++) {
      assertThat(each.directoryId()).isEqualTo(directoryOf(files));
      assertThat(each.name()).isEqualTo(nameOf(files));
      assertThat(each.size()).isEqualTo(sizeOf(files));
      assertThat(each.modifiedSeconds()).isEqualTo(files);
      assertThat(each.mayGetNames()).isEqualTo(files % 2 == 1);
      assertThat(each.isWhole()).isFalse();
    }
    assertThat(files).isEqualTo(20);
  }

  @Test
  void theWantsOfAllFilesComeBackInTheirOrder() throws ProtocolException {
    Want[] wants = {Want.NOTHING, Want.BYTES, Want.DIGEST, Want.BYTES};
    assertThat(((Wants) Wire.frame(Wire.bytes(Wants.of(5, wants)))).all()).isEqualTo(wants);
  }

  static Stream<Arguments> badParts() {
    String extra = "a look with other flags, or a digest";
    String unfit = "a file with flags that do not fit";
    int shownAndBare = FILE | Part.SHOWN | Part.BARE;
    return Stream.of(
        Arguments.of(Part.LOOK | Part.REPEATED, Digest.NONE, FILE, extra),
        Arguments.of(Part.LOOK, SHA256, FILE, extra),
        Arguments.of(Part.LOOK, Digest.NONE, FILE | Part.ATTRIBUTES, unfit),
        Arguments.of(Part.LOOK, Digest.NONE, FILE | Part.BARE, unfit),
        Arguments.of(Part.LOOK, Digest.NONE, FILE | Part.SHOWN, unfit),
        Arguments.of(0, Digest.NONE, shownAndBare, unfit),
        Arguments.of(Part.REPEATED, SHA256, shownAndBare, unfit),
        Arguments.of(Part.ZSTD, Digest.NONE, FILE, "a part without bytes that is compressed"),
        Arguments.of(Part.LOOK | Part.ZSTD, Digest.NONE, FILE, extra),
        Arguments.of(0, Digest.NONE, FILE | 64, "a file with unknown flags"),
        Arguments.of(0, DIGEST, FILE, "a part with a CRC32C of all"));
  }

  /// The bytes of each are there, so that only the flags are wrong.
  @ParameterizedTest
  @MethodSource("badParts")
  void aPartWhoseFlagsDoNotFitCannotExist(
      int flags, Digest digest, int recordFlags, String reason) {
    byte[] record = record(recordFlags, digest);
    assertThat(new Part(0, 1, 0, Digest.NONE, record(FILE, Digest.NONE)).count()).isOne();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Part(0, 1, flags, digest, record))
        .withMessage(reason);
  }

  /// An empty file in the directory 0, with a name of one letter.
  private static byte[] record(int flags, Digest digest) {
    boolean hasDigest = (flags & Part.SHOWN) != 0 && digest.isSha256();
    int nameAt =
        Part.FIXED_BYTES
            + Part.FOLDER_BYTES
            + Part.OWNER_BYTES
            + (hasDigest ? Limits.DIGEST_BYTES_MAX : 0);
    byte[] record = new byte[nameAt + 1 + ((flags & Part.ATTRIBUTES) != 0 ? Short.BYTES : 0)];
    record[0] = (byte) flags;
    record[1] = 1;
    record[nameAt] = 'a';
    return record;
  }

  @Test
  void aWantThatIsUnknownHereIsRefused() {
    byte[] frame = Wire.bytes(Wants.of(0, new Want[] {Want.BYTES}));
    for (int want = 4; want < 256; want++) {
      frame[Limits.HEADER_BYTES + Wants.HEAD_BYTES] = (byte) want;
      assertThatExceptionOfType(ProtocolException.class)
          .isThrownBy(() -> Wire.frame(frame))
          .withMessageStartingWith("WANTS: unknown want ")
          .matches(refusal -> refusal.exitCode() == ExitCode.PROTOCOL);
    }
  }

  @ParameterizedTest
  @MethodSource("frames")
  void aFrameComesBackAsItWent(Frame frame) throws ProtocolException {
    assertThat(Wire.frame(Wire.bytes(frame))).isEqualTo(frame);
  }

  @Test
  void longAndShortFramesShareOneWriterAndOneReader() throws ProtocolException {
    FrameWriter writer = new FrameWriter(Wire.NO_SIGNER);
    FrameReader reader = new FrameReader(Wire.NO_VERIFIER);
    for (Frame frame : frames()) {
      byte[] bytes = Wire.bytes(frame, writer);
      assertThat(bytes.length).isLessThanOrEqualTo(Limits.CONTROL_BYTES_MAX);
      assertThat(Wire.frame(bytes, reader)).isEqualTo(frame);
    }
  }

  @Test
  void everyKindOfFrameIsAmongTheExamples() {
    assertThat(frames().stream().map(Frame::type).distinct())
        .containsExactlyInAnyOrder(FrameType.values());
  }

  static Stream<Runnable> framesPastALimit() {
    Span gib = new Span(0, GIB);
    Span tooLong = new Span(0, GIB + 1L);
    Span empty = new Span(0, 0);
    Held held = new Held(new Span(0, 4), 0);
    Again again = new Again(0, gib);
    Timestamp moment = new Timestamp(0, 0);
    Bytes nothing = Bytes.of(new byte[0]);
    return Stream.of(
        () -> TestFrames.manifest(-2, 0, 0, Level.NONE, 0),
        () -> TestFrames.manifest(0, -2, 0, Level.NONE, 0),
        () -> TestFrames.manifest(0, 0, -2, Level.NONE, 0),
        () -> TestFrames.manifest(0, 0, 0, Level.NONE, Keep.ALL + 1),
        () -> TestFrames.accept(Level.NONE, 0, false, 0, 1, 1),
        () -> TestFrames.accept(Level.NONE, 0, false, Limits.CONNECTIONS_MAX + 1, 1, 1),
        () -> TestFrames.accept(Level.NONE, 0, false, 1, 0, 1),
        () -> TestFrames.accept(Level.NONE, 0, false, 1, 1, 0),
        () -> TestFrames.accept(Level.NONE, -1, false, 1, 1, 1),
        () -> Wire.file(-1, "a", 0),
        () -> Wire.file(Limits.FILES_MAX, "a", 0),
        () -> Wire.file(0, "a", -2),
        () -> Wire.entry(0, EntryKind.DIRECTORY, "a", 1, List.of()),
        () -> Wire.path(("a".repeat(255) + "/").repeat(Limits.PATH_BYTES_MAX / 256) + "a"),
        () -> Wire.path("a/".repeat(Limits.PATH_NAMES_MAX) + "a"),
        () -> device(EntryKind.FIFO),
        () -> hardLink(3, 3),
        () -> hardLink(3, -1),
        () -> link(""),
        () -> link("a\0b"),
        () -> link("x".repeat(Offered.CONTENT_BYTES_MAX + 1)),
        () -> new Attire(-1, 0, 0, moment, moment, 0, List.of()),
        () -> new Attire(010000, 0, 0, moment, moment, 0, List.of()),
        () -> new Timestamp(Instant.MIN.getEpochSecond() - 1, 0),
        () -> new Timestamp(Instant.MAX.getEpochSecond() + 1, 0),
        () -> new Timestamp(0, -1),
        () -> new Timestamp(0, 1_000_000_000),
        () -> new ExtendedAttribute(nothing, nothing),
        () -> new ExtendedAttribute(Wire.octets("n".repeat(256)), nothing),
        () -> new ExtendedAttribute(Wire.octets("n\0"), nothing),
        () -> new ExtendedAttribute(Wire.octets("n"), Bytes.of(new byte[65537])),
        () -> Wire.metadata(RecordSplitterTest.attributes(Limits.ATTRIBUTES_BYTES_MAX + 1)),
        () -> new Answer(0, Answer.AnswerKind.FAILED, List.of(), ExitCode.OK, ""),
        () -> chunks(0, MAX, 1, true, 1),
        () -> chunks(0, 0, 1, true, 0),
        () -> chunks(0, 0, 1, true, -1),
        () -> chunks(0, 0, 1, true, Limits.CHUNK_BYTES_MAX + 1),
        () -> chunks(0, 0, 0, false, 0),
        () -> chunks(0, 0, Limits.RECORDS_MAX + 1, true, 1),
        () -> chunks(0, -1, 0, true, 0),
        () -> chunks(-1, 0, 0, true, 0),
        () -> new Answer(0, Answer.AnswerKind.ALL, List.of(), ExitCode.SOURCE, ""),
        () -> new Answer(0, Answer.AnswerKind.ALL, List.of(), ExitCode.OK, "why"),
        () -> new Answer(0, Answer.AnswerKind.ALL, List.of(held), ExitCode.OK, ""),
        () -> Answer.rest(0, List.of(held, held)),
        () -> new Answer(0, Answer.AnswerKind.WHOLE, List.of(held), ExitCode.OK, ""),
        () -> new Answer(0, Answer.AnswerKind.WHOLE, List.of(), ExitCode.EXISTS, "why"),
        () -> new Show(0, 0, DIGEST),
        () -> new Show(Limits.FILES_MAX, 0, Digest.NONE),
        () -> new Held(empty, 0),
        () -> new Manifest(0, 0, 0, Level.WIRE, Algorithm.NONE, KeepExisting.NONE, false, false, 0),
        () -> new Accept(Level.NONE, Algorithm.CRC32C, 0, false, 1, 1, 1),
        () -> new Digest(Algorithm.SHA256, Bytes.of(new byte[31])),
        TestFrames::part,
        () -> TestFrames.part(Limits.PART_BYTES_MAX + 1),
        () -> TestFrames.part(-1),
        () -> TestFrames.part(Limits.PART_BYTES_MAX, 1),
        () -> part(LAST_ID, 2, false, Digest.NONE),
        () -> bare(7),
        () -> look(0, Part.FILES_MAX + 1),
        () -> look(-1, 1),
        () -> new Wants(-1, Bytes.of(new byte[1])),
        () -> new Wants(0, Bytes.of(new byte[0])),
        () -> new Wants(0, Bytes.of(new byte[Part.FILES_MAX + 1])),
        () -> new Wants(0, Bytes.of(filled(1, 4))),
        () -> new Wants(0, Bytes.of(filled(1, -1))),
        () -> new Verdicts(0, List.of(new Wanted(-1))),
        () -> new Data(0, empty),
        () -> new Data(0, tooLong),
        () -> new Data(0, new Span(0, 1), true, true),
        () -> Trailer.ok(0, tooLong, DIGEST),
        () -> Trailer.ok(0, empty, DIGEST),
        () -> new Trailer(0, gib, Status.DAMAGED, DIGEST),
        () -> new Digest(Algorithm.CRC32C, Bytes.of(new byte[3])),
        () -> new Digest(Algorithm.NONE, Bytes.of(new byte[1])),
        () -> Data.hole(0, empty),
        () -> Data.hole(0, tooLong),
        () -> new EntryEnds(List.of()),
        () -> new Ending(0, Status.OK, -1, 0),
        () -> new Ending(0, Status.CHANGED, 1, 0),
        () -> new Ending(0, Status.CHANGED, 0, 1),
        () -> new Lost(List.of()),
        () -> new SurplusNames(List.of()),
        () -> new SurplusNames(List.of(Bytes.of(new byte[0]))),
        () -> new SurplusNames(List.of(Bytes.of(new byte[Limits.PATH_BYTES_MAX + 1]))),
        () -> new SurplusNames(Collections.nCopies(9, Bytes.of(new byte[Limits.PATH_BYTES_MAX]))),
        () -> new Verdicts(0, List.of()),
        () -> new Verdicts(-1, List.of()),
        () -> new Verdicts(Limits.UNITS_UNDER_WAY_MAX + 1, List.of()),
        () -> new Verdicts(1, Collections.nCopies(Limits.RECORDS_MAX + 1, again)),
        () -> new Verdicts(1, Collections.nCopies(300, refused("x".repeat(1024)))),
        () -> new Verdicts(0, List.of(new Again(-1, gib))),
        () -> new Verdicts(0, List.of(new Refused(-1, ExitCode.EXISTS, ""))),
        () -> new Refused(0, ExitCode.OK, ""),
        () ->
            new Done(ExitCode.OK, 0, 0, Level.WIRE, TREE, "", false)
                .with(new Done.Tally(-1, false, false, 0, 0)),
        () -> new Done(ExitCode.OK, -1, 0, Level.WIRE, TREE, "", false),
        () -> new Done(ExitCode.OK, 0, -1, Level.WIRE, TREE, "", false),
        () -> new Done(ExitCode.OK, 0, 0, Level.WIRE, IDENTITY, "", false),
        () -> new TimeCell(-1, 1),
        () -> new TimeCell(LAST_CELL + 1, 1),
        () -> new TimeCell(0, 0),
        () -> stage("open", 1, 0, List.of(new TimeCell(0, 1))),
        () -> stage("open", -1, 0, List.of(new TimeCell(0, 1))),
        () -> stage("open", 0, 1, List.of()),
        () -> stage("open", 0, 1, List.of(new TimeCell(5, 1), new TimeCell(5, 1))),
        () -> stage("open", 0, 1, List.of(new TimeCell(5, MAX), new TimeCell(6, 1))),
        () -> stage("", 0, 1, List.of(new TimeCell(5, 1))),
        () -> stage("Open", 0, 1, List.of(new TimeCell(5, 1))),
        () -> stage("x".repeat(17), 0, 1, List.of(new TimeCell(5, 1))),
        () -> new SlowOperation("read", "a", -2, 0, 0, 0),
        () -> new SlowOperation("read", "a", 0, -1, 0, 0),
        () -> new SlowOperation("read", "a", 0, 0, -1, 0),
        () -> new SlowOperation("read", "a", 0, 0, 0, -1),
        () -> new SlowOperation("\033[2J", "a", 0, 0, 0, 0),
        () -> new Timings(-1, ProcessTimes.UNKNOWN, List.of(), List.of()),
        () -> new ShareOfTime("read", null, 101),
        () -> new ShareOfTime("read", null, -1),
        () -> new ShareOfTime("\033[2J", Side.SENDER, 1),
        () -> new LimitedBy(-1, false, List.of(), Network.NONE),
        () -> shares(9),
        () -> new Network(1, 0, 0, -1, 0, 0, 0),
        () -> slowest(1001, ""),
        () -> slowest(1000, "x".repeat(1024)),
        () -> stages(cells(40_000)),
        () -> stages(cells(1), cells(1)));
  }

  private static StageTimes stage(
      String word, long leastNs, long greatestNs, List<TimeCell> cells) {
    return new StageTimes(word, leastNs, greatestNs, 0, 0, cells);
  }

  private static StageTimes cells(int count) {
    List<TimeCell> cells = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      cells.add(new TimeCell(i, 1));
    }
    return stage("open", 0, 1, cells);
  }

  private static void stages(StageTimes... stages) {
    new Timings(0, ProcessTimes.UNKNOWN, List.of(stages), List.of());
  }

  private static void shares(int count) {
    ShareOfTime share = new ShareOfTime("read", null, 1);
    new LimitedBy(0, false, Collections.nCopies(count, share), Network.NONE);
  }

  private static void slowest(int count, String path) {
    SlowOperation slow = new SlowOperation("read", path, 0, 0, 0, 0);
    new Timings(0, ProcessTimes.UNKNOWN, List.of(), Collections.nCopies(count, slow));
  }

  private static void hardLink(long fileId, long firstId) {
    EntryPath path = Wire.path("a");
    Bytes nothing = Bytes.of(new byte[0]);
    Attire metadata = Wire.metadata(List.of());
    new Offered(fileId, EntryKind.HARD_LINK, path, 0, metadata, IDENTITY, nothing, firstId);
  }

  private static void link(String content) {
    EntryPath path = Wire.path("a");
    Attire metadata = Wire.metadata(List.of());
    new Offered(0, EntryKind.LINK, path, 0, metadata, IDENTITY, Wire.octets(content), 0);
  }

  @ParameterizedTest
  @MethodSource("framesPastALimit")
  void aFramePastALimitCannotExist(Runnable frame) {
    assertThatIllegalArgumentException().isThrownBy(frame::run);
  }

  @Test
  void aTextIsCutBetweenTwoCharactersAtTheLimit() {
    assertThat(text("x".repeat(1024))).isEqualTo("x".repeat(1024));
    assertThat(text("x".repeat(1025))).isEqualTo("x".repeat(1024));
    assertThat(text("x" + "€".repeat(341))).isEqualTo("x" + "€".repeat(341));
    assertThat(text("xx" + "€".repeat(341))).isEqualTo("xx" + "€".repeat(340));
    assertThat(text("x" + "😀".repeat(256))).isEqualTo("x" + "😀".repeat(255));
    assertThat(text("half \ud83d")).isEqualTo("half ?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../a", "a/..", "/", "/a", "a/", "a//b", ".", "./a", "..", "a\0b", "\0"})
  void aPathThatCouldLeadElsewhereIsRefused(String path) {
    byte[] bad = path.getBytes(StandardCharsets.US_ASCII);
    byte[] frame = Wire.bytes(new Offer(List.of(Wire.file(0, "x".repeat(bad.length), 0))));
    int pathAt = Limits.HEADER_BYTES + OfferRecords.FIXED_BYTES;
    System.arraycopy(bad, 0, frame, pathAt, bad.length);
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> Wire.frame(frame))
        .withMessageStartingWith("OFFER: the name ")
        .matches(refusal -> refusal.exitCode() == ExitCode.PROTOCOL);
  }

  @Test
  void aTextThatIsNotUtf8IsRefused() {
    byte[] frame = Wire.bytes(new Verdicts(0, List.of(refused("ab"))));
    frame[Limits.HEADER_BYTES + 16] = (byte) 0xc0;
    assertThatThrownBy(() -> Wire.frame(frame))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("VERDICTS: its text is not UTF-8");
  }

  @Test
  void anExitCodeThatIsUnknownHereIsABreachOfTheProtocol() throws ProtocolException {
    byte[] frame = Wire.bytes(new Verdicts(0, List.of(refused("full"))));
    frame[Limits.HEADER_BYTES + 13] = (byte) 130;
    assertThat(Wire.frame(frame))
        .isEqualTo(new Verdicts(0, List.of(new Refused(0, ExitCode.PROTOCOL, "full"))));
  }

  @Test
  void aLevelThatIsUnknownHereIsRefused() throws ProtocolException {
    byte[] frame = Wire.bytes(new Done(ExitCode.OK, 0, 0, Level.MEDIA, TREE, "", false));
    int levelAt = Limits.HEADER_BYTES + 41;
    assertThat(frame[levelAt]).isEqualTo((byte) 3);
    for (int code = 4; code < 256; code++) {
      frame[levelAt] = (byte) code;
      assertThatExceptionOfType(ProtocolException.class)
          .isThrownBy(() -> Wire.frame(frame))
          .withMessage("DONE: unknown level " + (frame[levelAt] & 0xff));
    }
    frame[levelAt] = 0;
    assertThat(Wire.frame(frame))
        .isEqualTo(new Done(ExitCode.OK, 0, 0, Level.NONE, TREE, "", false));
  }

  @Test
  void reservedBytesMustBeZero() {
    byte[] trailer = Wire.bytes(Trailer.ok(0, new Span(0, 9), DIGEST));
    for (int i = 6; i < 8; i++) {
      assertReserved(trailer, i);
    }
    for (int i = 12; i < 40; i++) {
      assertReserved(trailer, i);
    }
    byte[] accept = Wire.bytes(TestFrames.accept(Level.WIRE, 0, false, 1, 1, 1));
    for (int i = 0; i < 2; i++) {
      assertReserved(accept, 2 + i);
    }
  }

  @Test
  void aManifestHasTwoFlags() {
    byte[] manifest = Wire.bytes(TestFrames.manifest(0, 0, 0, Level.WIRE, 0));
    manifest[Limits.HEADER_BYTES + 27] = 4;
    assertThatThrownBy(() -> Wire.frame(manifest))
        .isInstanceOf(ProtocolException.class)
        .hasMessageEndingWith("unknown flags 4");
  }

  @ParameterizedTest
  @MethodSource("frames")
  void aFrameThatIsCutAnywhereIsAnotherFrameOrRefused(Frame frame) {
    byte[] bytes = Wire.bytes(frame);
    int payload = bytes.length - Limits.HEADER_BYTES - Limits.MAC_BYTES;
    int step = Math.max(1, payload / 500);
    for (int length = 0; length < payload; length += step) {
      byte[] cut = cut(bytes, length);
      // A list may end between two records, a text anywhere.
      try {
        assertThat(Wire.frame(cut)).isNotEqualTo(frame);
      } catch (ProtocolException e) {
        assertThat(e.exitCode()).isEqualTo(ExitCode.PROTOCOL);
      }
    }
  }

  /// A frame whose payload is cut to this length.
  private static byte[] cut(byte[] frame, int length) {
    byte[] cut = Arrays.copyOf(frame, Limits.HEADER_BYTES + length + Limits.MAC_BYTES);
    for (int i = 0; i < 4; i++) {
      cut[4 + i] = (byte) (length >> 8 * i);
    }
    return cut;
  }

  private static void assertReserved(byte[] frame, int payloadByte) {
    byte[] bent = Arrays.copyOf(frame, frame.length);
    bent[Limits.HEADER_BYTES + payloadByte] = 1;
    assertThatThrownBy(() -> Wire.frame(bent))
        .isInstanceOf(ProtocolException.class)
        .hasMessageEndingWith(": reserved bits are set");
  }

  private static String text(String text) {
    return refused(text).text();
  }

  private static Refused refused(String text) {
    return new Refused(0, ExitCode.DESTINATION, text);
  }

  private static byte[] filled(int count, int with) {
    byte[] bytes = new byte[count];
    Arrays.fill(bytes, (byte) with);
    return bytes;
  }

  private static Chunks chunks(long fileId, long offset, int count, boolean isLast, int length) {
    ByteBuffer records =
        ByteBuffer.allocate(count * Chunks.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      Chunks.putRecord(records, length, -i);
    }
    Bytes seed = Bytes.of(new byte[Chunks.SEED_BYTES]);
    return new Chunks(fileId, offset, seed, Bytes.of(records.array()), isLast);
  }
}
