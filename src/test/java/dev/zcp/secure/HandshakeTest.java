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
  private final byte[] senderHello = Nonce.random(72);
  private final byte[] receiverHello = Nonce.random(72);
  private final Handshake here = new Handshake(key, senderHello, receiverHello);
  private final Handshake there = new Handshake(key, senderHello, receiverHello);

  @Test
  void bothEndsWithTheKeyAgreeAndAProofIsGoodMoreThanOnce() {
    assertThat(there.isSenderProof(here.senderProof())).isTrue();
    assertThat(here.isReceiverProof(there.receiverProof())).isTrue();
    assertThat(here.senderProof()).isEqualTo(here.senderProof()).hasSize(32);
  }

  @Test
  void theProofIsTheHmacThatTheDocumentSays() throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.bytes(), "HmacSHA256"));
    mac.update("zcp/1 sender proof\0".getBytes(StandardCharsets.US_ASCII));
    mac.update(senderHello);
    assertThat(here.senderProof()).isEqualTo(mac.doFinal(receiverHello));
  }

  @Test
  void aWrongKeyProvesNothing() {
    Handshake stranger = new Handshake(Key.random(), senderHello, receiverHello);
    assertThat(there.isSenderProof(stranger.senderProof())).isFalse();
    assertThat(here.isReceiverProof(stranger.receiverProof())).isFalse();
  }

  @Test
  void aProofSentBackProvesNothing() {
    assertThat(here.isReceiverProof(here.senderProof())).isFalse();
    assertThat(there.isSenderProof(there.receiverProof())).isFalse();
    // Not even where the attacker repeats the hello as well.
    Handshake mirrored = new Handshake(key, senderHello, senderHello);
    assertThat(mirrored.isReceiverProof(mirrored.senderProof())).isFalse();
  }

  @Test
  void anOldProofIsWorthlessSinceEitherNonceIsNew() {
    byte[] old = here.senderProof();
    assertThat(new Handshake(key, senderHello, Nonce.random(72)).isSenderProof(old)).isFalse();
    assertThat(new Handshake(key, Nonce.random(72), receiverHello).isSenderProof(old)).isFalse();
  }

  @Test
  void aProofOfAnotherLengthIsNoProof() {
    byte[] proof = here.senderProof();
    assertThat(there.isSenderProof(Arrays.copyOf(proof, 31))).isFalse();
    assertThat(there.isSenderProof(Arrays.copyOf(proof, 33))).isFalse();
    assertThat(there.isSenderProof(new byte[0])).isFalse();
  }

  @Test
  void everyBitOfBothHellosIsProved() {
    byte[] proof = here.senderProof();
    for (int bit = 0; bit < 72 * 8; bit++) {
      byte[] sender = senderHello.clone();
      byte[] receiver = receiverHello.clone();
      sender[bit / 8] ^= (byte) (1 << bit % 8);
      receiver[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(new Handshake(key, sender, receiverHello).isSenderProof(proof)).isFalse();
      assertThat(new Handshake(key, senderHello, receiver).isSenderProof(proof)).isFalse();
    }
  }

  @Test
  void theFourOutputsOfAHandshakeAreUnlike() {
    ByteBuffer message = ByteBuffer.allocate(32);
    ByteBuffer senderMac = ByteBuffer.allocate(FrameMac.BYTES);
    ByteBuffer receiverMac = ByteBuffer.allocate(FrameMac.BYTES);
    here.sessionKeys().sender().sign(0, message.duplicate(), senderMac);
    here.sessionKeys().receiver().sign(0, message.duplicate(), receiverMac);
    assertThat(senderMac.flip()).isNotEqualTo(receiverMac.flip());
    assertThat(here.senderProof()).isNotEqualTo(here.receiverProof());
  }

  @Test
  void aSealIsGoodForItsNumberItsMessageAndItsDirectionOnly() {
    byte[] message = Nonce.random(100);
    ByteBuffer mac = ByteBuffer.allocate(FrameMac.BYTES);
    here.sessionKeys().sender().sign(7, ByteBuffer.wrap(message), mac);
    FrameMac verifier = there.sessionKeys().sender();
    ByteBuffer seal = mac.flip();
    assertThat(verifier.verify(7, ByteBuffer.wrap(message), seal.duplicate())).isTrue();
    assertThat(verifier.verify(6, ByteBuffer.wrap(message), seal.duplicate())).isFalse();
    assertThat(verifier.verify(8, ByteBuffer.wrap(message), seal.duplicate())).isFalse();
    FrameMac otherWay = there.sessionKeys().receiver();
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
      nonces.add(ByteBuffer.wrap(Nonce.random()));
    }
    assertThat(nonces).doesNotHaveDuplicates().allMatch(nonce -> nonce.remaining() == 32);
  }
}
