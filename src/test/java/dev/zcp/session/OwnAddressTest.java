package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnAddressTest {

  @Test
  void whatCanBeReachedComesFirstAndIpv4BeforePrivateIpv6() throws Exception {
    List<InetAddress> all =
        List.of(
            ip("127.0.0.1"), ip("fd00::2"), ip("172.17.0.1"), ip("2001:db8::1"), ip("192.0.2.2"));
    InetAddress outward = ip("192.0.2.2");
    assertThat(OwnAddress.allFor(ip("::"), all, outward))
        .containsExactly("192.0.2.2", "172.17.0.1", "2001:db8::1", "fd00::2");
    assertThat(OwnAddress.allFor(ip("0.0.0.0"), all, outward))
        .containsExactly("192.0.2.2", "172.17.0.1");
    assertThat(OwnAddress.allFor(ip("::"), all, null))
        .containsExactly("172.17.0.1", "192.0.2.2", "2001:db8::1", "fd00::2");
  }

  @Test
  void anAddressIsShownWithoutTheZoneThatOnlyThisMachineKnows() throws Exception {
    InetAddress scoped = Inet6Address.getByAddress("", ip("fd00::2").getAddress(), 1);
    assertThat(scoped.getHostAddress()).endsWith("%1");
    assertThat(OwnAddress.allFor(ip("::"), List.of(scoped), null)).containsExactly("fd00::2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2001:db8::1",
        "2001:db8:1:2:3:4:5:6",
        "2001:db8::1:0:0:1",
        "2001:0:0:1::1",
        "2001:db8:0:1:1:1:1:1",
        "2001:db8:1:2:3:4:5:0",
        "2001:db8:1::",
        "::1:2"
      })
  void theLongestRunOfZerosIsLeftOut(String shortest) throws Exception {
    assertThat(OwnAddress.allFor(ip("::"), List.of(ip(shortest)), null)).containsExactly(shortest);
  }

  @Test
  void ifPeersCanReachNothingItIsTheLoopbackAddress() throws Exception {
    List<InetAddress> all = List.of(ip("::1"), ip("fe80::1"), ip("169.254.0.1"));
    assertThat(OwnAddress.allFor(ip("0.0.0.0"), all, null))
        .containsExactly(InetAddress.getLoopbackAddress().getHostAddress());
  }

  private static InetAddress ip(String literal) throws Exception {
    return InetAddress.getByName(literal);
  }
}
