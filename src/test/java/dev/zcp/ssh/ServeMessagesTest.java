package dev.zcp.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.compress.Compression;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Name;
import dev.zcp.delta.DeltaMode;
import dev.zcp.engine.Choice;
import dev.zcp.secure.Key;
import dev.zcp.session.ResumeVerify;
import dev.zcp.session.Savings;
import dev.zcp.ssh.Fields.Message;
import dev.zcp.ssh.ServeReply.Found;
import dev.zcp.ssh.ServeRequest.AskedDeletion;
import dev.zcp.ssh.ServeRequest.FilterRule;
import dev.zcp.ssh.ServeRequest.FilterRule.RuleKind;
import dev.zcp.ssh.ServeRequest.Give;
import dev.zcp.ssh.ServeRequest.ListenAt;
import dev.zcp.ssh.ServeRequest.Onward;
import dev.zcp.ssh.ServeRequest.ReportOptions;
import dev.zcp.ssh.ServeRequest.Take;
import dev.zcp.ssh.ServeRequest.Wanted;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.OnChange;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection.Links;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The bytes of requests and replies, both ways.
class ServeMessagesTest {

  private static final Key KEY = Key.parse("AAAAAAAAAAAAAAAAAAAAAJrq");

  private static final byte[] ODD = {'a', '\n', (byte) 0xff, ' ', '-'};

  private static final Wanted WANTED =
      new Wanted(
          true,
          false,
          true,
          Links.FOLLOWED_IF_NAMED,
          new Preserve(true, false, true, false, true, false, true, true),
          Existing.OLDER,
          true,
          OnChange.ACCEPT,
          true,
          Level.READBACK,
          ResumeVerify.SAMPLE,
          true,
          List.of(
              new FilterRule(RuleKind.EXCLUDE, ODD), new FilterRule(RuleKind.FILE, new byte[0])),
          new Savings(new Compression(19, true), DeltaMode.ALWAYS));

  private static final Take TAKE =
      new Take(
          KEY,
          5,
          ODD,
          Placement.EXACTLY,
          true,
          List.of(Name.of(ODD)),
          ListenAt.PORT,
          true,
          true,
          new AskedDeletion(7, true, WANTED.rules()),
          List.of(ODD, new byte[] {'.', '.'}));

  private static final Give GIVE =
      new Give(KEY, 1L << 60, List.of(ODD, new byte[0]), null, false, WANTED, null);

  private static final Onward ONWARD =
      new Onward(
          "ann@nas",
          "attic",
          "attic:/b\u00fccher/",
          Found.DIRECTORY,
          new InetSocketAddress("2001:db8::1", 65535),
          new Choice("mmap", Choice.WHOLE),
          1 << 20,
          new ReportOptions(true, false, true, false, true, 80, 1, true));

  private static final ServeReply REPLY =
      new ServeReply(
          "0.1.0",
          ExitCode.DESTINATION,
          "why not: \u00fc",
          new InetSocketAddress("192.0.2.1", 5230),
          List.of(Found.OTHER, Found.NOTHING));

  /// Records compare arrays by identity, so the bytes are compared.
  @Test
  void whatIsEncodedIsDecoded() {
    Give named = new Give(KEY, 0, List.of(ODD), Name.of(ODD), true, WANTED, ONWARD);
    for (ServeRequest each : List.of(TAKE, GIVE, named)) {
      ServeRequest decoded = ServeRequest.decode(fields(each.encode()));
      assertThat(decoded).hasSameClassAs(each);
      assertThat(decoded.encode()).isEqualTo(each.encode());
    }
    assertThat(ServeReply.decode(fields(REPLY.encode()))).isEqualTo(REPLY);
    InetSocketAddress byIpv6 = new InetSocketAddress("2001:db8::1", 1);
    for (InetSocketAddress port : Arrays.asList(null, byIpv6)) {
      ServeReply reply = new ServeReply("0.1.0", ExitCode.OK, "", port, List.of());
      assertThat(ServeReply.decode(fields(reply.encode()))).isEqualTo(reply);
    }
    assertThat(ServeReply.release(fields(REPLY.encode()))).isEqualTo("0.1.0");
  }

  private static byte[] fields(byte[] message) {
    return Arrays.copyOfRange(message, Fields.HEAD_BYTES, message.length);
  }

  @Test
  void theHeadSaysWhatItIsAndHowLong() throws IOException {
    byte[] message = TAKE.encode();
    Message read = Message.read(in(message), ServeRequest.MAGIC);
    assertThat(read.version()).isEqualTo(1);
    assertThat(read.fields()).isEqualTo(fields(message));
    assertThatThrownBy(() -> Message.read(in(message), ServeReply.MAGIC))
        .isInstanceOf(IllegalArgumentException.class);
    ByteBuffer head = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(Fields.MAGIC_BYTES + 2, Fields.BYTES_MAX);
    assertThatThrownBy(() -> Message.read(in(message), ServeRequest.MAGIC))
        .isInstanceOf(EOFException.class);
    head.putInt(Fields.MAGIC_BYTES + 2, Fields.BYTES_MAX + 1);
    assertThatThrownBy(() -> Message.read(in(message), ServeRequest.MAGIC))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Fields.ByteInput in(byte[] bytes) {
    return Channels.newChannel(new ByteArrayInputStream(bytes))::read;
  }

  @Test
  void noTextOfARequestShowsTheKey() {
    for (ServeRequest each : List.of(TAKE, GIVE)) {
      assertThat(each.toString()).contains("FilterRule").doesNotContain(KEY.text());
    }
  }

  @Test
  void whatIsCutShortOrTooLongIsRefused() {
    Give onward = new Give(KEY, 0, List.of(ODD), Name.of(ODD), true, WANTED, ONWARD);
    for (ServeRequest each : List.of(TAKE, GIVE, onward)) {
      byte[] message = each.encode();
      byte[] whole = fields(message);
      for (int i = 0; i < whole.length; i++) {
        byte[] cut = Arrays.copyOf(whole, i);
        assertThatThrownBy(() -> ServeRequest.decode(cut))
            .isInstanceOf(IllegalArgumentException.class);
      }
      byte[] longer = Arrays.copyOf(whole, whole.length + 1);
      assertThatThrownBy(() -> ServeRequest.decode(longer))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /// Whatever comes is a request, or refused, and nothing else happens.
  @Test
  void damageIsRefusedOrAnotherRequest() {
    long seed = 20261123;
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = fields((i % 2 == 0 ? TAKE : GIVE).encode());
      for (int j = 0; j < 1 + i % 3; j++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try {
        assertThat(ServeRequest.decode(damaged).key()).isNotNull();
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).as("seed " + seed).isNotEmpty();
      }
    }
  }

  @Test
  void aPortNeedsAnAddressOfIp() {
    byte[] reply = new ServeReply("0.1.0", ExitCode.OK, "", REPLY.port(), List.of()).encode();
    // The length of the address, behind which the count is 12 bytes.
    int at = reply.length - 12 - 8;
    assertThat(reply[at]).isEqualTo((byte) 4);
    byte[] longer = Arrays.copyOf(reply, reply.length + 1);
    System.arraycopy(reply, at + 4, longer, at + 5, reply.length - at - 4);
    longer[at] = 5;
    assertThatThrownBy(() -> ServeReply.decode(fields(longer)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an address of 5 bytes");
  }

  @Test
  void theAddressIsTheOneThatSshHasReached() throws UnknownHostException {
    assertThat(ServedEnd.address("192.0.2.1 50000 198.51.100.7 22"))
        .isEqualTo(InetAddress.getByName("198.51.100.7"));
    assertThat(ServedEnd.address("2001:db8::1 50000 2001:db8::2 22"))
        .isEqualTo(InetAddress.getByName("2001:db8::2"));
    for (String none : Arrays.asList(null, "", "UNKNOWN", "a b localhost d", "1.1.1.1 1 2.2.2.2")) {
      assertThat(ServedEnd.address(none)).as(none).isNull();
    }
  }

  @Test
  void moreThanTwentyTreesOfFormerCopiesAreRefused() {
    byte[] fields = fields(TAKE.encode());
    assertThat(ServeRequest.decode(fields)).isInstanceOf(Take.class);
    assertThatThrownBy(
            () ->
                new Take(
                    KEY,
                    5,
                    ODD,
                    Placement.EXACTLY,
                    true,
                    List.of(),
                    ListenAt.PIPE,
                    false,
                    false,
                    null,
                    Collections.nCopies(21, ODD)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPathWithANulIsRefused() {
    Take nul =
        new Take(
            KEY,
            5,
            new byte[] {'a', 0},
            Placement.EXACTLY,
            true,
            List.of(),
            ListenAt.PIPE,
            false,
            false,
            null,
            List.of());
    assertThatThrownBy(() -> ServeRequest.decode(fields(nul.encode())))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSourceWithoutANameHasItsContent() {
    for (String path : List.of("", ".", "a/.", "..", "/", "a/..", "~", "~/", "a/./")) {
      assertThat(RemotePath.isContent(path.getBytes(StandardCharsets.US_ASCII))).as(path).isTrue();
    }
    for (String path : List.of("a", "a/", ".a", "...", "a/~", "~a", "~/a", "~/~")) {
      assertThat(RemotePath.isContent(path.getBytes(StandardCharsets.US_ASCII))).as(path).isFalse();
    }
  }
}
