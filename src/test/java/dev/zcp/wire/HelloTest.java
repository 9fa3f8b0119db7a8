package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zcp.core.ExitCode;
import dev.zcp.secure.FrameMac;
import dev.zcp.secure.Handshake;
import dev.zcp.secure.Randomness;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HelloTest {

  private static final Bytes ID = Bytes.of(Randomness.bytes(Hello.SESSION_ID_BYTES));

  private final Hello sender = Hello.of(Side.SENDER, ID, 0, nonce());
  private final Hello receiver = sender.answer(Side.RECEIVER, nonce());

  @Test
  void bothHellosComeBackAsTheyWent() throws ProtocolException {
    assertThat(decode(sender.encode())).isEqualTo(sender);
    assertThat(decode(receiver.encode())).isEqualTo(receiver);
    sender.requireSupported(Side.RECEIVER);
    sender.requireAnswer(receiver);
    assertThat(sender.encode()).hasSize(Hello.BYTES);
  }

  @Test
  void aConnectionNumberIs16BitsAndNoMore() throws ProtocolException {
    Hello last = Hello.of(Side.SENDER, ID, 0xffff, sender.nonce());
    assertThat(decode(last.encode())).isEqualTo(last);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Hello.of(Side.SENDER, ID, 0x10000, sender.nonce()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Hello.of(Side.SENDER, ID, -1, sender.nonce()));
  }

  @Test
  void anEndThatHearsItsOwnHelloIsConnectedToItself() {
    assertRefused(() -> sender.requireSupported(Side.SENDER), "the peer is a sender, too");
    assertRefused(() -> receiver.requireSupported(Side.RECEIVER), "the peer is a receiver, too");
  }

  @Test
  void anotherVersionIsReadToBeAnsweredAndNamed() throws ProtocolException {
    byte[] bytes = sender.encode();
    bytes[8] = 2;
    Hello newer = decode(bytes);
    assertThat(newer.version()).isEqualTo(2);
    assertRefused(
        () -> newer.requireSupported(Side.RECEIVER), "the peer speaks zcp/2, and this is zcp/1");
  }

  @Test
  void aReceiverTellsTheOrderOfMagnitudeOfItsRoom() throws ProtocolException {
    assertThat(receiver.room()).isEqualTo(RoomThere.UNSAID);
    assertThat(RoomThere.UNSAID.holds(0, 0)).isTrue();
    assertThat(RoomThere.UNSAID.holds(1, 0)).isFalse();
    Hello telling = receiver.having(RoomThere.of(1000, 7));
    assertThat(decode(telling.encode())).isEqualTo(telling).isNotEqualTo(receiver);
    assertThat(telling.room().holds(511, 7)).isTrue();
    assertThat(telling.room().holds(512, 7)).isFalse();
    assertThat(telling.room().holds(511, 8)).isFalse();
    RoomThere all = RoomThere.of(Long.MAX_VALUE, Long.MAX_VALUE);
    assertThat(all.holds(Long.MAX_VALUE, Long.MAX_VALUE)).isTrue();
    byte[] more = receiver.encode();
    more[38] = (byte) 0xff;
    assertThat(decode(more).room()).isEqualTo(RoomThere.of(Long.MAX_VALUE, 0));
  }

  @Test
  void whatAnEndIsWillingToDoIsIgnoredIfItIsUnknown() throws ProtocolException {
    Hello taking = receiver.takingCompressed();
    byte[] bytes = taking.encode();
    assertThat(decode(bytes)).isEqualTo(taking).isNotEqualTo(receiver);
    assertThat(taking.takesCompressed()).isTrue();
    assertThat(receiver.takesCompressed()).isFalse();
    bytes[37] = (byte) 0x80;
    Hello later = decode(bytes);
    later.requireSupported(Side.SENDER);
    assertThat(later.takesCompressed()).isTrue();
  }

  @Test
  void anUnknownModeOrCapabilityIsRefused() throws ProtocolException {
    byte[] encrypted = sender.encode();
    encrypted[10] = 2;
    Hello wantsMode = decode(encrypted);
    assertRefused(
        () -> wantsMode.requireSupported(Side.RECEIVER),
        "the peer wants mode 2, which zcp/1 has not");
    byte[] capable = sender.encode();
    capable[15] = (byte) 0x80;
    Hello needs = decode(capable);
    assertRefused(
        () -> needs.requireSupported(Side.RECEIVER),
        "the peer needs capabilities that are unknown here: 0x80000000");
  }

  @Test
  void toDiscardIsACapabilityThatComesBackAsItWent() throws ProtocolException {
    for (Hello hello : List.of(sender, receiver)) {
      assertThat(hello.isDiscarding()).isFalse();
      Hello heard = decode(hello.discarding().encode());
      assertThat(heard).isEqualTo(hello.discarding()).isNotEqualTo(hello);
      assertThat(heard.isDiscarding()).isTrue();
      heard.requireSupported(hello.side().other());
    }
    byte[] more = receiver.discarding().encode();
    more[12] |= 2;
    assertRefused(
        () -> decode(more).requireSupported(Side.SENDER),
        "the peer needs capabilities that are unknown here: 0x2");
  }

  @Test
  void anAnswerToAnotherSessionOrConnectionIsRefused() {
    Bytes otherId = Bytes.of(new byte[Hello.SESSION_ID_BYTES]);
    Hello otherSession =
        Hello.of(Side.SENDER, otherId, 0, sender.nonce()).answer(Side.RECEIVER, receiver.nonce());
    Hello otherConnection =
        Hello.of(Side.SENDER, ID, 1, sender.nonce()).answer(Side.RECEIVER, receiver.nonce());
    assertRefused(() -> sender.requireAnswer(otherSession), "the peer answers to another session");
    assertRefused(
        () -> sender.requireAnswer(otherConnection), "the peer answers to another session");
  }

  @ParameterizedTest
  @CsvSource({
    "'HTTP/1.1 400 Bad Request', 'HTTP, not zcp'",
    "'GET / HTTP/1.1', 'HTTP, not zcp'",
    "'SSH-2.0-OpenSSH', 'SSH, not zcp'",
    "'\u0016\u0003\u0001\u0002\u0000', 'TLS, which this end does not ask for (if it is a zcp, add"
        + " --tls or use the URL that it printed)'",
    "'\u0015\u0003\u0003\u0000\u0002\u0002', 'TLS, which this end does not ask for (if it is a zcp,"
        + " add --tls or use the URL that it printed)'",
    "'x', 'something else, not zcp'",
    "'220 mail', 'something else, not zcp'"
  })
  void aPeerThatIsNotZcpIsCalledByItsName(String start, String guess) {
    ByteBuffer bytes = ByteBuffer.wrap(start.getBytes(StandardCharsets.ISO_8859_1));
    assertRefused(() -> Hello.checkMagic(bytes), "the peer speaks " + guess);
    assertThat(bytes.position()).isZero();
  }

  @Test
  void theBeginningOfAHelloIsNoReasonToRefuse() {
    for (int length = 0; length <= Hello.BYTES; length++) {
      ByteBuffer start = ByteBuffer.wrap(sender.encode(), 0, length);
      assertThatCode(() -> Hello.checkMagic(start)).doesNotThrowAnyException();
    }
  }

  @Test
  void everyByteOfTheMagicCounts() {
    for (int i = 0; i < Hello.MAGIC_BYTES; i++) {
      byte[] bytes = sender.encode();
      bytes[i] ^= 0x20;
      assertRefused(() -> decode(bytes), "the peer speaks something else, not zcp");
    }
  }

  @Test
  void anUnknownSideIsRefused() {
    byte[] bytes = sender.encode();
    bytes[11] = 3;
    assertRefused(() -> decode(bytes), "unknown side 3 in the hello");
  }

  @Test
  void aWelcomeComesBackAsItWent() throws ProtocolException {
    for (Welcome welcome : Welcome.values()) {
      assertThat(Welcome.decode(ByteBuffer.wrap(welcome.encode()))).isEqualTo(welcome);
    }
    assertRefused(
        () -> Welcome.decode(ByteBuffer.wrap(new byte[] {5})), "unknown status 5 in the welcome");
  }

  @Test
  void theLengthsOfTheFramesAndOfTheSealsAgree() {
    assertThat(Handshake.PROOF_BYTES).isEqualTo(Limits.PROOF_BYTES);
    assertThat(FrameMac.BYTES).isEqualTo(Limits.MAC_BYTES);
    assertThat(Hello.BYTES + Limits.PROOF_BYTES).isEqualTo(104);
  }

  private static Bytes nonce() {
    return Bytes.of(Randomness.bytes(Hello.NONCE_BYTES));
  }

  private interface Call {
    void run() throws ProtocolException;
  }

  private static Hello decode(byte[] bytes) throws ProtocolException {
    return Hello.decode(ByteBuffer.wrap(bytes));
  }

  private static void assertRefused(Call call, String reason) {
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(call::run)
        .withMessage(reason)
        .matches(refusal -> refusal.exitCode() == ExitCode.PROTOCOL);
  }
}
