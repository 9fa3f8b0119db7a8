#!/usr/bin/env python3
"""A second implementation of zcp/1, written from PROTOCOL.md and protocol/ alone.

It shows that the document suffices to write either end, and that zcp keeps to it. It sends and
receives files and directories over one connection at a time, and serves one session. It is slow:
its CRC32C is made in Python.

    zcp_peer.py send    (--dial HOST:PORT | --listen HOST:PORT) --key KEY PATH...
    zcp_peer.py receive (--dial HOST:PORT | --listen HOST:PORT) --key KEY DIRECTORY
"""

import argparse
import base64
import bisect
import functools
import hashlib
import hmac
import operator
import os
import queue
import secrets
import shutil
import socket
import stat
import struct
import subprocess
import sys
import threading
import time

# Section "Limits".
PAYLOAD_BYTES_MAX = 262144
DATA_BYTES_MAX = 1 << 30
RECORDS_MAX = 4096
PART_BYTES_MAX = 4 << 20
PART_FILES_MAX = 512
PIECE_OF_ZSTD_BYTES_MAX = 1 << 20
PARTS_UNDER_WAY_MAX = 128
LOOKS_UNDER_WAY_MAX = 16
PATH_BYTES_MAX = 32768
PATH_NAMES_MAX = 10240
ATTRIBUTES_BYTES_MAX = 131072
HELD_MAX = 8192
RUNS_MAX = 65536
TEXT_BYTES_MAX = 1024
ENTRIES_UNDER_WAY_MAX = 20480
OFFERED_BYTES_MAX = 4 << 20
UNITS_UNDER_WAY_MAX = 4096
HANDSHAKE_S = 10
STALL_S = 30
CLOSE_S = 10
NUMBER_MAX = (1 << 63) - 1
UNKNOWN = (1 << 64) - 1
SECONDS_MIN, SECONDS_MAX = -31557014167219200, 31556889864403199  # years -1000000000 to 999999999
LARGE_BYTES = 4194304  # a larger file counts for `files` from its offer on

# Choices of this peer.
SMALL_BYTES = 64 << 10  # up to this size a file goes in a PART
PART_BYTES = 1 << 20
BLOCK_BYTES = 1 << 20
WINDOW_BYTES = 8 << 20
FILES = 16
PIECE_BYTES = 256 << 10
TRIES_MAX = 4

MAGIC = b"\x89zcp\r\n\x1a\n"
SENDER, RECEIVER = 1, 2
ROLES = {SENDER: b"sender", RECEIVER: b"receiver"}
(MANIFEST, ACCEPT, OFFER, REPLY, WANTS, DATA, TRAILER, END, LOST, VERDICTS, DONE, BEAT,
 PART, SHOW, LIMITED) = range(1, 16)
TYPE_NAMES = ("- MANIFEST ACCEPT OFFER REPLY WANTS DATA TRAILER END LOST VERDICTS DONE BEAT "
              "PART SHOW LIMITED SURPLUS CHUNKS").split()
CHUNKS = 17
# type: who says it (3 is both), the flags it may have, least and greatest length
TYPES = {
    MANIFEST: (SENDER, 0, 32, 32), ACCEPT: (RECEIVER, 1, 24, 24),
    OFFER: (SENDER, 0, 91, PAYLOAD_BYTES_MAX), REPLY: (RECEIVER, 0, 14, PAYLOAD_BYTES_MAX),
    WANTS: (RECEIVER, 0, 9, 520), DATA: (SENDER, 2, 1, DATA_BYTES_MAX),
    TRAILER: (SENDER, 0, 40, 40), END: (SENDER, 0, 21, 86016), LOST: (SENDER, 0, 2, 8192),
    VERDICTS: (RECEIVER, 0, 4, PAYLOAD_BYTES_MAX), DONE: (3, 15, 52, 132183), BEAT: (3, 0, 8, 8),
    PART: (SENDER, 15, 63, PAYLOAD_BYTES_MAX), SHOW: (SENDER, 0, 48, 48),
    LIMITED: (SENDER, 1, 58, 210), CHUNKS: (SENDER, 1, 32, 45088),
}
IN_ORDER = SHA256_FLAG = HOLE = EARLY = LAST = 1
LACKS_NAMES = 8
CUTS = 2
OWNERS = REPEATED = 2
LOOK = 4
ZSTD = {DATA: 2, PART: 8}
HAS_DIRECTORY, HAS_MODE, HAS_ATTRIBUTES, BARE, SHOWN, NAMES = (1 << i for i in range(6))
WANTS_BYTES, WANTS_DIGEST, WANTS_NOTHING, WANTS_NO_MORE = range(4)

FILE, DIRECTORY, SYMLINK, HARD_LINK, FIFO, CHARACTER, BLOCK = range(7)
ALL, REST, WHOLE, MADE, DECLINED, FAILED, KEPT, NEW = range(8)
BASE = 11
REFUSED, AGAIN, STAYS, WANTED = range(4)  # STAYS is the verdict KEPT
NONE, WIRE, READBACK, MEDIA = range(4)
CRC32C, SHA256 = 1, 2
OK, SHORT, CHANGED, UNREADABLE, DAMAGED, GONE = range(6)
CODES = {DAMAGED: 7, GONE: 11}

HELLO_FIELDS = struct.Struct("<8sHBBI16sHIBB32s")
HEADER = struct.Struct("<BBHIQQ")
MANIFEST_FIELDS = struct.Struct("<QQQBBBBI")
ACCEPT_FIELDS = struct.Struct("<BBHIIIQ")
OFFER_FIELDS = struct.Struct("<QBHHHHHIIqIqIQQ16sQ")
REPLY_FIELDS = struct.Struct("<QBBHH")
SPAN_FIELDS = struct.Struct("<QQI")
PIECE_FIELDS = struct.Struct("<II")
CHUNKS_FIELDS = struct.Struct("<QQ16s")
CHUNK_RECORD = struct.Struct("<HB8s")
PART_FIELDS = struct.Struct("<QH")
PART_RECORD = struct.Struct("<BBIIqIqI")
SHOW_FIELDS = struct.Struct("<QIB3s32s")
TRAILER_FIELDS = struct.Struct("<IBBH32s")
END_FIELDS = struct.Struct("<QBQI")
DONE_FIELDS = struct.Struct("<QQQQQBB8sH")
TALLY = ("losses", "deletions", "corrections")
LIMITED_FIELDS = struct.Struct("<QQQQQQQBB")


GEAR = [int.from_bytes(hashlib.sha256(b"zcp/1 gear " + bytes([i])).digest()[:8], "little")
        for i in range(256)]


class Failure(Exception):
    """The session fails with an exit code, and a text for the user."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Broken(Failure):
    """The peer broke the protocol."""

    def __init__(self, text):
        super().__init__(8, text)


class Lost(Failure):
    """A connection is lost."""

    def __init__(self, text):
        super().__init__(5, f"the connection is lost: {text}")


class PeerGaveUp(Failure):
    """The peer said DONE before its time, with the cause."""


def must(condition, text):
    """Ends the session with exit code 8 if the peer broke the protocol."""
    if not condition:
        raise Broken(text)


# Sums

def crc_table():
    """Returns the CRC32C of each 16-bit word."""
    table = []
    for word in range(65536):
        for _ in range(16):
            word = word >> 1 ^ (0x82F63B78 if word & 1 else 0)
        table.append(word)
    return table


CRC_TABLE = crc_table()


def crc32c(data, crc=0):
    """Returns the CRC32C of data behind bytes with the given CRC32C."""
    table, crc, pairs = CRC_TABLE, crc ^ 0xFFFFFFFF, len(data) // 2
    for word in struct.unpack(f"<{pairs}H", data[:2 * pairs]):
        crc = table[(crc ^ word) & 0xFFFF] ^ crc >> 16
    if len(data) % 2:
        crc ^= data[-1]
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def times(a, b):
    """Multiplies two polynomials modulo that of CRC32C."""
    product = 0
    for i in range(32):
        if a & 0x80000000 >> i:
            product ^= b
        b = b >> 1 ^ (0x82F63B78 if b & 1 else 0)
    return product


def power(length):
    """Returns x to the power of 8 * length."""
    product, square = 0x80000000, 0x00800000
    while length:
        if length & 1:
            product = times(square, product)
        square, length = times(square, square), length >> 1
    return product


def joined(first, second, second_length):
    """Returns the CRC32C of two runs of bytes, one behind the other."""
    return times(power(second_length), first) ^ second


def zeros(length):
    """Returns the CRC32C of zeros."""
    return times(power(length), 0xFFFFFFFF) ^ 0xFFFFFFFF


def siphash(data):
    """Returns SipHash-2-4 with a key of zeros."""
    mask = (1 << 64) - 1
    v0, v1, v2, v3 = 0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573

    def rotated(value, bits):
        return (value << bits | value >> 64 - bits) & mask

    def rounds(count):
        nonlocal v0, v1, v2, v3
        for _ in range(count):
            v0, v2 = (v0 + v1) & mask, (v2 + v3) & mask
            v1, v3 = rotated(v1, 13) ^ v0, rotated(v3, 16) ^ v2
            v0 = rotated(v0, 32)
            v2, v0 = (v2 + v1) & mask, (v0 + v3) & mask
            v1, v3 = rotated(v1, 17) ^ v2, rotated(v3, 21) ^ v0
            v2 = rotated(v2, 32)

    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) % 256])
    for (word,) in struct.iter_unpack("<Q", padded):
        v3 ^= word
        rounds(2)
        v0 ^= word
    v2 ^= 0xFF
    rounds(4)
    return v0 ^ v1 ^ v2 ^ v3


class Sums:
    """What both ends say in DONE of the entries that are over and well."""

    def __init__(self):
        self.entries = self.bytes = self.digest = 0

    def add(self, kind, path, size, crc):
        """Counts an entry."""
        self.entries += 1
        self.bytes += size
        words = struct.pack("<BI", kind, len(path)) + path + struct.pack("<QI", size, crc)
        self.digest = (self.digest + siphash(words)) % (1 << 64)

    def done(self, code, level, text=""):
        """Returns the payload of DONE."""
        digest = self.digest.to_bytes(8, "little")
        said = cut(text)
        return DONE_FIELDS.pack(self.entries, self.bytes, 0, 0, 0, code, level, digest,
                                len(said)) + said

    def differ(self, done):
        """Says whether the peer's DONE has other sums."""
        return (done["entries"], done["bytes"], done["digest"]) != (
            self.entries, self.bytes, self.digest.to_bytes(8, "little"))


class Runs:
    """Which bytes of a file are known, and their CRC32C. Runs that touch are joined."""

    def __init__(self):
        self.runs = []  # [offset, length, crc], ascending

    def has(self, offset, length):
        """Returns how many of the bytes are known."""
        return sum(max(0, min(offset + length, start + size) - max(offset, start))
                   for start, size, _ in self.runs)

    def add(self, offset, length, crc):
        """Adds bytes that were not known."""
        at = bisect.bisect(self.runs, [offset])
        self.runs.insert(at, [offset, length, crc])
        for i in (at, at - 1):
            if 0 <= i < len(self.runs) - 1:
                (start, size, first), (behind, more, second) = self.runs[i], self.runs[i + 1]
                if start + size == behind:
                    self.runs[i:i + 2] = [[start, size + more, joined(first, second, more)]]

    def crc_of_all(self, size):
        """Returns the CRC32C if exactly the bytes from 0 to size are known, else None."""
        if not size:
            return None if self.runs else 0
        return self.runs[0][2] if [run[:2] for run in self.runs] == [[0, size]] else None


# Compression

def compressor():
    """Returns the program that compresses, or None: Python before 3.14 has no module for it."""
    return shutil.which("zstd")


def packed(data):
    """Returns bytes in pieces, each compressed if that makes it smaller."""
    pieces = b""
    for at in range(0, len(data), PIECE_OF_ZSTD_BYTES_MAX):
        piece = data[at:at + PIECE_OF_ZSTD_BYTES_MAX]
        frame = subprocess.run([compressor(), "-qc"], input=piece, stdout=subprocess.PIPE,
                               check=True).stdout
        smaller = frame if len(frame) < len(piece) else piece
        pieces += PIECE_FIELDS.pack(len(piece), len(smaller)) + smaller
    return pieces


def unpacked(frame, length):
    """Returns the bytes of a compressed piece, and reads no more of them than there may be."""
    with subprocess.Popen([compressor(), "-dqc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as program:
        feeder = threading.Thread(target=feed, args=(program.stdin, frame), daemon=True)
        feeder.start()
        data = program.stdout.read(length + 1)
        program.stdout.close()
        feeder.join()
    if program.returncode or len(data) != length:
        raise Failure(7, "a compressed piece is damaged")
    return data


def feed(pipe, data):
    """Writes to a program that may end before it has read all."""
    try:
        pipe.write(data)
        pipe.close()
    except OSError:
        pass


# Frames

def chunks(data):
    """Returns the lengths of the chunks of a file."""
    bits, lengths, begin = 12, [], 0
    while len(data) > 1 << min(2 * bits + 2, bits + 21):
        bits += 1
    while begin < len(data):
        limit = min(len(data), begin + (4 << bits))
        end, value = min(limit, begin + (1 << bits)), 0
        while end < limit:
            value = (value << 1) + GEAR[data[end]] & (1 << 64) - 1
            end += 1
            if value >> 66 - bits == 0:
                break
        lengths.append(end - begin)
        begin = end
    return lengths


def aes128(key, blocks):
    """Encrypts 16 bytes, or several times as many one by one, by openssl."""
    command = ["openssl", "enc", "-aes-128-ecb", "-nopad", "-K", key.hex()]
    return subprocess.run(command, input=blocks, stdout=subprocess.PIPE, check=True).stdout


def xor(numbers):
    """Returns the exclusive or of all of them."""
    return functools.reduce(operator.xor, numbers, 0)


class Tags:
    """The tags of AES-128-GCM with one key and a nonce of zeros (NIST SP 800-38D)."""

    def __init__(self, key, length_max):
        counters = range(length_max // 16 + 3)  # the one of 0 is no counter, but just a block
        blocks = aes128(key, b"".join(i.to_bytes(16, "big") for i in counters))
        self.mask, self.stream = int.from_bytes(blocks[16:32], "big"), blocks[32:]
        multiples = [int.from_bytes(blocks[:16], "big")]
        for _ in range(127):
            last = multiples[-1]
            multiples.append(last >> 1 ^ (0xe1 << 120 if last & 1 else 0))
        # What each byte of a block gives by its value.
        self.products = [[xor(multiples[at + bit] for bit in range(8) if value << bit & 0x80)
                          for value in range(256)] for at in range(0, 128, 8)]

    def of(self, data):
        """Returns the 16 bytes of some data."""
        sealed = int.from_bytes(data, "big") ^ int.from_bytes(self.stream[:len(data)], "big")
        blocks = sealed.to_bytes(len(data), "big") + bytes(-len(data) % 16)
        blocks, tag = blocks + bytes(8) + (8 * len(data)).to_bytes(8, "big"), 0
        for at in range(0, len(blocks), 16):
            block = tag ^ int.from_bytes(blocks[at:at + 16], "big")
            tag = xor(row[byte] for row, byte in zip(self.products, block.to_bytes(16, "big")))
        return (tag ^ self.mask).to_bytes(16, "big")


def cut(text):
    """Returns a text as UTF-8 of at most 1024 bytes."""
    return text.encode("utf-8", "replace")[:TEXT_BYTES_MAX].decode("utf-8", "ignore").encode()


def readable(data):
    """Returns a text of the peer, without the characters that could change a terminal."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Broken("text that is not UTF-8") from None
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


class Reader:
    """Takes fields off a payload, and never reads past its end."""

    def __init__(self, payload):
        self.payload, self.at = payload, 0

    def more(self):
        """Says whether anything is left."""
        return self.at < len(self.payload)

    def bytes(self, length):
        """Takes raw bytes."""
        must(self.at + length <= len(self.payload), "half a record")
        self.at += length
        return self.payload[self.at - length:self.at]

    def fields(self, layout):
        """Takes the fields of a struct."""
        return layout.unpack(self.bytes(layout.size))


class Frame:
    """A frame whose MAC fits."""

    def __init__(self, kind, flags, length, file_id, offset, payload):
        self.kind, self.flags, self.length = kind, flags, length
        self.file_id, self.offset, self.payload = file_id, offset, payload

    def limited(self):
        """Returns what LIMITED says, in words."""
        reader = Reader(self.payload)
        *times, _, count = reader.fields(LIMITED_FIELDS)
        must(max(times) <= NUMBER_MAX and count <= 8, "number in LIMITED")
        shares = []
        for _ in range(count):
            word = reader.bytes(reader.bytes(1)[0])
            side, percent = reader.bytes(2)
            must(word.isalpha() and word.islower() and len(word) <= 16, "word in LIMITED")
            must(side in (0, *ROLES) and percent <= 100, "share in LIMITED")
            of = f" of the {ROLES[side].decode()}" if side else ""
            shares.append(f"{word.decode()}{of} {percent} %")
        must(not reader.more(), "bytes behind LIMITED")
        return ("surely " if self.flags else "") + (", ".join(shares) or "nothing")

    def done(self):
        """Returns the fields of DONE."""
        names = ("entries", "bytes", *TALLY, "code", "level", "digest", "length")
        done = dict(zip(names, DONE_FIELDS.unpack(self.payload[:52])))
        must(max(done[name] for name in names[:5]) <= NUMBER_MAX, "number in DONE")
        must(done["level"] <= MEDIA, "level in DONE")
        # What follows the text are the peer's timings, which nothing depends on.
        must(done["length"] <= min(TEXT_BYTES_MAX, len(self.payload) - 52), "text of DONE")
        done["text"] = readable(self.payload[52:52 + done["length"]])
        return done


class Connection:
    """A connection after its handshake. One thread writes, so that this end can always read."""

    def __init__(self, sock, key, role, listening, zstd, before=None):
        """Does the handshake; before is the connection of this session that was lost, if any.

        zstd says whether a receiver takes compressed bytes, and a sender sends them.
        """
        self.zstd = zstd
        self.sock, self.key, self.role, self.listening = sock, key, role, listening
        self.session = before.session if before else secrets.token_bytes(16)
        self.number = before.number + 1 if before else 0
        self.deadline = time.monotonic() + HANDSHAKE_S
        self.heard = self.raw_bytes = 0
        self.out = queue.Queue()
        self.handshake()
        self.deadline = None
        sock.settimeout(STALL_S)
        self.writer = threading.Thread(target=self.write, daemon=True)
        self.writer.start()

    def read(self, length):
        """Reads raw bytes, whole."""
        data = bytearray()
        while len(data) < length:
            if self.deadline:
                self.sock.settimeout(max(0.001, self.deadline - time.monotonic()))
            try:
                piece = self.sock.recv(min(length - len(data), PIECE_BYTES))
            except OSError as e:
                raise Lost(e) from None
            if not piece:
                raise Lost("the peer closed it")
            data += piece
        return bytes(data)

    def tagged(self, what, role, listening, hellos):
        """Returns a proof of the key, or the key of an end's frames."""
        label = b"zcp/1 %s %s %s\0" % (
            b"listening" if listening else b"dialling", ROLES[role], what)
        return hmac.digest(self.key, label + hellos, "sha256")

    def hello(self, session, number):
        """Returns this end's HELLO."""
        willing = int(self.zstd and self.role == RECEIVER)
        return HELLO_FIELDS.pack(MAGIC, 1, 1, self.role, 0, session, number, willing, 0, 0,
                                 secrets.token_bytes(32))

    def hear_hello(self):
        """Reads the peer's HELLO, and closes at the first byte that does not fit."""
        magic = b""
        while len(magic) < 8:
            magic += self.read(1)
            must(MAGIC.startswith(magic), "the peer does not speak zcp")
        return magic + self.read(64)

    def handshake(self):
        """Says and checks hellos, proofs and WELCOME, and derives the keys of frames."""
        if self.listening:
            theirs = self.hear_hello()
        else:
            mine = self.hello(self.session, self.number)
            self.sock.sendall(mine)
            theirs = self.hear_hello()
        _, version, mode, side, capabilities, session, number, willing, _, _, _ = \
            HELLO_FIELDS.unpack(theirs)
        fits = (version, mode, side, capabilities) == (1, 1, 3 - self.role, 0)
        if self.role == SENDER:
            self.zstd = self.zstd and willing & 1
        if self.listening:
            mine = self.hello(session, number)
            joins = number and session == self.session and number >= self.number
            known = joins if self.number else not number
            self.session, self.number = session, number
        else:
            must(fits and theirs[16:34] == mine[16:34], "the listener's HELLO does not fit")
        hellos = theirs + mine if self.listening else mine + theirs
        proof = self.tagged(b"proof", self.role, self.listening, hellos)
        peers = self.tagged(b"proof", 3 - self.role, not self.listening, hellos)
        self.frame_key = self.tagged(b"frames", self.role, self.listening, hellos)
        self.peer_key = self.tagged(b"frames", 3 - self.role, not self.listening, hellos)
        if self.listening:
            self.sock.sendall(mine + proof)
            if not fits:
                self.welcome(3, 8, "the dialler's HELLO does not fit")
            if not hmac.compare_digest(self.read(32), peers):
                self.welcome(1, 6, "the dialler has another key")
            if not known:
                self.welcome(4, 8, "a connection of no session")
            self.sock.sendall(b"\0")
            return
        fits = hmac.compare_digest(self.read(32), peers)
        self.sock.sendall(proof)
        if not fits:
            raise Failure(6, "the listener has another key")
        status = self.read(1)[0]
        if status:
            raise Failure({1: 6, 2: 9}.get(status, 8), f"the listener answers WELCOME {status}")

    def welcome(self, status, code, text):
        """Turns a dialler away."""
        self.sock.sendall(bytes([status]))
        self.discard(1)
        raise Failure(code, text)

    def say(self, kind, payload=b"", flags=0, file_id=0, offset=0, raw=b"", length=None):
        """Queues a frame, and the raw bytes behind it."""
        length = len(payload) if length is None else length
        self.out.put((HEADER.pack(kind, flags, 0, length, file_id, offset), payload, raw))

    def write(self):
        """Writes what is queued, and BEAT after a second without anything."""
        said = 0
        try:
            while True:
                try:
                    frame = self.out.get(timeout=1)
                except queue.Empty:
                    beat = struct.pack("<Q", self.raw_bytes)
                    frame = HEADER.pack(BEAT, 0, 0, 8, 0, 0), beat, b""
                if frame is None:
                    self.sock.shutdown(socket.SHUT_WR)
                    return
                header, payload, raw = frame
                mac = hmac.digest(self.frame_key, struct.pack("<Q", said) + header + payload,
                                  "sha256")[:16]
                self.raw_bytes += len(raw)
                self.sock.sendall(header + payload + mac)
                self.sock.sendall(raw)
                said += 1
        except OSError:
            try:
                self.sock.shutdown(socket.SHUT_RDWR)  # whoever reads learns of it
            except OSError:
                pass

    def hear(self):
        """Reads a frame, and checks all that does not depend on its payload."""
        header = self.read(HEADER.size)
        kind, flags, reserved, length, file_id, offset = HEADER.unpack(header)
        if kind not in TYPES or reserved or length > TYPES[kind][3]:
            raise Failure(7, "the header of a frame is damaged")
        body = self.read((0 if kind == DATA else length) + 16)
        payload, mac = body[:-16], body[-16:]
        signed = struct.pack("<Q", self.heard) + header + payload
        if not hmac.compare_digest(hmac.digest(self.peer_key, signed, "sha256")[:16], mac):
            raise Failure(7, "the MAC of a frame does not fit")
        self.heard += 1
        sayer, flags_max, least, _ = TYPES[kind]
        name = TYPE_NAMES[kind]
        must(sayer & 3 - self.role, f"{name} from the wrong end")
        must(flags <= flags_max and length >= least, f"flags or length of {name}")
        must(not flags & ZSTD.get(kind, 0) or self.zstd, f"compressed {name}")
        must(kind in (DATA, TRAILER) or not (file_id or offset), f"{name} is not about a file")
        must(file_id <= NUMBER_MAX and offset + length <= NUMBER_MAX, f"number in {name}")
        return Frame(kind, flags, length, file_id, offset, payload)

    def pieces(self, length, compressed):
        """Yields the raw bytes of a block or PART, as they were before they were compressed."""
        while length:
            if compressed:
                data, raw_bytes = self.unpacked(length)
            else:
                data = self.read(min(PIECE_BYTES, length))
                raw_bytes = len(data)
            self.raw_bytes += raw_bytes
            length -= len(data)
            yield data

    def unpacked(self, most):
        """Reads a piece, and returns its bytes and how many it took on the wire."""
        length, size = PIECE_FIELDS.unpack(self.read(PIECE_FIELDS.size))
        if not 0 < size <= length <= min(most, PIECE_OF_ZSTD_BYTES_MAX):
            raise Failure(7, "the head of a compressed piece is damaged")
        data = self.read(size)
        return data if size == length else unpacked(data, length), size

    def discard(self, seconds):
        """Reads and discards until the peer closes."""
        deadline = time.monotonic() + seconds
        try:
            while (left := deadline - time.monotonic()) > 0:
                self.sock.settimeout(left)
                if not self.sock.recv(PIECE_BYTES):
                    return
        except OSError:
            pass

    def finish(self):
        """Writes what is queued, and shuts down the sending direction."""
        self.out.put(None)
        self.writer.join(CLOSE_S)


class End:
    """What both ends of a session have: one connection at a time."""

    def __init__(self, connect):
        self.connect = connect
        self.connection = connect(None)

    def reconnect(self):
        """Goes on over another connection."""
        print("zcp_peer: another connection", file=sys.stderr)
        self.cut()
        self.connection = self.connect(self.connection)

    def cut(self):
        """Loses the connection."""
        self.connection.out.put(None)
        self.connection.writer.join(CLOSE_S)
        try:
            self.connection.sock.shutdown(socket.SHUT_RDWR)  # whoever reads learns of it
        except OSError:
            pass
        self.connection.sock.close()


# The sender

class Source:
    """A file or directory to send, and how far it is."""

    def __init__(self, path, name, parent):
        self.path, self.name, self.parent = path, name, parent
        self.stat = os.lstat(path)
        self.kind = DIRECTORY if stat.S_ISDIR(self.stat.st_mode) else FILE
        self.size = self.stat.st_size if self.kind == FILE else 0
        self.id = self.reply = None
        self.unsaid = 0  # of what is in it, how many were neither offered nor said in a PART
        self.weight = 0
        self.over = self.counted = self.ended = self.cut = False
        self.status, self.refusal = OK, 0
        self.want = WANTS_BYTES  # what a look has answered
        self.stays = False  # whether it was BARE when its PART was said first
        self.todo, self.waiting, self.tries, self.runs = [], 0, {}, Runs()
        self.crc = 0

    def raw_size(self):
        """Returns how many raw bytes follow for it in a PART."""
        return self.size if self.want == WANTS_BYTES else 0

    def version(self):
        """Returns what changes if the source changes."""
        now = os.stat(self.path, follow_symlinks=False)
        return now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns

    def identity(self):
        """Returns the 16 bytes that tell versions of the source apart."""
        if self.kind != FILE:
            return bytes(16)
        s = self.stat
        words = repr((s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns)).encode()
        return hashlib.sha256(words).digest()[:16]

    def read(self, offset, length):
        """Returns bytes of the file, filled up with zeros, and a status."""
        s = self.stat
        try:
            with open(self.path, "rb", buffering=0) as file:
                data = b""
                while len(data) < length:
                    piece = os.pread(file.fileno(), length - len(data), offset + len(data))
                    if not piece:
                        return data + bytes(length - len(data)), SHORT
                    data += piece
            same = self.version() == (s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns)
            return data, OK if same else CHANGED
        except OSError:
            return bytes(length), UNREADABLE

    def blocks(self, offset, length):
        """Plans to send bytes in blocks."""
        for at in range(offset, offset + length, BLOCK_BYTES):
            self.todo.append((at, min(BLOCK_BYTES, offset + length - at)))


def scan(paths):
    """Returns all files and directories below the paths, each after its directory."""
    entries = []

    def visit(path, name, parent):
        mode = os.lstat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            print(f"zcp_peer: {os.fsdecode(path)}: skipped", file=sys.stderr)
            return
        entry = Source(path, name, parent)
        entries.append(entry)
        if parent:
            parent.unsaid += 1
        if entry.kind == DIRECTORY:
            for child in sorted(os.listdir(path)):
                visit(os.path.join(path, child), name + b"/" + child, entry)

    for path in paths:
        path = os.fsencode(os.path.abspath(path))
        visit(path, os.path.basename(path), None)
    return entries


class Sender(End):
    """Sends entries over one connection at a time."""

    def __init__(self, paths, existing, connect, digest, damage, lose):
        super().__init__(connect)
        self.existing, self.digest, self.lose = existing, digest, lose
        self.damage = {DATA, PART} if damage else set()
        self.entries = scan(paths)
        tops = [e.name for e in self.entries if not e.parent]
        if len(set(tops)) < len(tops):
            raise Failure(2, "two paths have the same name")
        self.events = queue.Queue()
        self.accept = None
        self.to_offer, self.offered, self.unanswered = list(self.entries), {}, []
        self.waiting, self.to_look, self.parts, self.parts_again = [], [], [], []
        self.looks, self.looks_said = {}, 0  # the files of each look that is not answered
        self.under_way = self.offered_bytes = self.counted = self.over = 0
        self.to_show, self.large, self.ends, self.directories = [], [], [], []
        self.units = []  # what waits for acknowledgement: (kind, [(entry, offset, length)], bytes)
        self.again = set()  # (id, offset) of parts of units that are to be sent again
        self.raw_waiting = self.raw_said = 0
        self.sums, self.codes, self.cause = Sums(), [], ""
        self.beat, self.progress = -1, time.monotonic()
        self.done_said = False

    def listen(self):
        """Hears frames, so that the receiver never waits for this end to read."""
        connection, events = self.connection, self.events
        try:
            while True:
                frame = connection.hear()
                events.put(frame)
                if frame.kind == DONE:
                    break
        except Failure as e:
            events.put(e)
        connection.discard(CLOSE_S)

    def begin(self):
        """Hears this connection from now on, and says MANIFEST if it was not answered."""
        self.hearing = threading.Thread(target=self.listen, daemon=True)
        self.hearing.start()
        if not self.accept:
            size = sum(e.size for e in self.entries)
            self.connection.say(MANIFEST, MANIFEST_FIELDS.pack(
                len(self.entries), size, size, WIRE, self.digest, self.existing, CUTS, 0))

    def lost(self):
        """Says again what was not answered or acknowledged."""
        before, units, self.units = self.connection.number, self.units, []
        self.events, self.raw_waiting, self.raw_said, self.beat = queue.Queue(), 0, 0, -1
        self.again.clear()
        self.reconnect()
        self.connection.say(LOST, struct.pack(f"<{before + 1}H", *range(before + 1)))
        self.begin()
        offers, self.unanswered = [e for e in self.unanswered if not e.over], []
        for e in offers:
            e.cut = False
        self.say_offers(offers)
        ended = [e for e in self.entries if e.kind == DIRECTORY and e.ended and not e.over]
        self.ends = ended + [e for e in self.ends if e not in ended]
        self.to_look = sum(self.looks.values(), []) + self.to_look
        self.looks.clear()
        for kind, parts, _ in units:
            if kind == PART:
                self.parts_again.append([p[0] for p in parts])
            for e, offset, length, *_ in parts:
                e.waiting -= kind == DATA
                if kind == DATA and not e.over and not e.status:
                    e.todo.insert(0, (offset, length))
                elif kind == END and e.kind == FILE and not e.over:
                    self.ends.append(e)
                elif kind == SHOW and not e.over:
                    self.to_show.append(e)

    def run(self):
        """Sends everything, and returns the exit code."""
        self.begin()
        while self.over < len(self.entries) or not self.accept or self.units:
            if not (self.offer() or self.say_unit()):
                self.hear(block=True)
            while not self.events.empty():
                self.hear(block=False)
        failures = set(self.codes)
        well = any(e.kind == FILE and not e.refusal and e.reply != KEPT for e in self.entries)
        code = 0 if not failures else failures.pop() if len(failures) == 1 and not well else 1
        self.done_said = True
        self.connection.say(DONE, self.sums.done(code, self.accept["level"], self.cause))
        while True:
            done = self.hear(block=True)
            if done:
                break
        if self.sums.differ(done):
            if done["code"] not in (0, 1, 11):
                raise PeerGaveUp(done["code"], done["text"] or "the receiver gave up")
            raise Failure(7, "the receiver has other sums")
        must(done["level"] <= self.accept["level"], "a level above that of ACCEPT")
        level = min(done["level"], self.accept["level"])
        print(f"sent: {self.sums.entries} entries, {self.sums.bytes} bytes, level {level}, "
              f"losses {done['losses']}, codes {code} and {done['code']} {done['text']}")
        self.connection.finish()
        return code or done["code"]

    def offer(self):
        """Offers as many entries as the limits allow, and says whether it offered any."""
        offers, waiting = [], []
        for e in self.waiting:
            self.queue_for(e, waiting).append(e)
        self.waiting = waiting
        while self.to_offer and len(offers) < 512:
            e = self.to_offer[0]
            goes = self.queue_for(e, self.waiting)
            if goes is not self.to_offer:
                goes.append(self.to_offer.pop(0))
                continue
            large = e.kind == FILE and e.size > LARGE_BYTES
            weight = 128 + len(os.path.basename(e.name))
            files = self.accept["files"] if self.accept else 1
            if (self.under_way == ENTRIES_UNDER_WAY_MAX
                    or self.offered_bytes + weight > OFFERED_BYTES_MAX
                    or large and self.counted >= files):
                break
            offers.append(self.to_offer.pop(0))
            e.weight = weight
            self.begun(e)
            self.count(e, large)
        self.say_offers(offers)
        return bool(offers)

    def queue_for(self, e, waiting):
        """Returns the queue of an entry; small files wait until their directory is answered."""
        if e.kind != FILE or e.size > SMALL_BYTES:
            return self.to_offer
        if not self.accept or e.parent and e.parent.reply is None:
            return waiting
        if self.accept["in_order"] or e.parent and e.parent.over:
            return self.to_offer
        return self.parts if e.parent and e.parent.reply == NEW else self.to_look

    def begun(self, e):
        """Gives an entry the next id."""
        e.id = len(self.offered)
        self.offered[e.id] = e
        self.under_way, self.offered_bytes = self.under_way + 1, self.offered_bytes + e.weight
        if e.parent and e.want != WANTS_DIGEST:  # else its bytes may be wanted after all
            e.parent.unsaid -= 1

    def say_offers(self, offers):
        """Says OFFER, in as many frames as it takes."""
        self.unanswered += offers
        records, before = b"", b""
        for e in offers:
            shared = len(os.path.commonprefix([before, e.name]))
            s = e.stat
            times_ = [n for t in (s.st_mtime_ns, s.st_atime_ns) for n in divmod(t, 10**9)]
            records += OFFER_FIELDS.pack(
                e.id, e.kind, shared, len(e.name) - shared, 0, 0, stat.S_IMODE(s.st_mode),
                s.st_uid, s.st_gid, *times_, 0, e.size, e.identity(), 0) + e.name[shared:]
            before = e.name
            if len(records) > PAYLOAD_BYTES_MAX // 2 or e is offers[-1]:
                self.connection.say(OFFER, records)
                records, before = b"", b""

    def count(self, entry, now=True):
        """Counts a file for the limit of files under way."""
        if now and not entry.counted:
            entry.counted = True
            self.counted += 1

    def say_unit(self):
        """Says one unit if the limits allow one, and says whether it did."""
        if not self.accept or len(self.units) >= UNITS_UNDER_WAY_MAX:
            return False
        if self.parts_again:
            return self.say_part_again()
        return (self.say_look() or self.say_part() or self.say_show() or self.say_ends()
                or self.say_block())

    def unit(self, kind, parts, **frame):
        """Says the frame of a unit, and remembers what waits for acknowledgement."""
        size = len(frame.get("raw", b""))
        self.units.append((kind, parts, size))
        self.raw_waiting += size
        self.raw_said += size
        if size and self.connection.zstd:
            frame["raw"] = packed(frame["raw"])
            frame["flags"] = frame.get("flags", 0) | ZSTD[kind]
        self.connection.say(kind, **frame)

    def room(self, length):
        """Says whether raw bytes fit into the window."""
        return not self.units or self.raw_waiting + length <= min(
            self.accept["window"], WINDOW_BYTES)

    def say_ends(self):
        """Says END of all entries that are ready for it."""
        self.ends += [e for e in self.directories if not e.unsaid]
        self.directories = [e for e in self.directories if e.unsaid]
        ready = [e for e in self.ends if not e.over][:RECORDS_MAX]
        self.ends = [e for e in self.ends if not e.over][RECORDS_MAX:]
        records = b""
        for e in ready:
            e.ended = True
            if e.kind == FILE and e.status == OK:
                e.crc = e.runs.crc_of_all(e.size)
            size, crc = (e.size, e.crc) if e.status == OK else (0, 0)
            records += END_FIELDS.pack(e.id, e.status, size, crc)
        if ready:
            self.unit(END, [(e, 0, 0) for e in ready], payload=records)
        return bool(ready)

    def say_look(self):
        """Asks what is wanted of small files, where something may be there."""
        files, self.to_look[:PART_FILES_MAX] = self.to_look[:PART_FILES_MAX], []
        if not files or len(self.looks) == LOOKS_UNDER_WAY_MAX:
            self.to_look[:0] = files
            return False
        self.looks[self.looks_said] = files
        head = PART_FIELDS.pack(self.looks_said, len(files))
        self.looks_said += 1
        self.connection.say(PART, head + self.records([(e, 0, b"") for e in files]), LOOK)
        return True

    def hear_wants(self, reader):
        """Puts the files of a look in parts, each as the receiver wants it."""
        number, = reader.fields(struct.Struct("<Q"))
        must(number in self.looks, "WANTS of no look")
        files = self.looks.pop(number)
        wants = reader.bytes(len(files))
        must(not reader.more() and max(wants) <= WANTS_NO_MORE, "WANTS that do not fit the look")
        for e, want in zip(files, wants):
            e.want = want
            if want == WANTS_NO_MORE:
                must(self.existing, "a file is kept that is not to stay")
                e.reply, e.over, self.over = KEPT, True, self.over + 1
                if e.parent:
                    e.parent.unsaid -= 1
        self.parts += [e for e in files if not e.over]

    def say_part(self):
        """Says small files in a PART, each with the next id."""
        if sum(kind == PART for kind, *_ in self.units) == PARTS_UNDER_WAY_MAX:
            return False
        files, contents, size = [], [], 0
        while (self.parts and len(files) < PART_FILES_MAX
               and (size := size + self.parts[0].raw_size()) <= PART_BYTES and self.room(size)):
            e = self.parts.pop(0)
            data, status = (None, OK) if e.want == WANTS_NOTHING else e.read(0, e.size)
            if status:
                if e.parent and e.want == WANTS_BYTES:
                    e.parent.unsaid -= 1
                self.under_way += 1
                self.finished(e, 3, f"status {status}")
                continue
            self.begun(e)
            e.reply, e.crc = ALL, crc32c(data or b"")
            files.append(e)
            contents.append(data)
        return bool(files) and self.part(files, contents, 0)

    def say_part_again(self):
        """Says a PART whose connection was lost."""
        if not self.room(sum(e.raw_size() for e in self.parts_again[0])):
            return False
        files, contents = self.parts_again.pop(0), []
        for e in files:
            data, status = e.read(0, e.size)
            same = e.want != WANTS_NOTHING and status == OK and crc32c(data) == e.crc
            contents.append(data if same else None)
        return self.part(files, contents, REPEATED)

    def part(self, files, contents, flags):
        """Says PART; contents has None of a file that is to be BARE."""
        sha = self.accept["digest"] == SHA256
        records, raw = [], b""
        for e, data in zip(files, contents):
            if not flags & REPEATED:
                e.stays = data is None
            if data is None:
                records.append((e, BARE, b""))
            elif e.want == WANTS_DIGEST:
                records.append((e, SHOWN, hashlib.sha256(data).digest() if sha else b""))
            else:
                records.append((e, 0, b""))
                raw += data
        head = PART_FIELDS.pack(files[0].id, len(files))
        if sha:
            head, flags = head + hashlib.sha256(raw).digest(), flags | SHA256_FLAG
        self.unit(PART, [(e, 0, e.size) for e in files], payload=head + self.records(records),
                  flags=flags, raw=self.damaged(PART, raw))
        if self.lose and not flags & REPEATED:
            self.lose = False
            self.lost()
        return True

    def records(self, files):
        """Returns the records of a PART, given each file with its flags and SHA-256."""
        records, before = b"", None
        for e, bits, sha in files:
            name, s = os.path.basename(e.name), e.stat
            directory = e.parent.id if e.parent else UNKNOWN
            bits |= HAS_MODE | (HAS_DIRECTORY if directory != before else 0)
            times_ = [n for t in (s.st_mtime_ns, s.st_atime_ns) for n in divmod(t, 10**9)]
            records += PART_RECORD.pack(bits, len(name), e.size, e.crc, *times_)
            records += struct.pack("<Q", directory) if bits & HAS_DIRECTORY else b""
            records += struct.pack("<HII", stat.S_IMODE(s.st_mode), s.st_uid, s.st_gid)
            records += sha + name
            before = directory
        return records

    def damaged(self, kind, raw):
        """Returns the raw bytes of a unit, of which the first of its kind may be damaged."""
        if not raw or kind not in self.damage:
            return raw
        self.damage.remove(kind)
        return raw[:-1] + bytes([raw[-1] ^ 1])

    def say_show(self):
        """Says what the bytes of a file are of which the receiver has size and time."""
        if not self.to_show:
            return False
        e = self.to_show.pop(0)
        data, status = e.read(0, e.size)
        if status:
            self.give_up(e, status)
            return True
        e.crc, digest, value = crc32c(data), 0, bytes(32)
        if self.accept["digest"] == SHA256:
            digest, value = SHA256, hashlib.sha256(data).digest()
        self.unit(SHOW, [(e, 0, e.size)],
                  payload=SHOW_FIELDS.pack(e.id, e.crc, digest, bytes(3), value))
        return True

    def say_block(self):
        """Says a block of a large file, with its TRAILER."""
        self.large = [e for e in self.large if not e.over]
        for e in sorted(self.large, key=lambda e: e.id):
            if e.todo and (e.counted or self.counted < self.accept["files"]):
                offset, length = e.todo[0]
                if not self.room(length):
                    return False
                self.count(e)
                e.todo.pop(0)
                data, status = e.read(offset, length)
                crc = crc32c(data)
                digest = (hashlib.sha256(data).digest() if self.accept["digest"] == SHA256
                          else struct.pack("<I", crc))
                data = self.damaged(DATA, data)
                e.waiting += 1
                self.unit(DATA, [(e, offset, length, crc)], raw=data, length=length,
                          file_id=e.id, offset=offset)
                self.connection.say(TRAILER, TRAILER_FIELDS.pack(
                    length, status, self.accept["digest"], 0, digest), file_id=e.id, offset=offset)
                if status != OK:
                    self.give_up(e, status)
                return True
            if self.accept["in_order"]:
                return False
        return False

    def give_up(self, entry, status):
        """Ends a file that cannot be sent."""
        if not entry.status:
            entry.status, entry.todo = status, []
            self.ends.append(entry)

    def hear(self, block):
        """Handles what the receiver said, and returns its DONE."""
        stall = self.progress + STALL_S - time.monotonic()
        try:
            frame = self.events.get(block, max(0, stall) if block else None)
        except queue.Empty:
            raise Failure(5, "the receiver makes no progress") from None
        if isinstance(frame, Lost) and not self.done_said:
            self.lost()
            return None
        if isinstance(frame, Failure):
            raise frame
        payload = frame.payload
        if frame.kind == BEAT:
            owes = self.units or self.looks or not self.accept or self.done_said or any(
                e.reply is None or e.kind == DIRECTORY and e.ended and not e.over
                for e in self.offered.values())
            count, = struct.unpack("<Q", payload)
            offered = sum(e.size for e in self.offered.values())
            must(count <= self.raw_said + 8 * offered + 65536, "the count of BEAT is too large")
            if count > self.beat or not owes:
                self.beat, self.progress = count, time.monotonic()
            return None
        self.progress = time.monotonic()
        if frame.kind == ACCEPT:
            self.hear_accept(frame)
        elif frame.kind == REPLY:
            self.hear_replies(Reader(payload))
        elif frame.kind == WANTS:
            self.hear_wants(Reader(payload))
        elif frame.kind == VERDICTS:
            self.hear_verdicts(Reader(payload))
        elif frame.kind == DONE:
            must(not frame.flags & (EARLY | LACKS_NAMES), "EARLY or LACKS_NAMES of a receiver")
            done = frame.done()
            if not self.done_said:
                must(done["code"] not in (0, 1, 11), "DONE before its time")
                raise PeerGaveUp(done["code"], done["text"] or "the receiver gave up")
            return done
        return None

    def hear_accept(self, frame):
        """Takes the limits and levels of the receiver."""
        must(not self.accept, "a second ACCEPT")
        names = ("level", "digest", "reserved", "keeps", "connections", "files", "window")
        a = dict(zip(names, ACCEPT_FIELDS.unpack(frame.payload)))
        must(WIRE <= a["level"] <= MEDIA, "level of ACCEPT")
        must(self.digest <= a["digest"] <= SHA256, "digest of ACCEPT")
        must(not a["reserved"] and not a["keeps"], "reserved bits of ACCEPT")
        must(1 <= a["connections"] <= 64 and 1 <= a["files"] < 1 << 31
             and 1 <= a["window"] <= NUMBER_MAX, "limits of ACCEPT")
        a["in_order"] = bool(frame.flags & IN_ORDER)
        self.accept = a

    def hear_replies(self, reader):
        """Plans what to send of each entry."""
        count = 0
        while reader.more():
            file_id, kind, code, held, text = reader.fields(REPLY_FIELDS)
            count += 1
            must(count <= RECORDS_MAX and file_id in self.offered, "REPLY to no offer")
            must(self.accept, "REPLY before ACCEPT")
            e = self.offered[file_id]
            ended = e.kind == DIRECTORY and e.ended and not e.over
            again = e.kind == FILE and e.ended and kind == MADE  # END of it was said twice
            must(e.reply is None or ended or again, "a second REPLY")
            must(held <= HELD_MAX and text <= TEXT_BYTES_MAX, "limits of REPLY")
            spans = [reader.fields(SPAN_FIELDS) for _ in range(held)]
            text = readable(reader.bytes(text))
            if again:
                continue
            if ended:
                must(kind == MADE and not code or kind == FAILED and code, "REPLY to an END")
                self.finished(e, code, text)
                continue
            if kind == BASE:
                must(e.kind == FILE and not e.cut and not (code or spans or text), "BASE")
                e.cut = True
                self.say_chunks(e)
                continue
            must(not e.cut or kind in (ALL, REST, FAILED), "REPLY to CHUNKS")
            self.check_reply(e, kind, code, spans, text)
            self.unanswered.remove(e)
            e.reply = kind
            if kind in (DECLINED, FAILED):
                self.finished(e, code or 4, text)
            elif kind == KEPT:
                self.finished(e, 0, "")
            elif e.kind == DIRECTORY:
                self.directories.append(e)
            elif kind == WHOLE:
                self.to_show.append(e)
            elif kind == REST:
                self.compare_rest(e, spans)
            else:
                self.plan(e)

    def say_chunks(self, e):
        """Says what a file consists of, of which the receiver has another version."""
        data, status = e.read(0, e.size)
        seed, begin, at, records = os.urandom(16), 0, 0, b""
        lengths = chunks(data) if status == OK else []
        tags = Tags(seed, max(lengths, default=0))
        for length in lengths:
            if len(records) == RECORDS_MAX * CHUNK_RECORD.size:
                self.connection.say(CHUNKS, CHUNKS_FIELDS.pack(e.id, begin, seed) + records)
                begin, records = at, b""
            tag = tags.of(data[at:at + length])
            records += CHUNK_RECORD.pack(length & 0xffff, length >> 16, tag[:8])
            at += length
        self.connection.say(CHUNKS, CHUNKS_FIELDS.pack(e.id, begin, seed) + records, flags=LAST)

    def check_reply(self, e, kind, code, spans, text):
        """Checks that a REPLY fits its entry."""
        must(kind in (ALL, DECLINED, FAILED) or kind in (REST, WHOLE) and e.kind == FILE
             or kind == NEW and e.kind == DIRECTORY
             or kind == KEPT and e.kind == FILE and self.existing,
             "REPLY of a kind that does not fit")
        must((code != 0) == (kind == FAILED), "exit code of REPLY")
        must(not text or kind == DECLINED or code, "text of REPLY")
        end = 0
        for offset, length, _ in spans:
            must(offset >= end and 0 < length <= e.size - offset, "spans of REPLY")
            end = offset + length
        must(bool(spans) == (kind == REST), "spans of REPLY")

    def plan(self, e):
        """Sends a whole file in blocks."""
        if e.size:
            e.blocks(0, e.size)
            self.large.append(e)
        else:
            self.ends.append(e)

    def compare_rest(self, e, spans):
        """Sends what the receiver does not hold."""
        at = 0
        for offset, length, crc in spans + [(e.size, 0, 0)]:
            e.blocks(at, offset - at)
            data, status = e.read(offset, length)
            if length and status == OK and crc32c(data) == crc:
                e.runs.add(offset, length, crc)
            else:
                e.blocks(offset, length)
            at = offset + length
        if e.todo:
            self.large.append(e)
        else:
            self.ends.append(e)

    def hear_verdicts(self, reader):
        """Takes what went wrong, and counts units that are done."""
        units, records = struct.unpack("<I", reader.bytes(4))[0], 0
        must(units or reader.more(), "VERDICTS of nothing")
        must(units <= len(self.units), "VERDICTS of more units than wait")
        while reader.more():
            file_id, kind = reader.fields(struct.Struct("<QB"))
            records += 1
            must(records <= RECORDS_MAX and file_id in self.offered, "VERDICTS about no entry")
            e = self.offered[file_id]
            if kind == REFUSED:
                code, length = reader.fields(struct.Struct("<BH"))
                must(code and length <= TEXT_BYTES_MAX, "REFUSED without a code")
                text = readable(reader.bytes(length))
                if not e.over and e.reply is not None:
                    self.finished(e, code, text)
            elif kind in (STAYS, WANTED):
                waits = {k for k, parts, _ in self.units for p in parts if p[0].id == file_id}
                must(PART in waits and (self.existing if kind == STAYS else e.want == WANTS_DIGEST)
                     or SHOW in waits and kind == WANTED, "a verdict that does not fit the file")
                if kind == WANTED:
                    self.again.add((file_id, 0))
                elif not e.over:
                    e.reply = KEPT
                    self.finished(e, 0, "")
            else:
                must(kind == AGAIN, "unknown verdict")
                offset, length = reader.fields(struct.Struct("<QQ"))
                must(not self.accept["in_order"], "AGAIN with IN_ORDER")
                must(any((p[0].id, *p[1:3]) == (file_id, offset, length)
                         for k, parts, _ in self.units if k == DATA for p in parts),
                     "AGAIN for bytes that do not wait")
                self.again.add((file_id, offset))
        for _ in range(units):
            kind, parts, length = self.units.pop(0)
            self.raw_waiting -= length
            for part in parts:
                self.acknowledged(kind, *part)

    def acknowledged(self, kind, e, offset, length, crc=0):
        """Handles a part of a unit that is done."""
        again = (e.id, offset) in self.again and kind != END
        self.again.discard((e.id, offset))
        e.waiting -= kind == DATA
        if e.over or e.kind == DIRECTORY:
            return  # of a directory there is a REPLY, when all in it is over
        if kind == PART and again:  # another id, and whole
            self.under_way -= 1
            e.want = WANTS_BYTES
            self.parts.append(e)
        elif kind == PART and e.stays:
            must(self.existing, "a file is kept that is not to stay")
            e.reply = KEPT
            self.finished(e, 0, "")
        elif kind == SHOW and again:
            e.reply = ALL
            self.plan(e)
        elif again and not e.status:
            print(f"zcp_peer: {os.fsdecode(e.name)}: {length} bytes at {offset} arrived damaged",
                  file=sys.stderr)
            e.tries[offset] = e.tries.get(offset, 1) + 1
            if e.tries[offset] > TRIES_MAX:
                self.give_up(e, DAMAGED)
            else:
                e.todo.insert(0, (offset, length))
        elif kind == DATA:
            if not e.status:
                e.runs.add(offset, length, crc)
                if not e.todo and not e.waiting:
                    self.ends.append(e)
        elif e.status == OK:
            self.finished(e, 0, "")
        else:
            self.finished(e, CODES.get(e.status, 3), f"status {e.status}")

    def finished(self, e, code, text):
        """Counts an entry that is over."""
        e.over, e.refusal = True, code
        self.over += 1
        self.under_way -= 1
        self.offered_bytes -= e.weight
        self.counted -= e.counted
        if e.parent and e.want == WANTS_DIGEST:
            e.parent.unsaid -= 1
        if code:
            self.codes.append(code)
            cause = f"{os.fsdecode(e.name)}: {text} (code {code})"
            self.cause = self.cause or cause
            print(f"zcp_peer: {cause}", file=sys.stderr)
        elif e.reply != KEPT:
            self.sums.add(e.kind, e.name, e.size, e.crc if e.kind == FILE else 0)

    def fail(self, failure):
        """Says DONE with the code of a failure, and waits until the receiver closes."""
        if not self.done_said or isinstance(failure, Broken):
            level = self.accept["level"] if self.accept else NONE
            self.connection.say(DONE, self.sums.done(failure.code, level, str(failure)))
        self.connection.finish()
        self.hearing.join(CLOSE_S)


# The receiver

class Entry:
    """An entry that the sender has offered, and how far it is."""

    def __init__(self, file_id, kind, name, size, mode, times_, weight):
        self.id, self.kind, self.name, self.size, self.mode = file_id, kind, name, size, mode
        self.times, self.weight = times_, weight
        self.reply = self.code = self.verdict = None
        self.over = self.ended = self.counted = False
        self.wanted = False  # whether its bytes are wanted, although a file was there
        self.text, self.crc = "", 0
        self.runs = Runs()
        self.parent = None  # the directory that it is in
        self.inside = 0  # entries in it that are not over
        self.file = self.part = None  # descriptor and temporary name


class Receiver(End):
    """Takes files and directories over one connection at a time."""

    def __init__(self, directory, overwrite, connect, digest, damage, lose):
        super().__init__(connect)
        self.overwrite = overwrite
        self.own = Entry(None, DIRECTORY, b"", 0, 0, None, 0)
        self.wish, self.damage, self.lose = digest, damage, lose
        self.damaged = {}  # how often a PART arrived damaged, by its first id
        self.root = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        self.umask = os.umask(0)
        os.umask(self.umask)
        self.entries, self.open_names = {}, {}
        self.manifest = self.early = None
        self.undone = False  # whether a verdict undoes EARLY
        self.level = self.digest = self.existing = 0
        self.under_way = self.offered_bytes = self.counted = 0
        self.sums, self.first_code, self.first_text = Sums(), 0, ""
        self.done_said = False

    def run(self):
        """Receives everything, and returns the exit code."""
        handlers = {OFFER: self.hear_offers, DATA: self.hear_block, END: self.hear_ends,
                    LOST: self.hear_lost, PART: self.hear_part, SHOW: self.hear_show}
        while True:
            try:
                frame = self.connection.hear()
            except Lost:
                self.early = None
                self.reconnect()
                continue
            if frame.kind == BEAT:
                continue
            if frame.kind == MANIFEST:
                self.hear_manifest(frame.payload)
            elif frame.kind == DONE and frame.flags & EARLY:
                must(not frame.flags & OWNERS, "OWNERS of a sender")
                self.early = frame.done()
            elif frame.kind == DONE:
                must(not frame.flags, "OWNERS of a sender")
                return self.hear_done(frame.done())
            else:
                must(self.manifest or frame.kind == LOST, "a frame before MANIFEST")
                must(frame.kind in handlers, f"{TYPE_NAMES[frame.kind]} where it may not be")
                try:
                    handlers[frame.kind](frame)
                except Lost:
                    self.early = None
                    self.reconnect()
            if self.early and not (self.under_way or self.first_code or self.undone):
                return self.hear_done(self.early)

    def hear_manifest(self, payload):
        """Answers with level, digest and limits."""
        must(self.manifest in (None, payload), "another MANIFEST")
        *numbers, level, digest, self.existing, reserved, keeps = MANIFEST_FIELDS.unpack(payload)
        must(all(n <= NUMBER_MAX or n == UNKNOWN for n in numbers), "number in MANIFEST")
        must(level <= MEDIA and digest <= SHA256 and bool(level) == bool(digest),
             "level or digest of MANIFEST")
        must(reserved in (0, CUTS) and keeps < 128, "reserved bits of MANIFEST")
        must(self.existing <= 3, "what MANIFEST asks to keep")
        self.manifest = payload
        self.level = min(level, READBACK)  # this peer cannot read past the page cache
        self.digest = max(digest, self.wish) if level else 0
        self.connection.say(ACCEPT, ACCEPT_FIELDS.pack(
            self.level, self.digest, 0, 0, 1, FILES, WINDOW_BYTES))

    def hear_offers(self, frame):
        """Checks offers, and replies to each."""
        reader, name, replies, count = Reader(frame.payload), b"", b"", 0
        while reader.more():
            (file_id, kind, shared, rest, content, attributes, mode, _, _, modified, modified_ns,
             accessed, accessed_ns, represents, size, _, first) = reader.fields(OFFER_FIELDS)
            count += 1
            must(count <= RECORDS_MAX and file_id < 1 << 32, "the id of an offer")
            must(kind <= BLOCK and mode <= 0o7777, "kind or mode of an offer")
            must(shared <= len(name), "an offer shares more than there is")
            name = name[:shared] + reader.bytes(rest)
            target = reader.bytes(content)
            must((kind == SYMLINK) == (0 < content < 4096) and b"\0" not in target,
                 "content of an offer")
            must(kind == SYMLINK or not content, "content of an offer")
            weight = 128 + len(name.rpartition(b"/")[2]) + content + self.skip_attributes(
                reader, attributes)
            for seconds, nanos in ((modified, modified_ns), (accessed, accessed_ns)):
                must(SECONDS_MIN <= seconds <= SECONDS_MAX and nanos < 10**9, "time of an offer")
            must(represents == 0 or kind in (CHARACTER, BLOCK) and represents <= NUMBER_MAX,
                 "device of an offer")
            must(size == 0 or kind == FILE and (size <= NUMBER_MAX or size == UNKNOWN),
                 "size of an offer")
            self.check_name(name)
            if kind == HARD_LINK:
                must(first in self.entries, "first id of a hard link")
                other = self.entries[first]
                must(other.kind == FILE and other.over and not other.code
                     and other.verdict != WANTED, "hard link to no file")
            else:
                must(not first, "first id of no hard link")
            size = None if size == UNKNOWN else size
            e = self.entries.get(file_id)
            if e:  # its connection was lost
                must((e.kind, e.name, e.size) == (kind, name, size), "another entry by an old id")
                replies += self.record(file_id, *e.answer)
                continue
            e = self.begun(Entry(
                file_id, kind, name, size, mode,
                (accessed * 10**9 + accessed_ns, modified * 10**9 + modified_ns), weight))
            must(self.under_way <= ENTRIES_UNDER_WAY_MAX
                 and self.offered_bytes <= OFFERED_BYTES_MAX, "too many entries under way")
            if kind == FILE and (e.size is None or e.size > LARGE_BYTES):
                self.count(e)
            reply = self.reply(e, file_id)
            if len(replies) + len(reply) > PAYLOAD_BYTES_MAX:
                self.connection.say(REPLY, replies)
                replies = b""
            replies += reply
        self.connection.say(REPLY, replies)

    def begun(self, e):
        """Remembers a new entry."""
        self.entries[e.id] = e
        self.under_way += 1
        self.offered_bytes += e.weight
        return e

    def skip_attributes(self, reader, count):
        """Checks attributes that this peer does not keep, and returns their length."""
        total = 0
        for _ in range(count):
            name, value = reader.fields(struct.Struct("<BI"))
            must(name and b"\0" not in reader.bytes(name) and value <= 65536, "an attribute")
            reader.bytes(value)
            total += name + value
            must(total + 5 * count <= ATTRIBUTES_BYTES_MAX, "too many attributes")
        return total

    def check_name(self, name):
        """Refuses a path that could leave the directory."""
        names = name.split(b"/")
        must(len(name) <= PATH_BYTES_MAX and len(names) <= PATH_NAMES_MAX and b"\0" not in name
             and all(0 < len(n) < 256 and n not in (b".", b"..") for n in names),
             f"the path {ascii(name[:99])}")

    def count(self, entry):
        """Counts a file for the limit of files under way."""
        if not entry.counted:
            entry.counted = True
            self.counted += 1
            must(self.counted <= FILES, "too many files under way")

    def reply(self, e, file_id):
        """Decides about an offer, and returns the record of REPLY."""
        kind, code, text = e.answer = self.decide(e)
        e.reply = ALL if kind == NEW else kind
        if kind in (DECLINED, FAILED, KEPT):
            self.finished(e, code, text)
        else:
            self.open_names[e.name] = e
            self.put_in(e, self.open_names.get(e.name.rpartition(b"/")[0]))
        return self.record(file_id, kind, code, text)

    def put_in(self, e, directory):
        """Counts an entry in its directory, if that is under way."""
        e.parent = directory
        if directory:
            directory.inside += 1

    def record(self, file_id, kind, code, text):
        """Returns a record of REPLY."""
        text = cut(text)
        return REPLY_FIELDS.pack(file_id, kind, code, 0, len(text)) + text

    def decide(self, e):
        """Returns kind, exit code and text of a REPLY."""
        parent, _, last = e.name.rpartition(b"/")
        if any(n.startswith(b".zcp-") for n in e.name.split(b"/")):
            return FAILED, 2, "names that begin with .zcp- are ours"
        above = self.open_names.get(parent) if parent else None
        if parent and (not above or above.kind != DIRECTORY or above.ended):
            return FAILED, 4, "its directory was not received"
        if e.name in self.open_names:
            return FAILED, 9, "the path is offered twice"
        if e.kind not in (FILE, DIRECTORY):
            return DECLINED, 0, "only files and directories are taken"
        try:
            folder = self.folder(parent)
            try:
                if e.kind == DIRECTORY:
                    return self.make_directory(folder, last)
                return self.look_at_file(folder, last, e)
            finally:
                os.close(folder)
        except OSError as error:
            return FAILED, 4, error.strerror

    def folder(self, path):
        """Opens a directory name by name, without following links."""
        folder = os.dup(self.root)
        for name in path.split(b"/") if path else []:
            try:
                inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            finally:
                os.close(folder)
            folder = inner
        return folder

    def make_directory(self, folder, name):
        """Makes a directory that is not there yet."""
        try:
            os.mkdir(name, 0o700, dir_fd=folder)
        except FileExistsError:
            if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                return FAILED, 9, "it exists and is no directory"
            return ALL, 0, ""
        return NEW, 0, ""

    def look_at_file(self, folder, name, e):
        """Wants all of a file, unless it may be there already or another one must stay."""
        there = self.there(folder, name)
        fate = self.fate(there, e)
        if fate == KEPT:
            return KEPT, 0, ""
        if self.same(there, e):
            return WHOLE, 0, ""
        return fate, 9 if fate == FAILED else 0, "it exists" if fate == FAILED else ""

    def there(self, folder, name):
        """Looks what has a name, if anything."""
        try:
            return os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def same(self, there, e):
        """Says whether a regular file of the same size and modification time is there."""
        return there and stat.S_ISREG(there.st_mode) and (
            there.st_size, there.st_mtime_ns) == (e.size, e.times[1])

    def fate(self, there, e):
        """Returns KEPT if what is there stays, ALL if the file may come, else FAILED."""
        if not there:
            return ALL
        if (self.existing == 3 or self.existing == 2 and there.st_mtime_ns >= e.times[1]
                or self.existing == 1 and self.same(there, e)):
            return KEPT
        return ALL if self.overwrite and not stat.S_ISDIR(there.st_mode) else FAILED

    def crc_of(self, file):
        """Reads a file again. BEAT counts these bytes."""
        crc, offset = 0, 0
        while piece := os.pread(file, PIECE_BYTES, offset):
            crc, offset = crc32c(piece, crc), offset + len(piece)
            self.connection.raw_bytes += len(piece)
        return crc

    def sha256_of(self, file):
        """Returns the SHA-256 of a file, likewise."""
        sha, offset = hashlib.sha256(), 0
        while piece := os.pread(file, PIECE_BYTES, offset):
            sha.update(piece)
            offset += len(piece)
            self.connection.raw_bytes += len(piece)
        return sha.digest()

    def dress(self, file, e):
        """Sets mode and times."""
        os.fchmod(file, e.mode & 0o777 & ~self.umask)
        os.utime(file, ns=e.times)

    def entry(self, file_id):
        """Returns an entry that was offered."""
        must(file_id in self.entries, "a file that was never offered")
        return self.entries[file_id]

    def hear_lost(self, frame):
        """Checks LOST: all that came over another connection was taken or thrown away."""
        must(len(frame.payload) % 2 == 0, "half a record")
        must(all(n != self.connection.number for (n,) in struct.iter_unpack("<H", frame.payload)),
             "LOST names itself")

    def hear_part(self, frame):
        """Writes and publishes small files that were not offered, or says what it wants of them."""
        reader, sha, repeated = Reader(frame.payload), None, frame.flags & REPEATED
        first, count = reader.fields(PART_FIELDS)
        must(0 < count <= PART_FILES_MAX, "files of a PART")
        if frame.flags & LOOK:
            must(frame.flags == LOOK and first <= NUMBER_MAX, "flags or number of a look")
            files = self.part_files(reader, first, count, HAS_DIRECTORY | HAS_MODE | NAMES, look=True)
            wants = bytes(self.wants(e, bits, directory) for e, bits, *_, directory in files)
            self.connection.say(WANTS, struct.pack("<Q", first) + wants)
            return
        must(first + count <= 1 << 32, "ids of a PART")
        must(bool(frame.flags & SHA256_FLAG) == (self.digest == SHA256), "digest of PART")
        if frame.flags & SHA256_FLAG:
            sha = reader.bytes(32)
        files = self.part_files(reader, first, count, 2 * NAMES - 1)
        must(repeated or not any(bits & BARE and crc for _, bits, crc, *_ in files),
             "CRC32C of a BARE file")
        size = sum(e.size for e, bits, *_ in files if not bits & (BARE | SHOWN))
        must(size <= PART_BYTES_MAX, "a PART is too large")
        before = sum(e.id in self.entries for e, *_ in files)
        must(not before or before == count and repeated, "ids that were said before")
        must(size or not frame.flags & ZSTD[PART], "compressed PART without bytes")
        raw = b"".join(self.connection.pieces(size, frame.flags & ZSTD[PART]))
        if not before:
            self.take_part(files, raw, first, sha, repeated)
        self.verdict(1, b"".join(self.part_verdict(e.id, bits & BARE and not repeated)
                                 for e, bits, *_ in files))

    def part_files(self, reader, first, count, flags, look=False):
        """Returns the files of a PART, each with flags, CRC32C, SHA-256 and directory."""
        files, directory, mode = [], None, None
        for file_id in range(first, first + count):
            bits, length, size, crc, *moments = reader.fields(PART_RECORD)
            must(not bits & ~flags and bits & (BARE | SHOWN) != BARE | SHOWN,
                 "flags of a file of a PART")
            if bits & HAS_DIRECTORY:
                id_, = reader.fields(struct.Struct("<Q"))
                directory = self.own if id_ == UNKNOWN else self.entry(id_)
            if bits & HAS_MODE:
                mode, *_ = reader.fields(struct.Struct("<HII"))
            sha = reader.bytes(32) if bits & SHOWN and self.digest == SHA256 else None
            must(directory and directory.kind == DIRECTORY, "directory of a file of a PART")
            must(look or mode is not None and mode <= 0o7777, "mode of a file of a PART")
            must(look or self.level or bits & SHOWN or not crc, "CRC32C at level NONE")
            must(size <= PART_BYTES_MAX, "size of a file of a PART")
            must(look or all(SECONDS_MIN <= s <= SECONDS_MAX and n < 10**9
                             for s, n in (moments[:2], moments[2:])), "time of a file of a PART")
            name = reader.bytes(length)
            must(b"/" not in name, "name of a file of a PART")
            if bits & HAS_ATTRIBUTES:
                self.skip_attributes(reader, *reader.fields(struct.Struct("<H")))
            path = directory.name + b"/" + name if directory.name else name
            self.check_name(path)
            modified, accessed = (s * 10**9 + n for s, n in (moments[:2], moments[2:]))
            e = Entry(file_id, FILE, path, size, mode, (accessed, modified), 0)
            e.reply = ALL
            files.append((e, bits, crc, sha, directory))
        must(not reader.more(), "more than the records of a PART")
        return files

    def wants(self, e, bits, directory):
        """Answers the look at a file."""
        must(directory.over or not directory.ended, "a look after END of its directory")
        if directory.over:
            return WANTS_NOTHING
        parent, _, last = e.name.rpartition(b"/")
        try:
            folder = self.folder(parent)
            try:
                there = self.there(folder, last)
            finally:
                os.close(folder)
        except OSError:
            return WANTS_BYTES
        fate = self.fate(there, e)
        if fate == KEPT and not bits & NAMES:
            return WANTS_NO_MORE
        if fate != KEPT and self.same(there, e):
            return WANTS_DIGEST
        return WANTS_BYTES if fate == ALL else WANTS_NOTHING

    def take_part(self, files, raw, first, sha, repeated):
        """Checks and publishes the files of a PART."""
        if self.damage and raw:
            self.damage, raw = False, raw[:-1] + bytes([raw[-1] ^ 1])
        at, fits = 0, sha is None or hashlib.sha256(raw).digest() == sha
        contents = []
        for e, bits, crc, *_ in files:
            whole = not bits & (BARE | SHOWN)
            contents.append(raw[at:at + e.size] if whole else b"")
            at += len(contents[-1])
            fits &= not (whole and self.level and crc32c(contents[-1]) != crc)
        if not fits:
            self.damaged[first] = self.damaged.get(first, 0) + 1
            if self.damaged[first] < TRIES_MAX:
                raise Lost("a PART arrived damaged")
        for e, *_, directory in files:
            self.begun(e)
            self.put_in(e, directory)
            must(directory.over or not directory.ended, "a PART after END of its directory")
        for (e, bits, crc, sha, directory), data in zip(files, contents):
            if not fits:
                self.finished(e, 7, "arrived damaged too often")
            elif directory.over:
                must(directory.reply != ALL or directory.code, "a directory that is over")
                self.finished(e, 4, "its directory was not received")
            elif e.name.rpartition(b"/")[2].startswith(b".zcp-"):
                self.finished(e, 2, "names that begin with .zcp- are ours")
            else:
                try:
                    self.take(e, bits, crc, sha, data, repeated)
                except OSError as error:
                    self.finished(e, 4, error.strerror)
        if self.lose:
            self.lose = False
            raise Lost("as the command line says")

    def take(self, e, bits, crc, sha, data, repeated):
        """Decides about a file of a PART, and writes it if it is whole."""
        parent, _, last = e.name.rpartition(b"/")
        folder = self.folder(parent)
        try:
            there = self.there(folder, last)
            fate = self.fate(there, e)
            is_it = bits & SHOWN and fate != KEPT and self.is_shown(folder, last, e, crc, sha)
        finally:
            os.close(folder)
        if fate == KEPT:
            e.verdict = STAYS
            self.finished(e, 0, "")
        elif is_it:
            self.finished(e, 0, "")
        elif fate == FAILED:
            self.finished(e, 9, "it exists")
        elif bits & SHOWN:
            e.verdict = WANTED
            self.finished(e, 0, "")
        elif bits & BARE:
            self.finished(e, *((3, "the source is another by now") if repeated
                               else (4, "nothing is there any more")))
        else:
            self.write(e, 0, data)
            self.publish(e.id, crc)

    def is_shown(self, folder, name, e, crc, sha):
        """Says whether what is there is the file that is shown; then gives it mode and times."""
        there = self.there(folder, name)
        if not self.same(there, e):
            return False
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=folder)
        try:
            is_it = self.sha256_of(file) == sha if sha else self.crc_of(file) == crc
            if is_it and self.fate(there, e) == ALL:
                self.dress(file, e)
        finally:
            os.close(file)
        e.crc = crc if is_it and self.level else 0
        return is_it

    def hear_show(self, frame):
        """Compares a file that is there with what the sender shows of its own."""
        file_id, crc, digest, reserved, sha = SHOW_FIELDS.unpack(frame.payload)
        e = self.entry(file_id)
        must(e.reply == WHOLE, "SHOW of a file not answered WHOLE")
        must(digest == (SHA256 if self.digest == SHA256 else 0) and reserved == bytes(3)
             and (digest or sha == bytes(32)), "digest of SHOW")
        if not e.over and not e.wanted:
            try:
                self.compare(e, crc, sha if digest else None)
            except OSError as error:
                self.finished(e, 4, error.strerror)
        wanted = e.wanted and not e.over
        self.verdict(1, struct.pack("<QB", file_id, WANTED) if wanted else self.refusal(file_id))

    def compare(self, e, crc, sha):
        """Decides about a file that is shown: it is the same, stays, or is wanted."""
        parent, _, last = e.name.rpartition(b"/")
        folder = self.folder(parent)
        try:
            if self.is_shown(folder, last, e, crc, sha):
                self.finished(e, 0, "")
            elif self.fate(self.there(folder, last), e) == ALL:
                e.wanted = True
            else:
                self.finished(e, 9, "it exists and differs")
        finally:
            os.close(folder)

    def part_verdict(self, file_id, silent):
        """Returns the record about a file of a PART, if there is one."""
        e = self.entries[file_id]
        if not e.verdict or e.verdict == STAYS and silent:
            return self.refusal(file_id)
        self.undone = True
        return struct.pack("<QB", file_id, e.verdict)

    def hear_block(self, frame):
        """Writes a block or a hole."""
        e, offset, length = self.entry(frame.file_id), frame.offset, frame.length
        must(e.kind == FILE and (e.reply in (ALL, FAILED, DECLINED) or e.wanted),
             "a block of no such file")
        must(e.size is None or offset + length <= e.size, "a block past the end of its file")
        known = 0 if e.over else e.runs.has(offset, length)
        must(known in (0, length), "a block that is there in part")
        if not e.over:
            must(e.size is not None or offset == sum(r[1] for r in e.runs.runs),
                 "a stream that is not in order")
            must(not e.ended, "a block after END")
            self.count(e)
        wanted = not e.over and not known
        if frame.flags & HOLE:
            if wanted:
                self.write(e, 0, b"")
                self.add_run(e, offset, length, zeros(length))
            self.verdict(1, self.refusal(frame.file_id) if e.over else b"")
            return
        crc, sha, at = 0, hashlib.sha256(), 0
        for piece in self.connection.pieces(length, frame.flags & ZSTD[DATA]):
            if wanted and not e.over:
                self.write(e, offset + at, piece)
                sha.update(piece)
                crc = crc32c(piece, crc) if self.level else 0
            at += len(piece)
        while (trailer := self.connection.hear()).kind == BEAT:
            pass
        must(trailer.kind == TRAILER, "no TRAILER behind a block")
        self.hear_trailer(e, frame, trailer, wanted, crc, sha.digest())

    def hear_trailer(self, e, frame, trailer, wanted, crc, sha):
        """Compares the digest of a block with that of the sender."""
        size, status, digest, reserved, value = TRAILER_FIELDS.unpack(trailer.payload)
        must((trailer.file_id, trailer.offset, size, reserved)
             == (frame.file_id, frame.offset, frame.length, 0), "a TRAILER of another block")
        must(digest == self.digest and status <= UNREADABLE,
             "digest or status of TRAILER")
        must(digest == SHA256 or value[4 * digest:] == bytes(32 - 4 * digest), "digest of TRAILER")
        verdicts = b""
        if e.over:
            verdicts = self.refusal(frame.file_id)
        elif wanted and status == OK:
            made = (b"", struct.pack("<I", crc) + bytes(28), sha)[digest]
            if digest and made != value:
                verdicts = struct.pack("<QBQQ", frame.file_id, AGAIN, frame.offset, frame.length)
            else:
                self.add_run(e, frame.offset, frame.length, crc)
        self.verdict(1, verdicts)

    def add_run(self, e, offset, length, crc):
        """Remembers bytes that are known."""
        e.runs.add(offset, length, crc if self.level else 0)
        must(sum(len(o.runs.runs) for o in self.open_names.values()) <= RUNS_MAX, "too many runs")

    def write(self, e, offset, data):
        """Writes into the temporary file. If that fails, so does the entry."""
        try:
            if e.file is None:
                e.part = b".zcp-peer-" + secrets.token_hex(8).encode() + b".part"
                e.folder = self.folder(e.name.rpartition(b"/")[0])
                e.file = os.open(e.part, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600,
                                 dir_fd=e.folder)
            at = 0
            while at < len(data):
                at += os.pwrite(e.file, data[at:], offset + at)
        except OSError as error:
            self.finished(e, 4, error.strerror)

    def hear_ends(self, frame):
        """Publishes files, and sets modes and times of directories."""
        must(len(frame.payload) % END_FIELDS.size == 0, "half a record")
        verdicts = b""
        for file_id, status, size, crc in END_FIELDS.iter_unpack(frame.payload):
            e = self.entry(file_id)
            must(e.kind in (FILE, DIRECTORY) and status <= GONE, "END")
            must(size <= NUMBER_MAX and (size, crc) == (0, 0) or not status and e.kind == FILE,
                 "size or CRC32C of END")
            must(self.level or not crc, "CRC32C at level NONE")
            must(status or e.over or e.wanted or e.reply != WHOLE, "END of a file not shown")
            again, e.ended = e.ended, True
            if e.over:
                verdicts += self.refusal(file_id)
                if not e.code:
                    self.connection.say(REPLY, self.record(file_id, MADE, 0, ""))
            elif again:
                pass  # a directory: the answer comes on this connection
            elif status:
                self.finished(e, CODES.get(status, 3), f"the sender says status {status}")
                verdicts += self.refusal(file_id)
            elif e.kind == DIRECTORY:
                if not e.inside:
                    self.publish_directory(e)
            else:
                mine = e.runs.crc_of_all(size)
                if mine is None or e.size not in (None, size) or self.level and mine != crc:
                    self.finished(e, 7, "the file is not what END says")
                    verdicts += self.refusal(file_id)
                else:
                    e.size = size
                    self.write(e, 0, b"")
                    verdicts += self.publish(file_id, crc)
        self.verdict(1, verdicts)

    def refusal(self, file_id):
        """Returns the record REFUSED of an entry that has failed, or nothing."""
        e = self.entries[file_id]
        text = cut(e.text)
        return struct.pack("<QBBH", file_id, REFUSED, e.code, len(text)) + text if e.code else b""

    def publish(self, file_id, crc):
        """Gives a complete file its name, and returns the record if that fails."""
        e = self.entries[file_id]
        try:
            if not e.over:
                os.ftruncate(e.file, e.size)
                if self.level == READBACK and self.crc_of(e.file) != crc:
                    self.finished(e, 7, "other bytes were read than written")
            if not e.over:
                self.dress(e.file, e)
                last = e.name.rpartition(b"/")[2]
                if not self.overwrite and self.there(e.folder, last):
                    self.finished(e, 9, "it exists")
            if not e.over:
                os.rename(e.part, last, src_dir_fd=e.folder, dst_dir_fd=e.folder)
                e.part, e.crc = None, crc
                self.finished(e, 0, "")
        except OSError as error:
            self.finished(e, 4, error.strerror)
        return self.refusal(file_id)

    def publish_directory(self, e):
        """Ends a directory in which all is over; one that was there may have to stay as it is."""
        try:
            folder = self.folder(e.name)
            try:
                if e.answer[0] == NEW or self.overwrite:
                    self.dress(folder, e)
            finally:
                os.close(folder)
            code, text = 0, ""
        except OSError as error:
            code, text = 4, error.strerror
        self.connection.say(REPLY, self.record(e.id, FAILED if code else MADE, code, text))
        self.finished(e, code, text)

    def finished(self, e, code, text):
        """Counts an entry that is over, and removes what is incomplete."""
        if self.open_names.get(e.name) is e:
            del self.open_names[e.name]
        e.over, e.code, e.text = True, code, text
        self.under_way -= 1
        self.offered_bytes -= e.weight
        self.counted -= e.counted
        if e.file is not None:
            if e.part:
                os.unlink(e.part, dir_fd=e.folder)
            os.close(e.file)
            os.close(e.folder)
            e.file = None
        if e.reply in (DECLINED, KEPT) or e.verdict:
            e.code = 0
        elif code:
            cause = f"{os.fsdecode(e.name)}: {text} (code {code})"
            self.first_code, self.first_text = self.first_code or code, self.first_text or cause
            print(f"zcp_peer: {ascii(cause)}", file=sys.stderr)
        else:
            size, crc = (e.size, e.crc) if e.kind == FILE else (0, 0)
            self.sums.add(e.kind, e.name, size, crc)
        e.runs = Runs()
        if e.parent:
            e.parent.inside -= 1
            if e.parent.ended and not e.parent.inside:
                self.publish_directory(e.parent)

    def verdict(self, units, records):
        """Acknowledges a unit, after the records about it."""
        self.connection.say(VERDICTS, struct.pack("<I", units) + records)

    def hear_done(self, done):
        """Compares the sums, answers with DONE, and returns the exit code."""
        must(done["level"] <= self.level and not any(done[name] for name in TALLY),
             "level or tally of DONE")
        if (self.under_way or self.sums.differ(done)) and done["code"] not in (0, 1, 11):
            raise PeerGaveUp(done["code"], done["text"] or "the sender gave up")
        must(not self.under_way, "DONE while entries are under way")
        if self.sums.differ(done):
            raise Failure(7, f"the sender has other sums: {done}")
        code = self.first_code or done["code"]
        self.done_said = True
        self.connection.say(DONE, self.sums.done(code, self.level, self.first_text))
        level = min(done["level"], self.level)
        print(f"received: {self.sums.entries} entries, {self.sums.bytes} bytes, level {level}, "
              f"codes {code} and {done['code']} {done['text']}")
        self.connection.finish()
        self.hear_limited()
        self.connection.discard(CLOSE_S)
        return code

    def hear_limited(self):
        """Prints what limited the session, if the sender says it."""
        try:
            frame = self.connection.hear()
            while frame.kind == BEAT:
                frame = self.connection.hear()
        except Lost:
            return
        must(frame.kind == LIMITED, f"{TYPE_NAMES[frame.kind]} after DONE")
        print(f"limited by: {frame.limited()}")

    def fail(self, failure):
        """Says DONE with the code of a failure, and waits until the sender closes."""
        if not self.done_said:
            self.connection.say(DONE, self.sums.done(failure.code, self.level, str(failure)))
        self.connection.finish()
        self.connection.discard(CLOSE_S)

    def clean_up(self):
        """Removes the temporary files of a session that failed."""
        for e in self.entries.values():
            if e.file is not None and e.part:
                os.unlink(e.part, dir_fd=e.folder)


# The command

def address(text):
    """Splits HOST:PORT."""
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def secret(text):
    """Decodes a key."""
    key = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if len(key) != 18 or crc32c(key[:16]) & 0xffff != int.from_bytes(key[16:], "big"):
        raise ValueError("no key, or a mistyped one")
    return key[:16]


def connector(options, role):
    """Returns what makes or waits for a connection, given the one before that was lost."""
    if options.listen:
        family = socket.AF_INET6 if ":" in options.listen[0] else socket.AF_INET
        server = socket.create_server(options.listen, family=family)
        host, port = server.getsockname()[:2]
        print(f"[{host}]:{port}" if ":" in host else f"{host}:{port}", flush=True)

    def connect(before):
        if options.dial:
            sock = socket.create_connection(options.dial, timeout=HANDSHAKE_S)
        else:
            server.settimeout(STALL_S if before else None)
            sock, _ = server.accept()
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(HANDSHAKE_S)
        zstd = options.zstd and compressor() is not None
        return Connection(sock, options.key, role, bool(options.listen), zstd, before)

    return connect


def arguments():
    """Parses the command line."""
    parser = argparse.ArgumentParser(description="An independent peer of zcp/1.")
    common = argparse.ArgumentParser(add_help=False)
    way = common.add_mutually_exclusive_group(required=True)
    way.add_argument("--dial", type=address, metavar="HOST:PORT")
    way.add_argument("--listen", type=address, metavar="HOST:PORT")
    common.add_argument("--key", type=secret, required=True)
    common.add_argument("--sha256", action="store_true", help="wish SHA-256 instead of CRC32C")
    commands = parser.add_subparsers(dest="command", required=True)
    common.add_argument("--damage", action="store_true",
                        help="damage one block and one PART once; a receiver: one PART")
    common.add_argument("--lose", action="store_true",
                        help="lose the connection once, before a PART is acknowledged")
    common.add_argument("--zstd", action="store_true",
                        help="take compressed bytes, or send them, if there is a program zstd")
    send = commands.add_parser("send", parents=[common])
    send.add_argument("--skip-same", action="store_true",
                      help="files of the same size and modification time stay")
    send.add_argument("paths", nargs="+", metavar="PATH")
    receive = commands.add_parser("receive", parents=[common])
    receive.add_argument("--overwrite", action="store_true", help="replace what is there")
    receive.add_argument("directory")
    return parser.parse_args()


def main():
    """Serves one session, and returns the exit code."""
    options = arguments()
    digest = SHA256 if options.sha256 else CRC32C
    end = None
    try:
        role = SENDER if options.command == "send" else RECEIVER
        how = connector(options, role), digest, options.damage, options.lose
        if role == SENDER:
            end = Sender(options.paths, int(options.skip_same), *how)
        else:
            end = Receiver(options.directory, options.overwrite, *how)
        return end.run()
    except Failure as e:
        print(f"zcp_peer: {e}", file=sys.stderr)
        if end:
            end.fail(e)
        return e.code
    except OSError as e:
        print(f"zcp_peer: {e}", file=sys.stderr)
        return 4 if end else 5
    finally:
        if isinstance(end, Receiver):
            end.clean_up()


if __name__ == "__main__":
    sys.exit(main())
