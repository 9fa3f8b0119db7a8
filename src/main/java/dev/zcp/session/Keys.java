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

  /// The sender's key: of the address, of the file, of the environment, of a receiver on this
  /// machine.
  ///
  /// @param loopback whether the receiver is on this machine
  /// @throws Failure AUTHENTICATION where there is none, or USAGE where what there is is no key
  static Key ofSender(Address address, KeySource from, boolean loopback) throws Failure {
    Key said = said(address, from);
    if (said != null) {
      return said;
    }
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
    Key said = said(address, from);
    return said != null ? said : Key.random();
  }

  /// The key that the user gave, or null where there is none.
  private static Key said(Address address, KeySource from) throws Failure {
    if (address.key() != null) {
      return parse("the address", address.key());
    }
    if (from.file() != null) {
      return read(from.file());
    }
    return from.environment() == null ? null : parse("ZCP_KEY", from.environment());
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
