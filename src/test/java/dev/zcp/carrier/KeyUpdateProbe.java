package dev.zcp.carrier;

import dev.zcp.testing.PairedCarrier;
import java.nio.ByteBuffer;
import java.security.Security;
import java.util.concurrent.CompletableFuture;

/// Many key updates in both directions at once, in a process of its own: the JDK reads the limit
/// once.
final class KeyUpdateProbe {

  private static final long BYTES = 40 << 20;

  private KeyUpdateProbe() {}

  public static void main(String[] args) throws Exception {
    Security.setProperty("jdk.tls.keyLimits", "AES/GCM/NoPadding KeyUpdate 2^20");
    PairedCarrier[] pair = PairedCarrier.pair(false);
    Carrier near = new TlsCarrier(pair[0], false);
    Carrier far = new TlsCarrier(pair[1], true);
    CompletableFuture<byte[]> there = CarrierContract.async(far::establish);
    near.establish();
    there.get();
    CompletableFuture<Void> one = CarrierContract.async(() -> write(near));
    CompletableFuture<Void> other = CarrierContract.async(() -> write(far));
    CompletableFuture<Long> read = CarrierContract.async(() -> read(far));
    long back = read(near);
    one.get();
    other.get();
    System.out.println("read " + read.get() + " and " + back);
  }

  private static Void write(Carrier carrier) throws Exception {
    ByteBuffer bytes = ByteBuffer.allocate(100_000);
    for (long left = BYTES; left > 0; left -= bytes.position()) {
      carrier.write(bytes.clear().limit((int) Math.min(left, bytes.capacity())));
    }
    carrier.endOutput();
    return null;
  }

  private static long read(Carrier carrier) throws Exception {
    long all = 0;
    ByteBuffer bytes = ByteBuffer.allocate(100_000);
    while (carrier.source().read(bytes.clear(), 0) >= 0) {
      all += bytes.position();
    }
    return all;
  }
}
