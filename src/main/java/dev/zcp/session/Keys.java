package dev.zcp.session;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.secure.Key;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Finds the key of a session.
final class Keys {

  /// A key's text is at most 86 characters; more than this in a file is no key.
  private static final int FILE_BYTES_MAX = 256;

  private Keys() {}

  /// The key that the user gave: by the address, the file or the environment; null where there is
  /// none.
  ///
  /// @throws Failure USAGE where what there is is no key, AUTHENTICATION where its file cannot be
  ///   read
  static Key given(Address address, KeySource from) throws Failure {
    if (address.key() != null) {
      return parse("the address", address.key());
    }
    if (from.file() != null) {
      return read(from.file());
    }
    return from.environment() == null ? null : parse("ZCP_KEY", from.environment());
  }

  /// The key that a receiver of the same user left on this machine, for a sender that was given
  /// none.
  ///
  /// @param loopback whether the receiver is on this machine
  /// @throws Failure AUTHENTICATION where there is none
  static Key left(Address address, KeySource from, boolean loopback) throws Failure {
    if (loopback && from.shared() != null) {
      Path left = SharedKey.path(from.shared(), address.port());
      if (Files.exists(left, LinkOption.NOFOLLOW_LINKS)) {
        return read(RawPath.of(left));
      }
    }
    throw Failure.of(ExitCode.AUTHENTICATION, address.toString(), "no key for this receiver")
        .with("send to the URL that it printed, or give the key by ZCP_KEY or --key-file");
  }

  /// The receiver's key: of the address, of the file, of the environment, or a new one.
  static Key ofReceiver(Address address, KeySource from) throws Failure {
    Key given = given(address, from);
    return given != null ? given : Key.random();
  }

  private static Key read(RawPath file) throws Failure {
    try (InputStream in = Files.newInputStream(file.toPath(), StandardOpenOption.READ)) {
      byte[] bytes = in.readNBytes(FILE_BYTES_MAX);
      return parse(file.toString(), new String(bytes, StandardCharsets.ISO_8859_1).strip());
    } catch (IOException e) {
      throw Failure.of(ExitCode.AUTHENTICATION, file.toString(), Reasons.of(e)).because(e);
    }
  }

  private static Key parse(String where, String text) throws Failure {
    try {
      return Key.parse(text);
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.USAGE, where, "holds no key: " + e.getMessage());
    }
  }
}
