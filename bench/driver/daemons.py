"""Peers of the network whose receiver goes on when it has the file.

Each has settings and keys of its own, made for the benchmark and gone with it, and listens on a
free port of loopback, or where a way to it has its receivers. It is started anew for each run, so that its processor time can be counted.
"""

import os
import pwd
import secrets
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from driver.contest import Contender, Place
from driver.lab import LISTENING, free_ports
from driver.processes import Command, Failed, Plan
from driver.ways import LOOPBACK, Way

CIPHER = "aes128-gcm@openssh.com"

# Where sshd of Debian empties its world when it is root.
PRIVILEGE_SEPARATION = Path("/run/sshd")

# croc's sender has no port to watch: it meets the relay, and both agree on a key.
CROC_SETTLE_S = 1.5


@dataclass(frozen=True)
class Rsync:
    """Encrypts nothing, and compares a digest of every file that it sends."""

    folder: Path
    place: Place
    way: Way = LOOPBACK

    def contenders(self) -> list[Contender]:
        return [Contender(LISTENING, "rsync daemon", self.plan, lacks="encrypt")]

    def plan(self) -> Plan:
        port, to = self.way.port_pair()
        settings = self.folder / "rsyncd.conf"
        lines = [
            f"address = {self.way.listen}",
            "reverse lookup = no",
            "use chroot = no",
            "[to]",
            f"path = {self.place.target.parent}",
            "read only = no",
        ]
        if os.geteuid() == 0:
            # Else it becomes nobody, who may not write there.
            lines += ["uid = 0", "gid = 0"]
        settings.write_text("\n".join(lines) + "\n")
        daemon = ["rsync", "--daemon", "--no-detach"]
        options = [f"--port={port}", f"--config={settings}"]
        content = "/" if self.place.source.is_dir() else ""
        target = f"rsync://{self.way.host}:{to}/to/{self.place.target.name}{content}"
        send = ["rsync", "-a", "--whole-file", f"{self.place.source}{content}", target]
        return Plan(
            [[self.way.sender(send)]],
            port=port,
            daemon=self.way.receiver([*daemon, *options]),
            net=self.way.net,
        )


@dataclass(frozen=True)
class Ssh:
    """To an sshd that asks for nothing but a key: scp as it comes and by a fast cipher, rsync, and
    zcp, of which the same program is at both ends.

    @param options_of_zcp more of them
    """

    folder: Path
    place: Place
    zcp: str
    way: Way = LOOPBACK
    options_of_zcp: tuple[str, ...] = ()

    def contenders(self) -> list[Contender]:
        lacks = "verify more than each packet"
        if not self.place.source.is_dir():
            lacks += "; keep times"
        found = [
            Contender(LISTENING, "scp", self.scp, lacks=lacks),
            Contender(
                LISTENING,
                "scp -c aes128-gcm",
                lambda: self.scp("-c", CIPHER),
                lacks=lacks,
            ),
            Contender(LISTENING, "zcp by ssh", self.own, headline=True),
        ]
        if shutil.which("rsync"):
            found.append(Contender(LISTENING, "rsync by ssh", self.rsync))
        return found

    def scp(self, *options: str) -> Plan:
        def command(to: int) -> list[str]:
            copy = ["scp", "-q", "-P", str(to), *self.options(), *options]
            if self.place.source.is_dir():
                copy.append("-rp")
            return [*copy, str(self.place.source), self.address(self.place.target)]

        return self.plan(command)

    def rsync(self) -> Plan:
        content = "/" if self.place.source.is_dir() else ""

        def command(to: int) -> list[str]:
            copy = ["rsync", "-a", "--whole-file", "-e", self.shell(to)]
            target = self.address(self.place.target)
            return [*copy, f"{self.place.source}{content}", f"{target}{content}"]

        return self.plan(command)

    def own(self) -> Plan:
        def command(to: int) -> list[str]:
            copy = [self.zcp, "copy", "-a", "-q", f"--ssh={self.shell(to)}"]
            copy += [f"--remote-command={self.zcp}", *self.options_of_zcp]
            return [*copy, str(self.place.source), self.address(self.place.target.parent)]

        return self.plan(command)

    def shell(self, to: int) -> str:
        return shlex.join(["ssh", "-p", str(to), *self.options()])

    def options(self) -> list[str]:
        found = ["-F", os.devnull, "-i", str(self.folder / "user")]
        for option in (
            "BatchMode=yes",
            "IdentitiesOnly=yes",
            "StrictHostKeyChecking=yes",
            f"UserKnownHostsFile={self.folder / 'known_hosts'}",
        ):
            found += ["-o", option]
        return found

    def address(self, path: Path) -> str:
        return f"{pwd.getpwuid(os.geteuid()).pw_name}@{self.way.host}:{path}"

    def plan(self, command: Callable[[int], list[str]]) -> Plan:
        """@param command of the port that sshd is found at"""
        port, to = self.way.port_pair()
        settings = self.folder / "sshd_config"
        host, user = self.folder / "host", self.folder / "user"
        make_key(host)
        make_key(user)
        lines = [
            f"ListenAddress {self.way.listen}",
            f"Port {port}",
            f"HostKey {host}",
            f"AuthorizedKeysFile {user}.pub",
            "AuthenticationMethods publickey",
            "StrictModes no",
            "UsePAM no",
            "PidFile none",
            "Subsystem sftp internal-sftp",
            # Of bash: no ~/.bashrc. What a user has in it is not what any contender takes, and scp
            # would be the only one without it, since its end is part of sshd.
            "SetEnv SHLVL=1",
        ]
        settings.write_text("\n".join(lines) + "\n")
        known = self.folder / "known_hosts"
        known.write_text(f"[{self.way.host}]:{to} {public(host)}\n")
        # It starts itself again for each connection, which needs the whole path.
        daemon = [str(shutil.which("sshd")), "-D", "-e", "-f", str(settings)]
        return Plan(
            [[self.way.sender(command(to))]],
            port=port,
            daemon=self.way.receiver(daemon),
            net=self.way.net,
        )


@dataclass(frozen=True)
class Rclone:
    """Pushed, as zcp does: to webdav, which is as plain as zcp is on loopback but has no digests
    to compare, and to sftp, which encrypts and compares them. `rclone serve http` only gives.
    """

    folder: Path
    place: Place
    way: Way = LOOPBACK

    def contenders(self) -> list[Contender]:
        make_key(self.folder / "host")
        make_key(self.folder / "user")
        return [
            Contender(
                LISTENING,
                "rclone to webdav",
                self.webdav,
                lacks="verify more than the size; encrypt; keep mode",
            ),
            Contender(LISTENING, "rclone to sftp", self.sftp, lacks="keep mode"),
        ]

    def webdav(self) -> Plan:
        port, to = self.way.port_pair()
        address = f"http://{self.way.host}:{to}"
        options = [f"--webdav-url={address}", "--webdav-vendor=rclone"]
        return self.plan(port, "webdav", [], options)

    def sftp(self) -> Plan:
        port, to = self.way.port_pair()
        host, user = self.folder / "host", self.folder / "user"
        known = self.folder / "known_hosts_of_rclone"
        known.write_text(f"[{self.way.host}]:{to} {public(host)}\n")
        serve = [f"--key={host}", f"--authorized-keys={user}.pub"]
        options = [
            f"--sftp-host={self.way.host}",
            f"--sftp-port={to}",
            "--sftp-user=bench",
            f"--sftp-key-file={user}",
            f"--sftp-known-hosts-file={known}",
            "--sftp-shell-type=unix",
        ]
        return self.plan(port, "sftp", serve, options)

    def plan(self, port: int, kind: str, serve: list[str], options: list[str]) -> Plan:
        rclone = ["rclone", "--config=", f"--cache-dir={self.folder}"]
        address = f"--addr={self.way.listen}:{port}"
        directory = str(self.place.target.parent)
        daemon = [*rclone, "serve", kind, *serve, address, directory]
        target = f":{kind}:{self.place.target.name}"
        copy = [*rclone, "copyto", *options, str(self.place.source), target]
        return Plan(
            [[self.way.sender(copy)]],
            port=port,
            daemon=self.way.receiver(daemon),
            net=self.way.net,
        )


@dataclass(frozen=True)
class Croc:
    """Through a relay of its own, as between two machines that do not see each other: a sender
    that waits, and the receiver's start on the clock.
    """

    folder: Path
    place: Place

    def contenders(self) -> list[Contender]:
        return [Contender(LISTENING, "croc by a relay", self.plan)]

    def plan(self) -> Plan:
        ports = free_ports(5)
        relay = ["croc", "relay", "--host", "127.0.0.1"]
        listed = ",".join(map(str, ports))
        by = ["croc", "--yes", "--ignore-stdin", "--relay", f"127.0.0.1:{ports[0]}"]
        # Where it is an argument, others could read it; croc takes it from there on Unix.
        settings = {
            "CROC_SECRET": secrets.token_hex(16),
            "CROC_CONFIG_DIR": str(self.folder),
            "CROC_DO_CHECK": "0",
        }
        # Left to itself, it may take a way through other people's servers.
        send = [*by, "send", "--no-local", "--transport", "relay"]
        receive = [*by, "--out", str(self.place.target.parent)]
        return Plan(
            [[Command(receive, settings=settings)]],
            Command([*send, str(self.place.source)], settings=settings),
            ports[0],
            daemon=Command([*relay, "--ports", listed], settings=settings),
            settle_s=CROC_SETTLE_S,
        )


@contextmanager
def privilege_separation() -> Iterator[None]:
    """The folder that sshd of root asks for; one that was there stays."""
    missing = os.geteuid() == 0 and not PRIVILEGE_SEPARATION.exists()
    if missing:
        PRIVILEGE_SEPARATION.mkdir(mode=0o755)
    try:
        yield
    finally:
        if missing:
            PRIVILEGE_SEPARATION.rmdir()


def make_key(path: Path) -> None:
    if not path.exists():
        make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)]
        if subprocess.run(make, stdin=subprocess.DEVNULL).returncode != 0:
            raise Failed("ssh-keygen made no key")


def public(key: Path) -> str:
    """Kind and key, without whose it is."""
    return " ".join(key.with_suffix(".pub").read_text().split()[:2])
