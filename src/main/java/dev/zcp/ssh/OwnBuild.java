package dev.zcp.ssh;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// The zcp that runs here: which one it is, and what its programs need to run.
///
/// @param home its directory, with `bin`, `lib` and `runtime`; null if it has none
/// @param release such as `0.1.0`
/// @param commit what it was built from, which tells two builds of a release apart; or [#UNKNOWN]
public record OwnBuild(Path home, String release, String commit) {

  public static final String UNKNOWN = "unknown";

  private static final int COMMIT_CHARS_MAX = 80;

  // Of elf(5), for 64 bits.
  private static final int HEADER_BYTES = 64;
  private static final int PHOFF_AT = 32;
  private static final int PHENTSIZE_AT = 54;
  private static final int PHNUM_AT = 56;
  private static final int OFFSET_AT = 8;
  private static final int FILESZ_AT = 32;
  private static final int PT_INTERP = 3;

  /// More than the headers of a program take.
  private static final int READ_BYTES = 16 << 10;

  /// A commit is put into a shell's command line, and into a name.
  public OwnBuild {
    boolean isPlain = !commit.isEmpty() && commit.length() <= COMMIT_CHARS_MAX;
    for (int i = 0; i < commit.length(); i++) {
      char c = commit.charAt(i);
      isPlain &= c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-';
    }
    commit = isPlain ? commit : UNKNOWN;
  }

  /// What its directory on another machine is called, but for the processor there.
  String name() {
    return release + "-" + commit;
  }

  /// The processor, as `uname -m` names it.
  static String machine() {
    String arch = System.getProperty("os.arch");
    return arch.equals("amd64") ? "x86_64" : arch;
  }

  /// @throws Failure USAGE if it cannot be put on another machine
  void requireWhole() throws Failure {
    if (home == null || commit.equals(UNKNOWN)) {
      throw Failure.of(ExitCode.USAGE, "this zcp does not know which build it is")
          .with("only one that is installed, or made by the build, can be put elsewhere");
    }
  }

  /// What the kernel starts its programs by: `/lib64/ld-linux-x86-64.so.2`, or another one if they
  /// were linked with another C library. It is the PT_INTERP of elf(5).
  ///
  /// @throws IOException if the runtime is no program that has one
  String loader() throws IOException {
    byte[] start;
    Path java = home.resolve("runtime/bin/java");
    try (var in = Files.newInputStream(java)) {
      start = in.readNBytes(READ_BYTES);
    }
    ByteBuffer elf = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN);
    if (start.length > HEADER_BYTES) {
      long at = elf.getLong(PHOFF_AT);
      for (int i = 0; i < elf.getShort(PHNUM_AT); i++, at += elf.getShort(PHENTSIZE_AT)) {
        if (at < 0 || at > start.length - HEADER_BYTES) {
          break;
        }
        long offset = elf.getLong((int) at + OFFSET_AT);
        long bytes = elf.getLong((int) at + FILESZ_AT);
        if (elf.getInt((int) at) == PT_INTERP
            && bytes > 1
            && offset > 0
            && offset + bytes <= start.length) {
          return new String(start, (int) offset, (int) bytes - 1, StandardCharsets.US_ASCII);
        }
      }
    }
    throw new IOException(java + " is no program of Linux for 64 bits");
  }
}
