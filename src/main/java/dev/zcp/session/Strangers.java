package dev.zcp.session;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// Connections that have proved nothing yet. Their number is bounded: if there are too many, one
/// makes room that comes from where most of them come from, and chance says which; never the one
/// that has just come. So whoever opens many keeps out nobody from elsewhere, and from there not
/// for long.
///
/// @param <C> a connection
final class Strangers<C> {

  static final int STRANGERS_MAX = 64;

  /// Of few descriptors they get a share. Each has three, if it has begun a handshake of TLS.
  private static final int DESCRIPTORS_SHARE = 8;

  private static final int STRANGERS_MIN = 16;

  /// What a network gives to one of its users, of an address of IPv6: RFC 6177.
  private static final int NETWORK_BYTES = 8;

  private final RandomGenerator random;
  private final int strangersMax;

  // Guarded by this.
  private final List<Stranger<C>> all = new ArrayList<>();

  private record Stranger<C>(C connection, ByteBuffer network) {}

  /// @param descriptorsMax of the process
  Strangers(RandomGenerator random, int descriptorsMax) {
    this.random = random;
    this.strangersMax =
        Math.clamp(descriptorsMax / DESCRIPTORS_SHARE, STRANGERS_MIN, STRANGERS_MAX);
  }

  /// @param address where it comes from; null if that has none
  /// @return the one that makes room, or null
  synchronized C add(C connection, InetAddress address) {
    C out = all.size() < strangersMax ? null : makeRoom();
    all.add(new Stranger<>(connection, network(address)));
    return out;
  }

  /// @return whether it was among them
  synchronized boolean remove(C connection) {
    return all.removeIf(each -> each.connection() == connection);
  }

  private C makeRoom() {
    List<Stranger<C>> crowd = crowd();
    Stranger<C> out = crowd.get(random.nextInt(crowd.size()));
    all.remove(out);
    return out.connection();
  }

  private List<Stranger<C>> crowd() {
    Map<ByteBuffer, List<Stranger<C>>> networks = new HashMap<>();
    List<Stranger<C>> crowd = List.of();
    for (Stranger<C> each : all) {
      List<Stranger<C>> here = networks.computeIfAbsent(each.network(), _ -> new ArrayList<>());
      here.add(each);
      crowd = here.size() > crowd.size() ? here : crowd;
    }
    return crowd;
  }

  private static ByteBuffer network(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address == null ? new byte[0] : address.getAddress());
    return address instanceof Inet6Address ? bytes.limit(NETWORK_BYTES) : bytes;
  }
}
