"""How a sender reaches a receiver: over loopback, or between two network namespaces.

A namespace lives as long as a process in it, which ends with this one or when its input ends; so
nothing stays on the machine. Those processes must not be children of the process that measures,
which waits for every child it has: who opens ways forks, and measures in the child.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from driver.lab import free_port
from driver.processes import POLL_S, Command, Failed, is_listening

LOOPBACK_HOST = "127.0.0.1"

# Of the namespaces, which nobody else sees.
NEAR_HOST, FAR_HOST = "10.0.0.1", "10.0.0.2"
RECEIVER_PORT, DELAY_PORT = 5230, 5231

# tc-tbf(8): a bucket of 10 ms at 10 Gbit/s, and as much again waiting as 50 ms bring.
BURST = "1600kb"
LATENCY = "50ms"

START_LIMIT_S = 5.0


@dataclass(frozen=True)
class Way:
    """How a sender reaches a receiver.

    @param listen where receivers listen
    @param host what senders connect to
    @param near what comes before a sender's command
    @param far what comes before a receiver's command
    @param ports that of receivers and that of senders, where they are not free to choose
    @param net where the kernel lists the sockets of receivers
    @param round_trip_ms what the way adds
    """

    name: str
    title: str
    listen: str = LOOPBACK_HOST
    host: str = LOOPBACK_HOST
    near: tuple[str, ...] = ()
    far: tuple[str, ...] = ()
    ports: tuple[int, int] | None = None
    net: Path = Path("/proc/net")
    round_trip_ms: int = 0

    def port_pair(self) -> tuple[int, int]:
        """Where the next receiver listens, and where senders find it."""
        if self.ports:
            return self.ports
        port = free_port()
        return port, port

    def sender(self, argv: list[str], **more) -> Command:
        return Command([*self.near, *argv], **more)

    def receiver(self, argv: list[str], **more) -> Command:
        return Command([*self.far, *argv], **more)


LOOPBACK = Way("loopback", "loopback")


@dataclass(frozen=True)
class Ways:
    """@param left_out the ways that were asked for and cannot be had, each with the reason"""

    there: list[Way]
    left_out: dict[str, str]


NAMES = ["loopback", "limited", "10ms", "50ms"]


@contextmanager
def opened(wanted: list[str], rate: str, programs: Path | None) -> Iterator[Ways]:
    """The ways of these names.

    @param rate what tc-tbf(8) lets through
    @param programs where the C programs are, or nothing
    """
    with ExitStack() as stack:
        there, left_out = [], {}
        if "loopback" in wanted:
            there.append(LOOPBACK)
        remote = [name for name in wanted if name != "loopback"]
        reason = obstacle() if remote else ""
        for name in remote:
            delay_ms = int(name.removesuffix("ms")) if name.endswith("ms") else 0
            if reason or delay_ms and not programs:
                left_out[name] = reason or "no C compiler for the delay"
            else:
                there.append(between(stack, name, rate, delay_ms, programs))
        yield Ways(there, left_out)


def obstacle() -> str:
    """Why there can be no namespaces, or nothing."""
    if os.geteuid() != 0:
        return "not root, so there are no network namespaces"
    for tool in ("unshare", "nsenter", "ip", "tc"):
        if not shutil.which(tool):
            return f"no {tool}"
    return ""


def between(
    stack: ExitStack, name: str, rate: str, delay_ms: int, programs: Path | None
) -> Way:
    """Two namespaces with a cable of a limited rate, and where asked for a delay at its far end."""
    near, far = namespace(stack), namespace(stack)
    cable = ["ip", "link", "add", "near", "netns", str(near), "type", "veth"]
    do([*cable, "peer", "name", "far", "netns", str(far)])
    for process, device, host in ((near, "near", NEAR_HOST), (far, "far", FAR_HOST)):
        inside = enter(process)
        do([*inside, "ip", "address", "add", f"{host}/24", "dev", device])
        do([*inside, "ip", "link", "set", "lo", "up"])
        do([*inside, "ip", "link", "set", device, "up"])
        limit = ["tc", "qdisc", "add", "dev", device, "root", "tbf", "rate", rate]
        do([*inside, *limit, "burst", BURST, "latency", LATENCY])
    net = Path(f"/proc/{far}/net")
    title = f"{rate} between namespaces"
    ports, listen = (RECEIVER_PORT, RECEIVER_PORT), FAR_HOST
    if delay_ms:
        title += f", {delay_ms} ms of round trip"
        ports, listen = (RECEIVER_PORT, DELAY_PORT), LOOPBACK_HOST
        addresses = [FAR_HOST, str(DELAY_PORT), LOOPBACK_HOST, str(RECEIVER_PORT)]
        one_way = str(delay_ms // 2)
        hold(stack, [*enter(far), str(programs / "delay"), *addresses, one_way])
        await_until(lambda: is_listening(DELAY_PORT, net), "the delay listens")
    return Way(
        name,
        title,
        listen,
        FAR_HOST,
        tuple(enter(near)),
        tuple(enter(far)),
        ports,
        net,
        delay_ms,
    )


def apart(stack: ExitStack, measure: Callable[[], int]) -> int:
    """Measures in a child, and gives its code, however this process is asked to end: the child
    cleans up first.
    """
    child = os.fork()
    if child:
        try:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        except (KeyboardInterrupt, SystemExit):
            os.kill(child, signal.SIGTERM)
            os.waitpid(child, 0)
            raise
    # What was opened is for the parent to close, and is held here, since a folder goes with the
    # last that holds it.
    others = stack.pop_all()  # noqa: F841
    code = 1
    try:
        code = measure()
    except Failed as failure:
        print(f"bench: {failure}", file=sys.stderr)
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    except SystemExit as end:
        code = end.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        os._exit(code)


def namespace(stack: ExitStack) -> int:
    """A process in a network namespace of its own."""
    process = hold(stack, ["unshare", "--net", "cat"])
    own = os.readlink("/proc/self/ns/net")

    def apart() -> bool:
        return os.readlink(f"/proc/{process.pid}/ns/net") != own

    await_until(apart, "unshare(1) has made a network namespace")
    return process.pid


def enter(process: int) -> list[str]:
    return ["nsenter", f"--net=/proc/{process}/ns/net", "--"]


def hold(stack: ExitStack, argv: list[str]) -> subprocess.Popen:
    """Starts a process that lasts as long as the stack. Its input ends where this process does."""
    process = subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True
    )

    def end() -> None:
        process.stdin.close()
        process.terminate()
        process.wait()

    stack.callback(end)
    return process


def await_until(true: object, what: str) -> None:
    deadline_s = time.monotonic() + START_LIMIT_S
    while not true():
        if time.monotonic() > deadline_s:
            raise Failed(f"not after {START_LIMIT_S} s: {what}")
        time.sleep(POLL_S)


def do(argv: list[str]) -> None:
    result = subprocess.run(argv, text=True, stdout=-1, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        raise Failed(f"{' '.join(argv)} ended with {result.returncode}: {result.stdout}")
