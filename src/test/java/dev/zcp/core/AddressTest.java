package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {

  private static final String SECRET = "c2VjcmV0LXNlY3JldC1zZQ";

  @ParameterizedTest
  @CsvSource({
    "host:5230,                  UNSAID,    ,    host,             5230",
    "host,                       UNSAID,    ,    host,             5230",
    "12,                         UNSAID,    ,    12,               5230",
    "[::1],                      UNSAID,    ,    ::1,              5230",
    "zcp://k@host,               ENCRYPTED, k,   host,             5230",
    "zcp+plain://k@[::1],        PLAIN,     k,   ::1,              5230",
    "host:0,                     UNSAID,    ,    host,             0",
    "host:65535,                 UNSAID,    ,    host,             65535",
    "127.0.0.1:1,                UNSAID,    ,    127.0.0.1,        1",
    "[::1]:80,                   UNSAID,    ,    ::1,              80",
    "[fe80::1%eth0]:80,          UNSAID,    ,    fe80::1%eth0,     80",
    "b\u00fccher.example:80,     UNSAID,    ,    b\u00fccher.example, 80",
    "zcp://host:1,               ENCRYPTED, ,    host,             1",
    "zcp://k@host:1,             ENCRYPTED, k,   host,             1",
    "zcp+plain://k@host:1,       PLAIN,     k,   host,             1",
    "zcp+plain://k@[::1]:1,      PLAIN,     k,   ::1,              1",
    "zcp+plain://k@l@host:1,     PLAIN,     k@l, host,             1",
    "zcp+plain://host:1,         PLAIN,     ,    host,             1",
  })
  void anAddressIsTakenApart(
      String text, Address.Scheme scheme, String key, String host, int port) {
    assertThat(Address.parse(text)).isEqualTo(new Address(scheme, key, host, port));
  }

  @ParameterizedTest
  @CsvSource({
    "'',                   is not an address: it names no host",
    "[::1]x:80,            [::1]x:80' is not an address: an IPv6 address ends in a bracket",
    "[::1:80,              [::1:80' is not an address: an IPv6 address ends in a bracket",
    "[,                    [' is not an address: an IPv6 address ends in a bracket",
    "zcp://host,           it needs a port",
    "::1:80,               an IPv6 address goes in brackets",
    "a:b:80,               an IPv6 address goes in brackets",
    ":80,                  it names no host",
    "[]:80,                it names no host",
    "host:,                the port is not a number",
    "host:http,            the port is not a number",
    "host:-1,              the port is not a number",
    "host:+1,              the port is not a number",
    "host:\u0661,          the port is not a number",
    "host:80/,             nothing may follow the port; the other end names its own directory",
    "host:65536,           a port is at most 65535",
    "host:99999999999999,  a port is at most 65535",
    "dir/file:80,          a host has no slash",
    "./a:80,               a host has no slash",
    "user@host:80,         is for ssh",
    "user@host:dir,        is for ssh",
    "http://host:80,       the scheme is neither zcp nor zcp+plain",
    "ssh://user@host/dir,  the scheme is neither zcp nor zcp+plain",
    "://host:80,           the scheme is neither zcp nor zcp+plain",
    "zcp://@host:80,       there is no key before the @",
  })
  void whatIsNoAddressIsRefusedWithItsReason(String text, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Address.parse(text))
        .withMessageContaining(reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zcp+plain://" + SECRET + "@host:99999",
        "zcp+plain://" + SECRET + "@",
        "zcp+plain://" + SECRET + "@:1",
        "zcp+plain://" + SECRET + "@a@b:x",
        "zcp+plain://" + SECRET,
        "zcp+plain://" + SECRET + ":5230x",
        "zcp+plian://" + SECRET + "@host:1",
        SECRET + "@host:1",
      })
  void noMessageShowsTheKey(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Address.parse(text))
        .withMessageNotContaining(SECRET);
  }

  @Test
  void whatIsShownOfAnAddressHoldsNoKeyAndNoTrap() {
    assertThat(Address.parse("zcp://" + SECRET + "@host:1")).hasToString("host:1");
    assertThat(Address.parse("zcp://" + SECRET + "@[::1]:1")).hasToString("[::1]:1");
    assertThat(Address.parse("h\u001bost:1")).hasToString("h\\x1bost:1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Address.parse("h\u202eost:x"))
        .withMessageNotContaining("\u202e");
  }

  @Test
  void whatIsShownCanBeReadAgain() {
    for (String text : new String[] {"host:1", "[::1]:5230", "127.0.0.1:65535"}) {
      assertThat(Address.parse(text)).hasToString(text);
    }
  }
}
