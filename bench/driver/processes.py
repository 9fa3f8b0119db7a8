"""Processes, what they take, and an end for those that take too long."""

import ctypes
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from resource import struct_rusage

RUN_LIMIT_S = 120

# A receiver that has been listening for this long has nothing left to prepare.
SETTLE_S = 0.3

# What a daemon may take to end when it is told to.
FAREWELL_S = 3.0

POLL_S = 0.0005
TCP_LISTEN = "0A"
NET = Path("/proc/net")
PR_SET_CHILD_SUBREAPER = 36  # prctl(2)


class Failed(Exception):
    """A process ended otherwise than it should, or never.

    @param brief the same without paths and without what the process said
    """

    def __init__(self, message: str, code: int = 0, brief: str = ""):
        super().__init__(message)
        self.code = code
        self.brief = brief or message


@dataclass(frozen=True)
class Command:
    """`settings` are added to the environment."""

    argv: list[str]
    stdin: str = os.devnull
    stdout: str = os.devnull
    settings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """What one run does: phase after phase, the commands of a phase side by side.

    A server is started first, and the first phase lasts until it has ended too; a daemon is started
    before it, and is ended when the clock has stopped. The first of them listens on the port before
    anything else begins. Their own start is on the clock only where it is cold.

    `net` is where the kernel lists the sockets of whoever listens.

    `own_clock` reads what the program says of its time, where its start would drown that.

    `rehearsals` of the phases come before the clock starts, each followed by `forget`, so that a
    daemon is measured which has served before. What they take is not counted.
    """

    phases: list[list[Command]]
    server: Command | None = None
    port: int = 0
    cold: bool = False
    daemon: Command | None = None
    settle_s: float = SETTLE_S
    own_clock: Callable[[], float] | None = None
    net: Path = NET
    rehearsals: int = 0
    forget: Callable[[], None] = lambda: None


@dataclass
class Usage:
    """What a run took; processor time and memory of all its processes together.

    @param far_s the processor time of server and daemon, which is among the rest
    """

    wall_s: float = 0
    user_s: float = 0
    system_s: float = 0
    rss_kib: int = 0
    far_s: float = 0

    def add(self, usage: struct_rusage, far: bool) -> None:
        self.user_s += usage.ru_utime
        self.system_s += usage.ru_stime
        self.rss_kib += usage.ru_maxrss
        self.far_s += usage.ru_utime + usage.ru_stime if far else 0


@dataclass
class Crew:
    """Processes that run together, with one file for what they say on standard error.

    Those that a process of the crew leaves behind become this process's own, and are counted too.
    """

    errors: Path
    usage: Usage = field(default_factory=Usage)
    running: dict[int, Command] = field(default_factory=dict)
    daemons: dict[int, Command] = field(default_factory=dict)
    servers: set[int] = field(default_factory=set)

    def start(self, command: Command) -> int:
        new = os.O_WRONLY | os.O_CREAT
        streams = [
            (os.POSIX_SPAWN_OPEN, 0, command.stdin, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, command.stdout, new | os.O_TRUNC, 0o644),
            (os.POSIX_SPAWN_OPEN, 2, self.errors, new | os.O_APPEND, 0o644),
        ]
        argv = command.argv
        environment = {**os.environ, **command.settings}
        pid = os.posix_spawnp(argv[0], argv, environment, file_actions=streams)
        self.running[pid] = command
        return pid

    def start_server(self, command: Command) -> None:
        self.servers.add(self.start(command))

    def start_daemon(self, command: Command) -> None:
        pid = self.start(command)
        self.daemons[pid] = self.running.pop(pid)

    def wait(self) -> None:
        """Waits until all but the daemons have ended, and well."""
        while self.running:
            self.reap(0)

    def reap(self, options: int) -> None:
        pid, status, usage = os.wait4(-1, options)
        if pid == 0:
            return
        daemon = self.daemons.pop(pid, None)
        command = daemon or self.running.pop(pid, None)
        # Only daemons leave children behind.
        self.usage.add(usage, far=bool(daemon) or not command or pid in self.servers)
        code = os.waitstatus_to_exitcode(status)
        # Nobody has told a daemon to end yet; of an orphan only its time counts.
        if daemon or (command and code != 0):
            ended = f"ended with {code}"
            said = self.errors.read_text(errors="replace").strip()
            message = f"{' '.join(command.argv)} {ended}: {said}"
            raise Failed(message, code, f"{Path(command.argv[0]).name} {ended}")

    def play(self, phases: list[list[Command]]) -> None:
        for phase in phases:
            for command in phase:
                self.start(command)
            self.wait()

    def forget(self) -> None:
        """What was taken until now does not count, by daemons that go on neither."""
        self.usage = Usage()
        for pid in self.daemons:
            user_s, system_s = processor_s(pid)
            self.usage.user_s -= user_s
            self.usage.system_s -= system_s
            self.usage.far_s -= user_s + system_s

    def dismiss(self) -> None:
        """Ends the daemons, then waits for all that is left of the crew; kills what stays."""
        for pid in self.daemons:
            os.kill(pid, signal.SIGTERM)
        deadline_s = time.monotonic() + FAREWELL_S
        while True:
            try:
                pid, _, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid:
                self.usage.add(usage, far=True)
                continue
            if time.monotonic() > deadline_s:
                for child in children():
                    os.kill(child, signal.SIGKILL)
            time.sleep(POLL_S)
        self.daemons.clear()

    def kill(self) -> None:
        """After a failure: at once, those left behind by others too."""
        while left := children():
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            for pid in left:
                os.waitpid(pid, 0)
        self.running.clear()
        self.daemons.clear()


def run(plan: Plan, errors: Path, limit_s: int = 0) -> Usage:
    """Runs a plan once, for RUN_LIMIT_S at most where no other limit is given.

    The clock is CLOCK_MONOTONIC, from before the first process is made until after the last one
    was waited for.
    """
    errors.write_bytes(b"")
    adopt_orphans()
    crew = Crew(errors)
    try:
        with limited(limit_s or RUN_LIMIT_S):
            started_s = time.monotonic()
            if plan.daemon:
                crew.start_daemon(plan.daemon)
                await_listener(plan, crew)
            if plan.server:
                crew.start_server(plan.server)
                if not plan.daemon:
                    await_listener(plan, crew)
            if (plan.daemon or plan.server) and not plan.cold:
                time.sleep(plan.settle_s)
                for _ in range(plan.rehearsals):
                    crew.play(plan.phases)
                    plan.forget()
                    time.sleep(plan.settle_s)
                    crew.forget()
                started_s = time.monotonic()
            crew.play(plan.phases)
            crew.usage.wall_s = time.monotonic() - started_s
            crew.dismiss()
    finally:
        crew.kill()
    if plan.own_clock:
        crew.usage.wall_s = plan.own_clock()
    return crew.usage


def adopt_orphans() -> None:
    """A daemon's children that outlive it would otherwise be init's, and nobody's to count."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise Failed(f"prctl: {os.strerror(ctypes.get_errno())}")


def children() -> list[int]:
    """The processes that this one is the parent of: proc_pid_stat(5)."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name before it may hold blanks and brackets.
            _, parent, *_ = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(parent) == os.getpid():
            found.append(int(stat.parent.name))
    return found


def processor_s(pid: int) -> tuple[float, float]:
    """What a process has taken as a user and in the kernel: proc_pid_stat(5)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    user, system = (int(field) / os.sysconf("SC_CLK_TCK") for field in fields[11:13])
    return user, system


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


def await_listener(plan: Plan, crew: Crew) -> None:
    """Waits until something listens on the port, without making a connection of its own."""
    while not is_listening(plan.port, plan.net):
        crew.reap(os.WNOHANG)
        time.sleep(POLL_S)


def is_listening(port: int, net: Path = NET) -> bool:
    for table in ("tcp", "tcp6"):
        with open(net / table) as lines:
            next(lines)
            for line in lines:
                _, local, _, state, *_ = line.split()
                if state == TCP_LISTEN and int(local.rpartition(":")[2], 16) == port:
                    return True
    return False
