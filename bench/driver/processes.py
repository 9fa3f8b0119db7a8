"""Processes, what they take, and an end for those that take too long."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

RUN_LIMIT_S = 120

# A receiver that has been listening for this long has nothing left to prepare.
SETTLE_S = 0.3

LISTEN_POLL_S = 0.0005
TCP_LISTEN = "0A"


class Failed(Exception):
    """A process ended otherwise than it should, or never."""

    def __init__(self, message: str, code: int = 0):
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Command:
    argv: list[str]
    stdin: str = os.devnull
    stdout: str = os.devnull


@dataclass(frozen=True)
class Plan:
    """What one run does: phase after phase, the commands of a phase side by side.

    A server is started first and listens on its port before the first phase, which lasts until it
    has ended too. Its own start is on the clock only where it is cold.
    """

    phases: list[list[Command]]
    server: Command | None = None
    port: int = 0
    cold: bool = False


@dataclass
class Usage:
    """What a run took; processor time and memory of all its processes together."""

    wall_s: float = 0
    user_s: float = 0
    system_s: float = 0
    rss_kib: int = 0


@dataclass
class Crew:
    """Processes that run together, with one file for what they say on standard error."""

    errors: Path
    usage: Usage = field(default_factory=Usage)
    running: dict[int, Command] = field(default_factory=dict)

    def start(self, command: Command) -> None:
        new = os.O_WRONLY | os.O_CREAT
        streams = [
            (os.POSIX_SPAWN_OPEN, 0, command.stdin, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, command.stdout, new | os.O_TRUNC, 0o644),
            (os.POSIX_SPAWN_OPEN, 2, self.errors, new | os.O_APPEND, 0o644),
        ]
        argv = command.argv
        pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=streams)
        self.running[pid] = command

    def wait(self) -> None:
        """Waits until all have ended, and well."""
        while self.running:
            self.reap(0)

    def reap(self, options: int) -> None:
        pid, status, usage = os.wait4(-1, options)
        if pid == 0:
            return
        command = self.running.pop(pid)
        self.usage.user_s += usage.ru_utime
        self.usage.system_s += usage.ru_stime
        self.usage.rss_kib += usage.ru_maxrss
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            said = self.errors.read_text(errors="replace").strip()
            raise Failed(f"{' '.join(command.argv)} ended with {code}: {said}", code)

    def kill(self) -> None:
        for pid in self.running:
            os.kill(pid, signal.SIGKILL)
        for pid in self.running:
            os.waitpid(pid, 0)
        self.running.clear()


def run(plan: Plan, errors: Path) -> Usage:
    """Runs a plan once.

    The clock is CLOCK_MONOTONIC, from before the first process is made until after the last one
    was waited for.
    """
    errors.write_bytes(b"")
    crew = Crew(errors)
    try:
        with limited(RUN_LIMIT_S):
            started_s = time.monotonic()
            if plan.server:
                crew.start(plan.server)
                await_listener(plan.port, crew)
                if not plan.cold:
                    time.sleep(SETTLE_S)
                    started_s = time.monotonic()
            for phase in plan.phases:
                for command in phase:
                    crew.start(command)
                crew.wait()
            crew.usage.wall_s = time.monotonic() - started_s
    finally:
        crew.kill()
    return crew.usage


@contextmanager
def limited(limit_s: int) -> Iterator[None]:
    """Ends what runs within it by an exception after so many seconds."""

    def expire(*_: object) -> None:
        raise Failed(f"still running after {limit_s} s")

    before = signal.signal(signal.SIGALRM, expire)
    signal.alarm(limit_s)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def await_listener(port: int, crew: Crew) -> None:
    """Waits until something listens on the port, without making a connection of its own."""
    while not is_listening(port):
        crew.reap(os.WNOHANG)
        time.sleep(LISTEN_POLL_S)


def is_listening(port: int) -> bool:
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with open(table) as lines:
            next(lines)
            for line in lines:
                _, local, _, state, *_ = line.split()
                if state == TCP_LISTEN and int(local.rpartition(":")[2], 16) == port:
                    return True
    return False
