package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Name;
import dev.zcp.core.Span;
import dev.zcp.secure.Handshake;
import dev.zcp.secure.Key;
import dev.zcp.secure.SessionKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Holds what `PROTOCOL.md` shows against what the code makes. `-Dzcp.rewrite=true` writes the
/// parts anew, for a person to look at what changed.
class ProtocolDocumentTest {

  private static final Path DOCUMENT = Path.of("PROTOCOL.md");
  private static final int BYTES_IN_A_LINE = 16;
  private static final String HEAD =
      "1 type, 1 flags, 2 reserved, 4 length, 8 file id, 8 offset, 4 reserved, 4 check";

  @ParameterizedTest
  @ValueSource(strings = {"limits", "receiving", "sending", "example"})
  void thePartOfTheDocumentIsWhatTheCodeMakes(String part) throws IOException {
    String begin = "<!-- begin " + part + " -->\n";
    String text = Files.readString(DOCUMENT);
    int from = text.indexOf(begin) + begin.length();
    int to = text.indexOf("<!-- end " + part + " -->");
    assertThat(from).isGreaterThan(begin.length());
    assertThat(to).isGreaterThanOrEqualTo(from);
    String made =
        switch (part) {
          case "limits" -> limits();
          case "receiving" -> StateTableTest.receiving();
          case "sending" -> StateTableTest.sending();
          default -> example();
        };
    if (Boolean.getBoolean("zcp.rewrite")) {
      Files.writeString(DOCUMENT, text.substring(0, from) + made + text.substring(to));
    } else {
      assertThat(text.substring(from, to)).isEqualTo(made);
    }
  }

  private static String limits() {
    return "| what | limit | constant |\n|---|---|---|\n"
        + limit("header of a frame", Limits.HEADER_BYTES + " bytes", "HEADER_BYTES")
        + limit("MAC of a control frame", Limits.MAC_BYTES + " bytes", "MAC_BYTES")
        + limit(
            "control frame with header and MAC",
            Limits.CONTROL_BYTES_MAX + " bytes",
            "CONTROL_BYTES_MAX")
        + limit("raw bytes of one DATA", Limits.DATA_BYTES_MAX + " bytes", "DATA_BYTES_MAX")
        + limit("digest", Limits.DIGEST_BYTES_MAX + " bytes", "DIGEST_BYTES_MAX")
        + limit("text", Limits.TEXT_BYTES_MAX + " bytes of UTF-8", "TEXT_BYTES_MAX")
        + limit("files in a session", "" + Limits.FILES_MAX, "FILES_MAX")
        + limit("files without an answer", "" + Limits.UNANSWERED_FILES_MAX, "UNANSWERED_FILES_MAX")
        + limit(
            "bytes before the proof was checked",
            Limits.UNPROVED_BYTES_MAX + " bytes",
            "UNPROVED_BYTES_MAX")
        + limit(
            "time from the connection to the proof",
            Limits.HANDSHAKE_DEADLINE_NS / 1_000_000_000 + " s in all",
            "HANDSHAKE_DEADLINE_NS");
  }

  private static String limit(String what, String limit, String constant) {
    return "| " + what + " | " + limit + " | `" + constant + "` |\n";
  }

  private static String example() {
    byte[] content = "hello\n".getBytes(StandardCharsets.US_ASCII);
    Span block = new Span(0, content.length);
    CRC32C crc = new CRC32C();
    crc.update(content);
    Hello hello = Hello.ofSender(counting(0x10, 16), 0, counting(0x20, 32));
    Hello answer = hello.answer(counting(0x40, 32));
    Handshake handshake =
        new Handshake(Key.parse("AAECAwQFBgcICQoLDA0ODw"), hello.encode(), answer.encode());
    SessionKeys keys = handshake.sessionKeys();
    FrameWriter sender = new FrameWriter(keys.sender()::sign);
    FrameWriter receiver = new FrameWriter(keys.receiver()::sign);
    Name name = Name.of("hello.txt".getBytes(StandardCharsets.US_ASCII));
    Meta meta = new Meta(0, content.length, 0644, 1_700_000_000L, 5, name);
    Octets proof = Octets.of(handshake.receiverProof());

    StringBuilder text = new StringBuilder("```text\n");
    String[] helloFields = {
      "8 magic",
      "2 version",
      "1 mode",
      "1 side",
      "4 capabilities",
      "16 session id",
      "2 connection",
      "6 reserved",
      "32 nonce"
    };
    dump(text, "sender: HELLO", hello.encode(), helloFields);
    dump(text, "receiver: HELLO", answer.encode(), helloFields);
    dump(text, "sender: PROOF", handshake.senderProof(), "32 proof");
    dump(text, "receiver: WELCOME", Welcome.accepted(proof).encode(), "1 status", "32 proof");
    dump(
        text,
        "sender: META",
        bytes(sender, meta),
        HEAD,
        "8 size",
        "8 mtime seconds",
        "4 mtime nanoseconds",
        "2 mode",
        "9 name",
        "16 MAC");
    dump(text, "sender: DATA", bytes(sender, new Data(0, block)), HEAD);
    dump(text, "sender: the raw bytes", content, "6 content");
    dump(
        text,
        "sender: TRAILER",
        bytes(sender, Trailer.ok(0, block, true, Digest.crc32c((int) crc.getValue()))),
        HEAD,
        "4 block length",
        "4 valid bytes",
        "1 status",
        "1 digest algorithm",
        "6 reserved",
        "32 digest",
        "16 MAC");
    dump(
        text,
        "sender: DONE",
        bytes(sender, new Done(ExitCode.OK, 1, content.length, "")),
        HEAD,
        "8 files",
        "8 bytes",
        "1 exit code",
        "16 MAC");
    dump(
        text,
        "receiver: ACK",
        bytes(receiver, new Ack(0, content.length, true)),
        HEAD,
        "8 size",
        "16 MAC");
    dump(
        text,
        "receiver: DONE",
        bytes(receiver, new Done(ExitCode.OK, 1, content.length, "")),
        HEAD,
        "8 files",
        "8 bytes",
        "1 exit code",
        "16 MAC");
    return text.append("```\n").toString();
  }

  private static byte[] bytes(FrameWriter writer, Frame frame) {
    ByteBuffer target = ByteBuffer.allocate(Limits.CONTROL_BYTES_MAX);
    writer.put(frame, target);
    return Arrays.copyOf(target.array(), target.position());
  }

  /// One line for each field, which is its length and its name; more than one field where they are
  /// joined by a comma.
  private static void dump(StringBuilder text, String title, byte[] bytes, String... lines) {
    text.append(title).append(", ").append(bytes.length).append(" bytes\n");
    int at = 0;
    for (String line : lines) {
      for (String field : line.split(", ")) {
        int space = field.indexOf(' ');
        int end = at + Integer.parseInt(field.substring(0, space));
        String label = field.substring(space + 1);
        while (at < end) {
          int next = Math.min(end, at + BYTES_IN_A_LINE);
          String hex = HexFormat.ofDelimiter(" ").formatHex(bytes, at, next);
          text.append("%4d  %-48s %s".formatted(at, hex, label).stripTrailing()).append('\n');
          label = "";
          at = next;
        }
      }
    }
    assertThat(at).as(title).isEqualTo(bytes.length);
    text.append('\n');
  }

  private static Octets counting(int from, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (from + i);
    }
    return Octets.of(bytes);
  }
}
