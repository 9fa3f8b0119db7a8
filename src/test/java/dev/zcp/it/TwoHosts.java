package dev.zcp.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/// Two network namespaces with a cable between them: as far as the network goes, two machines.
final class TwoHosts implements Closeable {

  /// Of the second one.
  static final String ADDRESS = "10.213.57.2";

  /// What the kernel gives as free ports.
  private static final String FREE_PORTS = "32768-60999";

  private final String first = "zcp-" + ProcessHandle.current().pid() + "-a";
  private final String second = "zcp-" + ProcessHandle.current().pid() + "-b";

  /// Makes them. If that cannot be, the test is skipped.
  static TwoHosts connect() throws IOException {
    Programs.assume("ip", "ss");
    assumeTrue(Programs.isRoot(), "only root may make network namespaces");
    TwoHosts hosts = new TwoHosts();
    String cable = "z0 netns " + hosts.first + " type veth peer name z1 netns " + hosts.second;
    boolean isMade =
        succeeds("netns add " + hosts.first)
            && succeeds("netns add " + hosts.second)
            && succeeds("link add " + cable);
    if (!isMade) {
      hosts.close();
    }
    assumeTrue(isMade, "no network namespaces with a cable between them can be made");
    try {
      ip("-n " + hosts.first + " address add 10.213.57.1/30 dev z0");
      ip("-n " + hosts.second + " address add " + ADDRESS + "/30 dev z1");
      ip("-n " + hosts.first + " link set z0 up");
      ip("-n " + hosts.second + " link set z1 up");
      ip("-n " + hosts.second + " link set lo up");
      return hosts;
    } catch (IOException e) {
      hosts.close();
      throw e;
    }
  }

  private static boolean succeeds(String words) {
    return Programs.succeeds(command(words));
  }

  private static void ip(String words) throws IOException {
    Programs.run(command(words));
  }

  private static String[] command(String words) {
    return ("ip " + words).split(" ");
  }

  /// The words to put before a command that is to run on the first one.
  List<String> onFirst() {
    return List.of("ip", "netns", "exec", first);
  }

  /// As [#onFirst].
  List<String> onSecond() {
    return List.of("ip", "netns", "exec", second);
  }

  /// From now on the first one sends at most so much.
  ///
  /// @param rate as tc-tbf(8) has it
  void limit(String rate) throws IOException {
    String bucket = "burst 32kbit latency 50ms";
    Programs.run(
        ("tc -n " + first + " qdisc add dev z0 root tbf rate " + rate + " " + bucket).split(" "));
  }

  /// From now on nothing comes back from any free port of the second one.
  void silenceFreePorts() throws IOException {
    ip("-n " + second + " rule add ipproto tcp sport " + FREE_PORTS + " blackhole");
  }

  /// Ends all connections of the first one, but those to this port.
  ///
  /// @return how many there were
  long endConnectionsBut(int port) throws IOException {
    String ended = Programs.run("ip", "netns", "exec", first, "ss", "-HtnK", "dport != :" + port);
    return ended.lines().count();
  }

  @Override
  public void close() {
    succeeds("netns delete " + first);
    succeeds("netns delete " + second);
  }
}
