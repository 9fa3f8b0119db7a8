package dev.zcp.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.Failure;
import dev.zcp.wire.EntryPath;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Names are any bytes, and come through URLs, forms, headers and pages as they are.
class WebNameTest {

  @Test
  void everyByteComesThroughAUrl() throws Failure {
    for (int b = 1; b < 256; b++) {
      if (b != '/') {
        byte[] name = {'x', (byte) b};
        assertThat(WebName.ofUrl(WebName.encoded(name)).bytes()).isEqualTo(name);
      }
    }
  }

  @Test
  void aFormEncodesQuotesAndLineEndsAlone() throws Failure {
    EntryPath path = WebName.ofForm(EntryPath.TOP, "a%22b/100%%0D%0A%41");
    assertThat(path.bytes()).isEqualTo("a\"b/100%\r\n%41".getBytes(StandardCharsets.US_ASCII));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", ".", "..", "a/..", "a//b", "/a", "a/", "%2E.", "a%2Fb", "%00", "%", "%a", "%zz", "%1",
        "\u0100"
      })
  void whatIsNoNameIsRefused(String encoded) {
    assertThatThrownBy(() -> WebName.ofUrl(encoded)).isInstanceOf(Failure.class);
  }

  @Test
  void aHeaderHasNoNameThatEndsIt() {
    String header =
        WebName.disposition("a\"; x=\"\r\nSet-Cookie: b\\".getBytes(StandardCharsets.UTF_8), "");
    assertThat(header)
        .isEqualTo(
            "attachment; filename=\"a_; x=___Set-Cookie: b_\";"
                + " filename*=UTF-8''a%22%3B%20x%3D%22%0D%0ASet-Cookie%3A%20b%5C");
  }

  @Test
  void aPageHasNoNameThatIsMarkup() {
    assertThat(WebPage.escaped("<a href='\"&\u0000\u0085>"))
        .isEqualTo("&lt;a href=&#39;&quot;&amp;\ufffd\ufffd&gt;");
  }

  @Test
  void nobodyIsAskedWhatAnAddressIsCalled() throws Exception {
    InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    assertThat(address.getHostName()).isEqualTo("127.0.0.1");
    assertThat(InetAddress.getByName("localhost").isLoopbackAddress()).isTrue();
  }
}
