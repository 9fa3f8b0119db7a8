package dev.zcp.secure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class HandshakeTest {

  private final Key key = Key.random();
  private final byte[] diallerHello = Randomness.bytes(72);
  private final byte[] listenerHello = Randomness.bytes(72);
  private final Handshake here = of(key, diallerHello, listenerHello);
  private final Handshake there = of(key, diallerHello, listenerHello);

  private static Handshake of(Key key, byte[] diallerHello, byte[] listenerHello) {
    return new Handshake(key, "sender", diallerHello, "receiver", listenerHello, new byte[0]);
  }

  @Test
  void aProofOfAnotherSideProvesNothing() {
    Handshake fetch =
        new Handshake(key, "receiver", diallerHello, "sender", listenerHello, new byte[0]);
    assertThat(there.isDiallerProof(fetch.diallerProof())).isFalse();
    assertThat(here.isListenerProof(fetch.listenerProof())).isFalse();
  }

  @Test
  void bothEndsWithTheKeyAgreeAndAProofIsGoodMoreThanOnce() {
    assertThat(there.isDiallerProof(here.diallerProof())).isTrue();
    assertThat(here.isListenerProof(there.listenerProof())).isTrue();
    assertThat(here.diallerProof()).isEqualTo(here.diallerProof()).hasSize(32);
  }

  @Test
  void theProofIsTheHmacThatTheDocumentSays() throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.bytes(), "HmacSHA256"));
    mac.update("zcp/1 dialling sender proof\0".getBytes(StandardCharsets.US_ASCII));
    mac.update(diallerHello);
    assertThat(here.diallerProof()).isEqualTo(mac.doFinal(listenerHello));
  }

  @Test
  void aWrongKeyProvesNothing() {
    Handshake stranger = of(Key.random(), diallerHello, listenerHello);
    assertThat(there.isDiallerProof(stranger.diallerProof())).isFalse();
    assertThat(here.isListenerProof(stranger.listenerProof())).isFalse();
  }

  @Test
  void aProofSentBackProvesNothing() {
    assertThat(here.isListenerProof(here.diallerProof())).isFalse();
    assertThat(there.isDiallerProof(there.listenerProof())).isFalse();
    // Not even where the attacker repeats the hello as well.
    Handshake mirrored = of(key, diallerHello, diallerHello);
    assertThat(mirrored.isListenerProof(mirrored.diallerProof())).isFalse();
  }

  @Test
  void anOldProofIsWorthlessSinceEitherNonceIsNew() {
    byte[] old = here.diallerProof();
    assertThat(of(key, diallerHello, Randomness.bytes(72)).isDiallerProof(old)).isFalse();
    assertThat(of(key, Randomness.bytes(72), listenerHello).isDiallerProof(old)).isFalse();
  }

  @Test
  void aProofOfAnotherLengthIsNoProof() {
    byte[] proof = here.diallerProof();
    assertThat(there.isDiallerProof(Arrays.copyOf(proof, 31))).isFalse();
    assertThat(there.isDiallerProof(Arrays.copyOf(proof, 33))).isFalse();
    assertThat(there.isDiallerProof(new byte[0])).isFalse();
  }

  @Test
  void everyBitOfBothHellosIsProved() {
    byte[] proof = here.diallerProof();
    for (int bit = 0; bit < 72 * 8; bit++) {
      byte[] sender = diallerHello.clone();
      byte[] receiver = listenerHello.clone();
      sender[bit / 8] ^= (byte) (1 << bit % 8);
      receiver[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(of(key, sender, listenerHello).isDiallerProof(proof)).isFalse();
      assertThat(of(key, diallerHello, receiver).isDiallerProof(proof)).isFalse();
    }
  }

  @Test
  void theFourOutputsOfAHandshakeAreUnlike() {
    ByteBuffer message = ByteBuffer.allocate(32);
    ByteBuffer senderMac = ByteBuffer.allocate(FrameMac.BYTES);
    ByteBuffer receiverMac = ByteBuffer.allocate(FrameMac.BYTES);
    here.diallerKeys().own().sign(0, message.duplicate(), senderMac);
    here.diallerKeys().others().sign(0, message.duplicate(), receiverMac);
    assertThat(senderMac.flip()).isNotEqualTo(receiverMac.flip());
    assertThat(here.diallerProof()).isNotEqualTo(here.listenerProof());
  }

  @Test
  void aSealIsGoodForItsNumberItsMessageAndItsDirectionOnly() {
    byte[] message = Randomness.bytes(100);
    ByteBuffer mac = ByteBuffer.allocate(FrameMac.BYTES);
    here.diallerKeys().own().sign(7, ByteBuffer.wrap(message), mac);
    FrameMac verifier = there.diallerKeys().own();
    ByteBuffer seal = mac.flip();
    assertThat(verifier.verify(7, ByteBuffer.wrap(message), seal.duplicate())).isTrue();
    assertThat(verifier.verify(6, ByteBuffer.wrap(message), seal.duplicate())).isFalse();
    assertThat(verifier.verify(8, ByteBuffer.wrap(message), seal.duplicate())).isFalse();
    FrameMac otherWay = there.diallerKeys().others();
    assertThat(otherWay.verify(7, ByteBuffer.wrap(message), seal.duplicate())).isFalse();
    for (int i = 0; i < message.length; i++) {
      message[i] ^= 1;
      assertThat(verifier.verify(7, ByteBuffer.wrap(message), seal.duplicate())).isFalse();
      message[i] ^= 1;
    }
    for (int i = 0; i < FrameMac.BYTES; i++) {
      byte[] bent = seal.array().clone();
      bent[i] ^= (byte) 0x80;
      assertThat(verifier.verify(7, ByteBuffer.wrap(message), ByteBuffer.wrap(bent))).isFalse();
    }
    assertThat(verifier.verify(7, ByteBuffer.wrap(message), seal.duplicate())).isTrue();
  }

  @Test
  void noncesAreFresh() {
    List<ByteBuffer> nonces = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      nonces.add(ByteBuffer.wrap(Randomness.bytes(32)));
    }
    assertThat(nonces).doesNotHaveDuplicates().allMatch(nonce -> nonce.remaining() == 32);
  }
}
