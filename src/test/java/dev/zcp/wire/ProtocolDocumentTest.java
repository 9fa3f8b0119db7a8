package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.SipHash;
import dev.zcp.core.Span;
import dev.zcp.secure.Handshake;
import dev.zcp.secure.Key;
import dev.zcp.secure.SessionKeys;
import dev.zcp.testing.TestFrames;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Holds what `PROTOCOL.md` and its example show against what the code makes. `-Dzcp.rewrite=true`
/// writes the parts anew, for a person to look at what changed.
class ProtocolDocumentTest {

  private static final Path DOCUMENT = Path.of("PROTOCOL.md");
  private static final Path EXAMPLE = Path.of("protocol/example.md");
  private static final int BYTES_IN_A_LINE = 16;
  private static final String HEAD = "header";
  private static final String OFFERED =
      "8 file id, 1 kind, 2 shared, 2 path length, 2 content length, 2 attributes, 2 mode, 4 owner,"
          + " 4 group, 12 modified, 12 accessed, 8 represents, 8 size, 16 identity, 8 first id, ";
  private static final String OFFERED_NEXT =
      "8 file id, 1 kind, 2 shared, 2 path length, 46 the fields between, 8 size,"
          + " 16 identity, 8 first id, ";
  private static final String ANSWER = "8 file id, 1 kind, 1 exit code, 2 held, 2 text length";

  @ParameterizedTest
  @ValueSource(strings = {"limits", "types", "receiving", "sending", "example"})
  void thePartOfTheDocumentIsWhatTheCodeMakes(String part) throws IOException {
    String begin = "<!-- begin " + part + " -->\n";
    Path document = part.equals("example") ? EXAMPLE : DOCUMENT;
    String text = Files.readString(document);
    int from = text.indexOf(begin) + begin.length();
    int to = text.indexOf("<!-- end " + part + " -->");
    assertThat(from).isGreaterThan(begin.length());
    assertThat(to).isGreaterThanOrEqualTo(from);
    String made =
        switch (part) {
          // Without the constants, which say nothing to somebody who writes another peer.
          case "limits" -> limits().replaceAll("(?m) ?[^|\n]+\\|$", "");
          case "types" -> types();
          case "receiving" -> heard(Side.SENDER);
          case "sending" -> heard(Side.RECEIVER);
          default -> example();
        };
    if (Boolean.getBoolean("zcp.rewrite")) {
      Files.writeString(document, text.substring(0, from) + made + text.substring(to));
    } else {
      assertThat(text.substring(from, to)).isEqualTo(made);
    }
  }

  @Test
  void everyLimitIsInTheTable() {
    for (Field limit : Limits.class.getFields()) {
      assertThat(limits()).contains("`" + limit.getName() + "`");
    }
  }

  /// The states without the frames that `speaker` never says.
  private static String heard(Side speaker) {
    return StateTableTest.table(speaker).replaceAll("(?m)^\\|[A-Z ]+(\\| - )+\\|\n", "");
  }

  private static String limits() {
    return "| what | limit | constant |\n|---|---|---|\n"
        + limit("header of a frame", Limits.HEADER_BYTES + " bytes", "HEADER_BYTES")
        + limit("MAC of a frame", Limits.MAC_BYTES + " bytes", "MAC_BYTES")
        + limit(
            "frame with header and MAC", Limits.CONTROL_BYTES_MAX + " bytes", "CONTROL_BYTES_MAX")
        + limit("payload of a frame", Limits.PAYLOAD_BYTES_MAX + " bytes", "PAYLOAD_BYTES_MAX")
        + limit("raw bytes of one DATA", Limits.DATA_BYTES_MAX + " bytes", "DATA_BYTES_MAX")
        + limit("records of one frame", "" + Limits.RECORDS_MAX, "RECORDS_MAX")
        + limit("raw bytes of one PART", Limits.PART_BYTES_MAX + " bytes", "PART_BYTES_MAX")
        + limit("bytes of one piece", Limits.PIECE_BYTES_MAX + " bytes", "PIECE_BYTES_MAX")
        + limit("bytes of one chunk", Limits.CHUNK_BYTES_MAX + " bytes", "CHUNK_BYTES_MAX")
        + limit("files of one PART", "" + Part.FILES_MAX, "Part.FILES_MAX")
        + limit(
            "PARTs of a session that are not acknowledged",
            "" + Limits.PARTS_UNDER_WAY_MAX,
            "PARTS_UNDER_WAY_MAX")
        + limit(
            "looks of a connection that are not answered",
            "" + Limits.LOOKS_UNDER_WAY_MAX,
            "LOOKS_UNDER_WAY_MAX")
        + limit("path", Limits.PATH_BYTES_MAX + " bytes", "PATH_BYTES_MAX")
        + limit("SURPLUS of a session", Limits.SURPLUS_BYTES_MAX + " bytes", "SURPLUS_BYTES_MAX")
        + limit("names of a path", "" + Limits.PATH_NAMES_MAX, "PATH_NAMES_MAX")
        + limit(
            "extended attributes of an entry",
            Limits.ATTRIBUTES_BYTES_MAX + " bytes",
            "ATTRIBUTES_BYTES_MAX")
        + limit("spans held of a file", "" + Limits.HELD_MAX, "HELD_MAX")
        + limit(
            "spans held of all entries under way", "" + Limits.HELD_OF_ALL_MAX, "HELD_OF_ALL_MAX")
        + limit("runs of bytes known of all files under way", "" + Limits.RUNS_MAX, "RUNS_MAX")
        + limit("digest of a block", Limits.DIGEST_BYTES_MAX + " bytes", "DIGEST_BYTES_MAX")
        + limit("identity of a source", Limits.IDENTITY_BYTES + " bytes", "IDENTITY_BYTES")
        + limit("digest of the tree", Limits.TREE_DIGEST_BYTES + " bytes", "TREE_DIGEST_BYTES")
        + limit("proof of the key", Limits.PROOF_BYTES + " bytes", "PROOF_BYTES")
        + limit("text", Limits.TEXT_BYTES_MAX + " bytes of UTF-8", "TEXT_BYTES_MAX")
        + limit(
            "connections of a session at a time", "" + Limits.CONNECTIONS_MAX, "CONNECTIONS_MAX")
        + limit("entries in a session", "" + Limits.FILES_MAX, "FILES_MAX")
        + limit(
            "entries offered and not over",
            "" + Limits.ENTRIES_UNDER_WAY_MAX,
            "ENTRIES_UNDER_WAY_MAX")
        + limit("what those weigh", Limits.OFFERED_BYTES_MAX + " bytes", "OFFERED_BYTES_MAX")
        + limit(
            "units of a connection without an acknowledgement",
            "" + Limits.UNITS_UNDER_WAY_MAX,
            "UNITS_UNDER_WAY_MAX")
        + limit("stages that DONE tells of", "" + Limits.STAGES_MAX, "STAGES_MAX")
        + limit("what those take", Limits.STAGES_BYTES_MAX + " bytes", "STAGES_BYTES_MAX")
        + limit("shares that LIMITED tells of", "" + Limits.SHARES_MAX, "SHARES_MAX")
        + limit("name of a stage", Limits.STAGE_WORD_BYTES_MAX + " bytes", "STAGE_WORD_BYTES_MAX")
        + limit("cells of a histogram", "" + Limits.CELLS_MAX, "CELLS_MAX")
        + limit("slow operations that DONE tells of", "" + Limits.SLOWEST_MAX, "SLOWEST_MAX")
        + limit("what those take", Limits.SLOWEST_BYTES_MAX + " bytes", "SLOWEST_BYTES_MAX")
        + limit(
            "bytes before the proof was checked",
            Hello.BYTES + Limits.PROOF_BYTES + " bytes",
            "Hello.BYTES + PROOF_BYTES")
        + limit(
            "time from the connection to the proof",
            Limits.HANDSHAKE_DEADLINE_NS / 1_000_000_000 + " s in all",
            "HANDSHAKE_DEADLINE_NS");
  }

  private static String limit(String what, String limit, String constant) {
    return "| " + what + " | " + limit + " | `" + constant + "` |\n";
  }

  private static String types() {
    StringBuilder table =
        new StringBuilder(
            "| type | frame | from | flags | about | length |\n|---|---|---|---|---|---|\n");
    for (FrameType type : FrameType.values()) {
      String from =
          !type.isOf(Side.RECEIVER) ? "sender" : type.isOf(Side.SENDER) ? "both" : "receiver";
      String about = type.namesBytes() ? "bytes of a file" : "";
      String length =
          type.lengthMin() == type.lengthMax()
              ? "" + type.lengthMin()
              : type.lengthMin() + " to " + type.lengthMax();
      String flags =
          switch (type) {
            case ACCEPT -> Accept.IN_ORDER + " IN_ORDER";
            case PART ->
                "%d SHA256, %d REPEATED, %d LOOK, %d ZSTD"
                    .formatted(Part.SHA256, Part.REPEATED, Part.LOOK, Part.ZSTD);
            case DATA -> Data.HOLE + " HOLE, " + Data.ZSTD + " ZSTD";
            case DONE ->
                "%d EARLY, %d OWNERS, %d AS_USER, %d LACKS_NAMES"
                    .formatted(Done.EARLY, Done.OWNERS, Done.AS_USER, Done.LACKS_NAMES);
            case LIMITED -> LimitedBy.SURE + " SURE";
            case CHUNKS -> Chunks.LAST + " LAST";
            default -> "";
          };
      table.append(
          "| %d | %s | %s | %s | %s | %s |\n"
              .formatted(type.code(), type, from, flags, about, length)
              .replace("|  |", "| |")
              .replace("|  |", "| |"));
    }
    return table.toString();
  }

  private static String example() {
    byte[] small = "hello\n".getBytes(StandardCharsets.US_ASCII);
    byte[] inBlock = "world\n".getBytes(StandardCharsets.US_ASCII);
    Span block = new Span(0, inBlock.length);
    int smallCrc = crc32c(small);
    int inBlockCrc = crc32c(inBlock);
    Hello hello = Hello.of(Side.SENDER, counting(0x10, 16), 0, counting(0x20, 32));
    Hello answer = hello.answer(Side.RECEIVER, counting(0x40, 32));
    Handshake handshake =
        new Handshake(
            Key.parse("AAECAwQFBgcICQoLDA0ODwjr"),
            "sender",
            hello.encode(),
            "receiver",
            answer.encode(),
            new byte[0]);
    SessionKeys keys = handshake.diallerKeys();
    FrameWriter sender = new FrameWriter(keys.own()::sign);
    FrameWriter receiver = new FrameWriter(keys.others()::sign);
    Offered directory = offered(0, EntryKind.DIRECTORY, "d", 0);
    Offered large = offered(1, EntryKind.FILE, "d/world.txt", inBlock.length);
    long sum =
        hash(EntryKind.DIRECTORY, "d", 0, 0)
            + hash(EntryKind.FILE, "d/hello.txt", small.length, smallCrc)
            + hash(EntryKind.FILE, "d/world.txt", inBlock.length, inBlockCrc);
    Bytes digest =
        Bytes.of(
            ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(sum).array());
    Done early = new Done(ExitCode.OK, 3, 12, Level.WIRE, digest, "", true);
    Done done = new Done(ExitCode.OK, 3, 12, Level.WIRE, digest, "", false);

    StringBuilder text = new StringBuilder("```text\n");
    String[] helloFields = {
      "8 magic",
      "2 version",
      "1 mode",
      "1 side",
      "4 capabilities",
      "16 session id",
      "2 connection",
      "4 willing",
      "2 reserved",
      "32 nonce"
    };
    String[] doneFields = {
      HEAD,
      "8 entries",
      "8 bytes",
      "8 losses",
      "8 deletions",
      "8 corrections",
      "1 exit code",
      "1 level",
      "8 digest",
      "2 text length",
      "16 MAC"
    };
    dump(text, "sender: HELLO", hello.encode(), helloFields);
    dump(
        text,
        "receiver: HELLO",
        answer.encode(),
        "11 magic to mode, 1 side, 28 the fields between, 32 nonce");
    dump(text, "receiver: PROOF", handshake.listenerProof(), "32 proof");
    dump(text, "sender: PROOF", handshake.diallerProof(), "32 proof");
    dump(text, "receiver: WELCOME", Welcome.ACCEPTED.encode(), "1 status");
    dump(
        text,
        "sender: MANIFEST",
        Wire.bytes(TestFrames.manifest(3, 12, 12, Level.WIRE, 0), sender),
        HEAD,
        "8 entries, 8 bytes, 8 data bytes, 1 level, 1 digest, 2 reserved, 4 keeps, 16 MAC");
    dump(
        text,
        "sender: OFFER",
        Wire.bytes(new Offer(List.of(directory, large)), sender),
        HEAD,
        OFFERED + "1 path",
        OFFERED_NEXT + "10 path after d",
        "16 MAC");
    dump(
        text,
        "receiver: ACCEPT",
        Wire.bytes(TestFrames.accept(Level.WIRE, 0, false, 4, 64 << 20, 1024), receiver),
        HEAD,
        "1 level, 1 digest, 2 reserved, 4 keeps, 4 connections, 4 files, 8 window, 16 MAC");
    dump(
        text,
        "receiver: REPLY",
        Wire.bytes(
            new Reply(
                List.of(Answer.of(0, Answer.AnswerKind.NEW), Answer.of(1, Answer.AnswerKind.ALL))),
            receiver),
        HEAD,
        ANSWER,
        "14 second record",
        "16 MAC");
    dump(
        text,
        "sender: PART",
        Wire.bytes(part(small.length, smallCrc), sender),
        HEAD,
        "8 first id, 2 count",
        "1 flags, 1 name length, 4 size, 4 CRC32C, 12 modified, 12 accessed, 8 directory, 2 mode,"
            + " 4 owner, 4 group, 9 name, 16 MAC");
    dump(text, "sender: the raw bytes", small, "6 content");
    dump(text, "sender: DATA", Wire.bytes(new Data(1, block), sender), HEAD, "16 MAC");
    dump(text, "sender: the raw bytes", inBlock, "6 content");
    dump(
        text,
        "sender: TRAILER",
        Wire.bytes(Trailer.ok(1, block, Digest.crc32c(inBlockCrc)), sender),
        HEAD,
        "4 block length",
        "1 status",
        "1 digest algorithm",
        "2 reserved",
        "32 digest",
        "16 MAC");
    dump(text, "receiver: VERDICTS", verdicts(2, receiver), HEAD, "4 units, 16 MAC");
    dump(
        text,
        "sender: END",
        Wire.bytes(
            new EntryEnds(
                List.of(
                    new Ending(1, Status.OK, inBlock.length, inBlockCrc),
                    new Ending(0, Status.OK, 0, 0))),
            sender),
        HEAD,
        "8 file id, 1 status, 8 size, 4 CRC32C",
        "21 second record",
        "16 MAC");
    dump(text, "sender: DONE", Wire.bytes(early, sender), doneFields);
    dump(
        text,
        "receiver: REPLY",
        Wire.bytes(new Reply(List.of(Answer.of(0, Answer.AnswerKind.MADE))), receiver),
        HEAD,
        ANSWER,
        "16 MAC");
    dump(text, "receiver: VERDICTS", verdicts(1, receiver), HEAD, "4 units, 16 MAC");
    dump(text, "receiver: DONE", Wire.bytes(done, receiver), HEAD, "52 payload, 16 MAC");
    return text.append("```\n").toString();
  }

  /// `hello.txt`, with the id 2, in the directory 0.
  private static Part part(int size, int crc32c) {
    PartBuilder builder = new PartBuilder();
    builder.clear();
    builder.owner(0644, 1000, 1000);
    builder.times(1_700_000_000L, 5, 1_700_000_000L, 5);
    byte[] name = "hello.txt".getBytes(StandardCharsets.US_ASCII);
    builder.add(0, name, size, crc32c, List.of());
    return builder.build(2, false, false, Digest.NONE);
  }

  private static byte[] verdicts(int units, FrameWriter receiver) {
    return Wire.bytes(new Verdicts(units, List.of()), receiver);
  }

  private static Offered offered(long fileId, EntryKind kind, String path, long size) {
    Timestamp moment = new Timestamp(1_700_000_000L, 5);
    return new Offered(
        fileId,
        kind,
        Wire.path(path),
        size,
        new Attire(kind == EntryKind.FILE ? 0644 : 0755, 1000, 1000, moment, moment, 0, List.of()),
        counting(0x60, 16),
        Bytes.of(new byte[0]),
        0);
  }

  /// As the document has it, and not as the code does.
  private static long hash(EntryKind kind, String name, long size, int crc32c) {
    byte[] path = name.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer said = ByteBuffer.allocate(17 + path.length).order(ByteOrder.LITTLE_ENDIAN);
    said.put((byte) kind.ordinal()).putInt(path.length).put(path);
    said.putLong(size).putInt(crc32c);
    return SipHash.of(0, 0, said.array());
  }

  private static int crc32c(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /// One line for each field, which is its length and its name; more than one field if they are
  /// joined by a comma. The header of a frame is one line.
  private static void dump(StringBuilder text, String title, byte[] bytes, String... lines) {
    text.append(title).append(", ").append(bytes.length).append(" bytes\n");
    int at = 0;
    for (String line : lines) {
      if (line.equals(HEAD)) {
        line(text, hex(bytes, 0, 1, 2, 4, 8, 16, Limits.HEADER_BYTES), HEAD);
        at = Limits.HEADER_BYTES;
        continue;
      }
      for (String field : line.split(", ")) {
        int space = field.indexOf(' ');
        int end = at + Integer.parseInt(field.substring(0, space));
        String label = field.substring(space + 1);
        while (at < end) {
          int next = Math.min(end, at + BYTES_IN_A_LINE);
          line(text, hex(bytes, at, next), label);
          label = "";
          at = next;
        }
      }
    }
    assertThat(at).as(title).isEqualTo(bytes.length);
    text.append('\n');
  }

  private static void line(StringBuilder text, String hex, String label) {
    text.append("  %-32s  %s".formatted(hex, label).stripTrailing()).append('\n');
  }

  /// The bytes between each of these offsets and the next.
  private static String hex(byte[] bytes, int... offsets) {
    StringJoiner hex = new StringJoiner(" ");
    for (int i = 1; i < offsets.length; i++) {
      hex.add(HexFormat.of().formatHex(bytes, offsets[i - 1], offsets[i]));
    }
    return hex.toString();
  }

  private static Bytes counting(int from, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (from + i);
    }
    return Bytes.of(bytes);
  }
}
