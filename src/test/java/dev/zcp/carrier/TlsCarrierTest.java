package dev.zcp.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.secure.Tls;
import dev.zcp.testing.OpenDescriptors;
import dev.zcp.testing.PairedCarrier;
import dev.zcp.testing.TestConnection;
import dev.zcp.testing.TestRoute;
import dev.zcp.wire.ProtocolException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TlsCarrierTest extends CarrierContract {

  private Carrier below;

  @Override
  Carrier[] pair() throws IOException {
    SocketChannel[] pair = TestRoute.sockets();
    below = TestConnection.carrier(pair[0]);
    Carrier belowFar = TestConnection.carrier(pair[1]);
    return new Carrier[] {new TlsCarrier(below, false), new TlsCarrier(belowFar, true)};
  }

  /// A pipe of 64 KiB, which takes less than one write of TLS.
  static class OverPipesTest extends CarrierContract {

    @Override
    Carrier[] pair() throws IOException {
      PairedCarrier[] pair = PairedCarrier.pair(false);
      return new Carrier[] {new TlsCarrier(pair[0], true), new TlsCarrier(pair[1], false)};
    }
  }

  @Test
  void theBindingIsThatOfThisConnectionAlone() throws Exception {
    PairedCarrier[] other = PairedCarrier.pair();
    CompletableFuture<byte[]> there = async(new TlsCarrier(other[1], true)::establish);
    byte[] here = new TlsCarrier(other[0], false).establish();
    assertThat(here).hasSize(Tls.BINDING_BYTES).isEqualTo(there.get());
    PairedCarrier[] another = PairedCarrier.pair();
    async(new TlsCarrier(another[1], true)::establish);
    assertThat(new TlsCarrier(another[0], false).establish()).isNotEqualTo(here);
  }

  @Test
  void bytesAreCopiedAndNobodyOnTheWayCanChangeThem() {
    assertThat(near.sink().traits().encrypted()).isTrue();
    assertThat(near.source().traits().hasDescriptor()).isFalse();
    assertThat(near.isTamperProof()).isTrue();
  }

  /// Whether all was said, sealed frames tell.
  @Test
  void theEndOfTheSocketIsTheEnd() throws Exception {
    far.write(ByteBuffer.wrap(new byte[5]));
    far.cut();
    ByteBuffer got = ByteBuffer.allocate(9);
    assertThat(near.source().read(got, 0)).isEqualTo(5);
    assertThat(near.source().read(got, 0)).isEqualTo(-1);
  }

  @Test
  void aRecordThatWasChangedOnTheWayBreaksTheConnection() throws Exception {
    below.write(ByteBuffer.wrap(new byte[] {23, 3, 3, 0, 20}), ByteBuffer.allocate(20));
    assertThatThrownBy(() -> far.source().read(ByteBuffer.allocate(9), 0))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("TLS broke: ");
  }

  @Test
  void whoSpeaksNoTlsIsToldSoInTls() throws Exception {
    for (String said : new String[] {"\u0089zcp\r\n\u001a\n", "GET / HTTP/1.1\r\n\r\n"}) {
      PairedCarrier[] pair = PairedCarrier.pair();
      pair[0].write(ByteBuffer.wrap(said.getBytes(StandardCharsets.ISO_8859_1)));
      assertThatThrownBy(new TlsCarrier(pair[1], true)::establish)
          .isInstanceOf(ProtocolException.class)
          .hasMessageStartingWith("the peer does not speak TLS");
      ByteBuffer alert = ByteBuffer.allocate(99);
      pair[0].source().read(alert, 0);
      assertThat(alert.flip()).isEqualTo(ByteBuffer.wrap(new byte[] {21, 3, 3, 0, 2, 2, 10}));
    }
  }

  @Test
  void whoGoesAwayDuringTheHandshakeEndsIt() throws Exception {
    for (byte[] said : new byte[][] {{}, {22, 3, 3, 1, 0, 1}}) {
      PairedCarrier[] pair = PairedCarrier.pair();
      pair[0].write(ByteBuffer.wrap(said));
      pair[0].endOutput();
      assertThatThrownBy(new TlsCarrier(pair[1], true)::establish).isInstanceOf(EOFException.class);
    }
  }

  /// A message of a handshake could be of 16 MiB.
  @Test
  void aStrangerCannotHaveTheEngineKeepMuch() throws Exception {
    PairedCarrier[] pair = PairedCarrier.pair();
    byte[] hello = new byte[5 + 16384];
    byte[] head = {22, 3, 1, 64, 0, 1, 127, -1, -1};
    System.arraycopy(head, 0, hello, 0, head.length);
    pair[0].write(ByteBuffer.wrap(hello));
    assertThatThrownBy(new TlsCarrier(pair[1], true)::establish)
        .isInstanceOf(ProtocolException.class)
        .hasMessage("the TLS handshake failed: excessive message size");
  }

  /// Each left the pipe of its engine open until a garbage collection.
  @Test
  void aConnectionThatIsClosedLeavesNoDescriptorHoweverItEnded() throws Exception {
    List<String> before = OpenDescriptors.targets();
    byte[] nothing = {};
    byte[] noTls = {'G', 'E', 'T', ' '};
    byte[] halfHello = {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc};
    byte[] badHello = {22, 3, 1, 0, 4, 1, 0, 0, 0};
    for (byte[] said : new byte[][] {nothing, noTls, halfHello, badHello}) {
      PairedCarrier[] pair = PairedCarrier.pair();
      pair[0].write(ByteBuffer.wrap(said));
      pair[0].endOutput();
      try (Carrier _ = pair[0];
          Carrier here = new TlsCarrier(pair[1], true)) {
        assertThatThrownBy(here::establish).isInstanceOf(Exception.class);
      }
    }
    for (byte[] record : new byte[][] {{}, {23, 3, 3, 0, 1, 0}}) {
      connect();
      far.write(ByteBuffer.allocate(9));
      below.writeAll(ByteBuffer.wrap(record));
      near.cut();
      try {
        far.source().read(ByteBuffer.allocate(9), 0);
      } catch (IOException e) {
        // Of the record that was changed on the way.
      }
      close();
    }
    assertThat(before).containsAll(OpenDescriptors.targets());
  }
}
