package dev.zcp.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.Failure;
import dev.zcp.ssh.RemotePath.Login;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SshCommandTest {

  private static final String SCRIPT = "exec zcp serve";
  private static final Login BOX = new Login(null, "box", 0);

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '%',
      value = {
        "ssh, ssh",
        "ssh -J jump -p 2222, ssh|-J|jump|-p|2222",
        "  ssh   -v , ssh|-v",
        "ssh -o 'Proxy Command', ssh|-o|Proxy Command",
        "ssh a\"b c\"d, ssh|ab cd",
        "ssh 'it''s', ssh|it's",
        "ssh \"a\"\"b\" '', ssh|a\"b|",
        "ssh $HOME `id` \\ ;x, ssh|$HOME|`id`|\\|;x",
      })
  void wordsAreSplitAtSpacesThatNoQuoteProtects(String typed, String words) throws Failure {
    assertThat(SshCommand.of(typed, "zcp").words()).containsExactly(words.split("\\|", -1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "ssh 'x", "ssh \"x", "''"})
  void whatNamesNoProgramIsRefused(String typed) {
    assertThatThrownBy(() -> SshCommand.of(typed, "zcp")).isInstanceOf(Failure.class);
  }

  @Test
  void theHostComesLastAndTheRemoteCommandIsConstant() throws Failure {
    SshCommand ssh = SshCommand.of("ssh -4", "/opt/zcp/bin/zcp");
    List<String> plain = ssh.line(new Login(null, "host", 0), SCRIPT);
    assertThat(plain).startsWith("ssh", "-4", "-x", "-T").doesNotContain("-p", "-l");
    assertThat(plain).endsWith("-oRemoteCommand=none", "--", "host", "/opt/zcp/bin/zcp serve");
    assertThat(ssh.line(new Login("user", "host", 22), SCRIPT))
        .endsWith("-p", "22", "-l", "user", "--", "host", "/opt/zcp/bin/zcp serve");
  }

  @Test
  void whatIsNoSshGetsTheHostAndTheWordsOfTheCommandOnly() throws Failure {
    SshCommand docker = SshCommand.ofOther("docker exec -i", "sudo zcp");
    assertThat(docker.line(BOX, SCRIPT))
        .containsExactly("docker", "exec", "-i", "box", "sudo", "zcp", "serve");
    assertThatThrownBy(() -> docker.line(new Login("user", "box", 0), SCRIPT))
        .hasMessageContaining("--rsh takes a host without user or port");
    assertThatThrownBy(() -> docker.line(new Login(null, "box", 22), SCRIPT))
        .isInstanceOf(Failure.class);
  }

  @ParameterizedTest
  @CsvSource({
    "docker exec -i, docker|exec|-i|box",
    "podman exec -i, podman|exec|-i|box",
    "sudo -u, sudo|-u|box",
    "kubectl exec -i -c app, kubectl|exec|-i|-c|app|box|--",
    "kubectl exec -i -c app {} --, kubectl|exec|-i|-c|app|box|--",
    "/opt/bin/oc rsh -T, /opt/bin/oc|rsh|-T|box|--",
    "lxc exec {} --, lxc|exec|box|--",
  })
  void aShellIsStartedByTheWordsThatTheProgramTakes(String typed, String words) throws Failure {
    List<String> line = SshCommand.ofOther(typed, null).line(BOX, SCRIPT);
    assertThat(String.join("|", line)).isEqualTo(words + "|sh|-c|" + SCRIPT);
  }
}
