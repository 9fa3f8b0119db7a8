package dev.zcp.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.Failure;
import dev.zcp.ssh.RemotePath.Login;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemotePathTest {

  @ParameterizedTest
  @CsvSource({
    "host:path, , host, 0, path",
    "host:, , host, 0, ''",
    "user@host:/a:b, user, host, 0, /a:b",
    "user@name@host:x, user@name, host, 0, x",
    "CORP\\user@host:x, CORP\\user, host, 0, x",
    "svc$@host:x, svc$, host, 0, x",
    "m\u00c3\u00bcller@host:x, m\u00c3\u00bcller, host, 0, x",
    "first last@host:x, first last, host, 0, x",
    "[::1]:path, , ::1, 0, path",
    "user@[fe80::1%eth0]:p, user, fe80::1%eth0, 0, p",
    "ssh://host/etc, , host, 0, /etc",
    "ssh://host, , host, 0, ''",
    "ssh://u@host:2222/~/x, u, host, 2222, ~/x",
    "ssh://[::1]:22/a%20b, , ::1, 22, /a b",
    "ssh://[::1]/a, , ::1, 0, /a",
  })
  void whatNamesAnotherMachineIsToldApart(
      String typed, String user, String host, int port, String path) throws Failure {
    RemotePath remote = RemotePath.of(typed);
    assertThat(remote.login()).isEqualTo(new Login(user, host, port));
    assertThat(new String(remote.path(), StandardCharsets.ISO_8859_1)).isEqualTo(path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "./a:b", "/a:b", "dir/a:b", ":path", "-", "[a", "[::1]", "~/a:b"})
  void aPathOfThisMachineIsNone(String typed) throws Failure {
    assertThat(RemotePath.of(typed)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-oProxyCommand=x:path",
        "-x@host:path",
        "user@:path",
        "user@-host:path",
        "ho st:path",
        "$(id):path",
        "a`b`@host:path",
        "$(id)@host:path",
        "a;b@host:path",
        "a -oX@host:path",
        "a\\@host:path",
        "a\tb@host:path",
        "ssh://-x/path",
        "ssh:///path",
        "ssh://host:/path",
        "ssh://host:0/path",
        "ssh://host:65536/path",
        "ssh://host:22x/path",
        "ssh://host/%2",
        "ssh://host/%zz",
        "ssh://host/%00",
        "http://host/path",
      })
  void whatIsNoHostIsRefused(String typed) {
    assertThatThrownBy(() -> RemotePath.of(typed)).isInstanceOf(Failure.class);
  }

  @Test
  void aKeyIsNotShown() {
    assertThatThrownBy(() -> RemotePath.of("zcp://AAAAAAAAAAAAAAAAAAAAAA@host:5230"))
        .hasMessageContaining("zcp send")
        .message()
        .doesNotContain("AAAA");
  }

  @ParameterizedTest
  @CsvSource({
    "a:x, a:x, true",
    "a:x/, a:x, true",
    "a:x/y, a:x/, true",
    "a:x, a:, true",
    "a:/x, a:/, true",
    "a:xy, a:x, false",
    "a:x, a:x/y, false",
    "b:x/y, a:x, false",
    "u@a:x, a:x, false",
  })
  void whetherAPathIsInAnotherIsKnownByHowItIsTyped(String path, String other, boolean isIn)
      throws Failure {
    assertThat(RemotePath.of(path).isIn(RemotePath.of(other))).isEqualTo(isIn);
  }

  @Test
  void digitsAloneAreAPort() {
    assertThat(RemotePath.hasPort("host:5230")).isTrue();
    assertThat(RemotePath.hasPort("host:5230x")).isFalse();
    assertThat(RemotePath.hasPort("host:")).isFalse();
    assertThat(RemotePath.hasPort("ssh://host:22")).isFalse();
  }
}
