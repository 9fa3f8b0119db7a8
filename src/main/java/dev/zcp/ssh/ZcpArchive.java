package dev.zcp.ssh;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.core.TarHeader;
import dev.zcp.secure.Cryptography;
import dev.zcp.tree.Reasons;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/// A zcp in one archive that tar(1) unpacks, compressed by gzip: every machine has both. Each file
/// is a member of its own, RFC 1952 section 2.2, so that all processors can work on it.
///
/// @param pieces its bytes
record ZcpArchive(List<byte[]> pieces) {

  /// Of the one that is made here.
  static final int BYTES_MAX = 25 << 20;

  /// Of a package of zcp for another processor, which has more in it.
  private static final int PACKAGE_BYTES_MAX = 100 << 20;

  /// The only AOT cache that travels. The launcher takes it in place of the larger ones, with which
  /// `zcp serve` would start 20 ms sooner.
  private static final String CACHE = "start.aot";

  private static final int BUFFER_BYTES = 64 << 10;
  private static final byte[] NO_LINK = {};
  private static final List<String> FOLDERS = List.of("bin", "lib", "runtime");

  /// Packs the zcp in `home`.
  ///
  /// @throws Failure SOURCE if its files cannot be read, or INTERNAL if they are too many
  static ZcpArchive of(Path home) throws Failure {
    try {
      List<byte[]> pieces = new ArrayList<>();
      for (byte[] each : files(home).parallelStream().map(file -> member(home, file)).toList()) {
        pieces.add(each);
      }
      pieces.add(compressed(TarHeader.end(), null));
      ZcpArchive archive = new ZcpArchive(pieces);
      if (archive.bytes() > BYTES_MAX) {
        throw Failure.of(
            ExitCode.INTERNAL, "the archive of this zcp has " + new ByteSize(archive.bytes()));
      }
      return archive;
    } catch (UncheckedIOException e) {
      throw unreadable(home, e.getCause());
    } catch (IOException e) {
      throw unreadable(home, e);
    }
  }

  /// An archive that is there.
  ///
  /// @throws Failure SOURCE if it cannot be read, or is too large
  static ZcpArchive ofFile(RawPath file) throws Failure {
    try (var in = Files.newInputStream(file.toPath())) {
      byte[] bytes = in.readNBytes(PACKAGE_BYTES_MAX + 1);
      if (bytes.length > PACKAGE_BYTES_MAX) {
        throw Failure.of(
            ExitCode.SOURCE, file, "no package of zcp is larger than " + PACKAGE_BYTES_MAX);
      }
      return new ZcpArchive(List.of(bytes));
    } catch (IOException e) {
      throw Reasons.source(file, e);
    }
  }

  /// How much room the zcp in `home` takes once it is unpacked.
  static long unpackedBytes(Path home) throws Failure {
    try {
      long bytes = 0;
      for (Path each : files(home)) {
        bytes += Files.size(each) + TarHeader.BLOCK_BYTES;
      }
      return bytes;
    } catch (IOException e) {
      throw unreadable(home, e);
    }
  }

  private static Failure unreadable(Path home, IOException e) {
    return Reasons.source("the zcp in " + home, e);
  }

  long bytes() {
    long bytes = 0;
    for (byte[] each : pieces) {
      bytes += each.length;
    }
    return bytes;
  }

  /// Its SHA-256, in hexadecimal digits.
  String digest() {
    MessageDigest digest = Cryptography.sha256();
    pieces.forEach(digest::update);
    return HexFormat.of().formatHex(digest.digest());
  }

  private static List<Path> files(Path home) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String folder : FOLDERS) {
      try (Stream<Path> paths = Files.walk(home.resolve(folder))) {
        for (Path each : paths.sorted().toList()) {
          String name = each.getFileName().toString();
          if (!Files.isDirectory(each) && (!name.endsWith(".aot") || name.equals(CACHE))) {
            files.add(each);
          }
        }
      }
    }
    return files;
  }

  private static byte[] bytes(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] member(Path home, Path file) {
    try {
      boolean isLink = Files.isSymbolicLink(file);
      byte[] header =
          TarHeader.of(
              isLink ? TarHeader.LINK : TarHeader.FILE,
              bytes(home.relativize(file)),
              isLink ? bytes(Files.readSymbolicLink(file)) : NO_LINK,
              Files.isExecutable(file) ? 0755 : 0644,
              isLink ? 0 : Files.size(file),
              // An AOT cache fits only a jar with the time that it knows.
              Files.getLastModifiedTime(file).to(TimeUnit.SECONDS));
      return compressed(header, isLink ? null : file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// @param file what follows `header`, filled up to whole blocks; or null
  private static byte[] compressed(byte[] header, Path file) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes, BUFFER_BYTES)) {
      gzip.write(header);
      if (file != null) {
        gzip.write(TarHeader.padding(Files.copy(file, gzip)));
      }
    }
    return bytes.toByteArray();
  }
}
