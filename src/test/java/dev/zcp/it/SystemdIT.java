package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.secure.Key;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The unit of the packages, started by a real systemd. It is the first process of namespaces of
/// its own, with the `/usr` of the machine and nothing else of it: it cannot change the kernel's
/// settings, load modules, or read what the kernel audits.
class SystemdIT {

  private static final Path UNIT = Path.of("src/packages/zcp-receive.service");
  private static final Path SYSTEMD = Path.of("/lib/systemd/systemd");
  private static final String MACHINE = "000102030405060708090a0b0c0d0e0f";
  private static final String KEY = Key.random().text();
  private static final long RUN_S_MAX = 50;

  /// Starts systemd with the folder `$1` at `/test` and the folder of zcp, `$2`, at `/opt/zcp`.
  private static final String BOOT =
      """
      set -eu
      cgroups=/sys/fs/cgroup
      [ ! -d $cgroups/unified ] || cgroups=$cgroups/unified
      group=$cgroups/zcp-test-$$
      mkdir $group
      trap 'find $group -depth -type d -exec rmdir {} +' EXIT
      cat > "$1/enter" <<'END'
      set -eu
      root=$1/root
      mkdir "$root"
      mount -t tmpfs -o mode=755 none "$root"
      cd "$root"
      mkdir usr proc sys dev run tmp var root opt opt/zcp test old
      mount --bind /usr usr
      mount -o remount,bind,ro usr
      for each in bin sbin lib lib64; do
        if [ -L /$each ]; then cp -P /$each .; fi
      done
      cp -R "$1/etc" .
      mount --bind "$1" test
      mount --bind "$2" opt/zcp
      mount -t proc proc proc
      mount --bind proc/sys proc/sys
      mount -o remount,bind,ro proc/sys
      mount -t sysfs -o ro sysfs sys
      mount -t cgroup2 none sys/fs/cgroup
      mount -t tmpfs -o mode=755 none dev
      for each in null zero full random urandom tty; do
        touch dev/$each
        mount --bind /dev/$each dev/$each
      done
      mkdir dev/shm dev/pts
      mount -t devpts -o newinstance,ptmxmode=0666 none dev/pts
      ln -s pts/ptmx dev/ptmx
      mount -t tmpfs -o mode=755 none run
      ip address add 192.0.2.1/32 dev lo
      pivot_root . old
      exec env -i container=zcp PATH=/usr/bin:/usr/sbin setpriv \\
        --bounding-set=-sys_module,-sys_time,-syslog,-audit_control,-audit_read \\
        sh -c 'umount -l /old; mount --make-rshared /; exec "$0" --unit=test.service' \\
        /lib/systemd/systemd
      END
      sh -c 'echo $$ > '$group'/cgroup.procs; exec "$@"' sh timeout -k 1 40 \\
        unshare --fork --kill-child --pid --mount --uts --ipc --net --cgroup \\
        sh "$1/enter" "$1" "$2" || true
      """;

  /// Runs beside the service, and ends the machine.
  private static final String TEST_SERVICE =
      """
      [Unit]
      Wants=zcp-receive.service
      After=zcp-receive.service

      [Service]
      Type=oneshot
      Environment=HOME=/root
      StandardOutput=append:/test/said
      StandardError=append:/test/said
      ExecStart=/bin/sh /test/script
      ExecStopPost=/bin/sh -c 'systemctl --force --force poweroff > /dev/null 2>&1'
      """;

  /// `send` waits for the service to listen. The first address is that of another machine, to the
  /// sender's mind; to its own it would speak without TLS.
  private static final String SCRIPT =
      """
      zcp=/opt/zcp/bin/zcp
      send() {
        for i in $(seq 100); do
          $zcp send -q --key-file=/etc/zcp/key "$@" 2> /test/error && return
          sleep 0.1
        done
        cat /test/error
      }
      cd /root
      head -c 1000000 /dev/urandom > file
      send 192.0.2.1 file
      cmp file /var/lib/zcp/file && stat -c 'arrived with mode %a' /var/lib/zcp/file
      [ "$(stat -c %u /var/lib/zcp/file)" = 0 ] || echo "of a user of its own"
      systemctl kill --signal=KILL zcp-receive
      echo more > more
      send --tls localhost more
      cat /var/lib/zcp/more
      echo "restarts: $(systemctl show --property=NRestarts --value zcp-receive)"
      systemd-analyze security --threshold=20 zcp-receive > /dev/null && echo "exposed little"
      systemctl stop zcp-receive
      echo "stopped: $(systemctl show --property=Result --value zcp-receive)"
      journalctl --sync
      journalctl --unit=zcp-receive --output=cat > /test/journal
      """;

  @TempDir Path folder;

  @BeforeEach
  void requireSystemd() throws IOException {
    assumeTrue(Programs.isRoot(), "only root starts a systemd");
    assumeTrue(Files.isExecutable(SYSTEMD), "there is no systemd");
    Programs.assume("unshare", "setpriv", "ip", "systemctl", "journalctl", "timeout");
  }

  @Test
  void theServiceReceivesAsAUserOfItsOwnAndSaysSoInTheJournal() throws Exception {
    write("etc/systemd/system/test.service", TEST_SERVICE);
    write(
        "etc/systemd/system/zcp-receive.service",
        Files.readString(UNIT).replace("/usr/bin/zcp", "/opt/zcp/bin/zcp"));
    // Without it, systemd would take this for its first start and enable all that it finds.
    write("etc/machine-id", MACHINE + "\n");
    write("etc/passwd", "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n");
    write("etc/group", "root:x:0:\nnogroup:x:65534:\n");
    write("etc/zcp/key", KEY + "\n");
    Programs.run("chmod", "600", folder.resolve("etc/zcp/key").toString());
    write("script", SCRIPT);
    String log = boot();
    Path said = folder.resolve("said");
    assumeTrue(Files.exists(said), "systemd does not start here: " + log);

    assertThat(said)
        .hasContent(
            """
            arrived with mode 640
            of a user of its own
            more
            restarts: 1
            exposed little
            stopped: success
            """);
    assertThat(Files.readString(folder.resolve("journal")))
        .contains("received 1 file, 977 KiB in ")
        .doesNotContain(KEY);
  }

  private void write(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  /// @return what was said on the way
  private String boot() throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    Path zcp = BuiltZcp.LAUNCHER.getParent().getParent();
    Process process =
        new ProcessBuilder("sh", "-c", BOOT, "sh", folder.toString(), zcp.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    process.getOutputStream().close();
    boolean ended = process.waitFor(RUN_S_MAX, TimeUnit.SECONDS);
    assertThat(ended).as("systemd ended").isTrue();
    return Files.readString(log);
  }
}
