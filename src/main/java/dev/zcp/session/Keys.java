package dev.zcp.session;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.OwnProcess;
import dev.zcp.secure.Key;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Finds the key of a session.
public final class Keys {

  /// As manuals write it.
  private static final String PLACE_OF_KEY = "KEY";

  /// More than this in a file is no key.
  private static final int FILE_BYTES_MAX = 256;

  private Keys() {}

  /// The text of a new key.
  public static String newText() {
    return Key.random().text();
  }

  /// The key that the user gave: by the address, the file or the environment; null if there is
  /// none.
  ///
  /// @throws Failure USAGE if what there is is no key, AUTHENTICATION if its file cannot be read
  public static Key given(Address address, KeySource from) throws Failure {
    if (address.key() != null) {
      return parse("the address", address.key());
    }
    if (from.file() != null) {
      return from.file().isStandardStream() ? readLine(from.in()) : read(from.file());
    }
    return from.environment() == null ? null : parse("ZCP_KEY", from.environment());
  }

  /// The key that a listener of the same user left on this machine, for a dialler that was given
  /// none.
  ///
  /// @param loopback whether the listener is on this machine
  /// @throws Failure AUTHENTICATION if there is none, or one that others may read, or USAGE if what
  ///   there is is no key
  public static Key left(Address address, KeySource from, boolean loopback) throws Failure {
    if (loopback && from.shared() != null) {
      Path left = SharedKey.path(from.shared(), address.port());
      if (Files.exists(left, LinkOption.NOFOLLOW_LINKS)) {
        requireOwn(left);
        return read(RawPath.of(left));
      }
    }
    throw Failure.of(ExitCode.AUTHENTICATION, address, "no key for this address")
        .with("use the URL that it printed, or give the key by ZCP_KEY or --key-file");
  }

  /// A key that another user left might be of a listener of his.
  private static void requireOwn(Path left) throws Failure {
    for (Path each : new Path[] {left.getParent(), left}) {
      try {
        SharedKey.requireOwn(each);
      } catch (IOException e) {
        throw unreadable(RawPath.of(each), e).with("use the URL that the other end printed");
      }
    }
  }

  /// As ssh(1) does: what one's own file shows to others is no secret. Files of root, such as those
  /// that a container is given, are his to guard; any other user's key is known to him.
  private static void requireSecret(RawPath file, Path path) throws IOException, Failure {
    FileStatus status = FileStatus.of(path);
    boolean isOwn = status.owner() == OwnProcess.user();
    if (status.isRegular() && !isOwn && status.owner() != 0) {
      throw Failure.of(ExitCode.AUTHENTICATION, file, "belongs to somebody else")
          .with("copy it, or read it from standard input: --key-file=-");
    }
    if (status.isRegular() && status.isOpenToOthers() && isOwn) {
      throw Failure.of(ExitCode.AUTHENTICATION, file, "others may read this key")
          .with("chmod 600 hides it; if somebody else has seen it, make another");
    }
  }

  /// Reads a line and no byte more: what follows may be somebody else's.
  private static Key readLine(InputStream in) throws Failure {
    String name = "standard input";
    StringBuilder line = new StringBuilder();
    try {
      for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
        line.append((char) b);
        if (line.length() > FILE_BYTES_MAX) {
          throw noKey(name, "this is not a key: it is longer than any");
        }
      }
    } catch (IOException e) {
      throw Failure.of(ExitCode.AUTHENTICATION, name, Reasons.of(e)).because(e);
    }
    return parse(name, line.toString());
  }

  private static Key read(RawPath file) throws Failure {
    Path path = file.toPath();
    try (InputStream in = Files.newInputStream(path, StandardOpenOption.READ)) {
      byte[] bytes = in.readNBytes(FILE_BYTES_MAX + 1);
      if (bytes.length > FILE_BYTES_MAX) {
        throw noKey(file.toString(), "this is not a key: it is longer than any");
      }
      Key key = parse(file.toString(), new String(bytes, StandardCharsets.ISO_8859_1).strip());
      requireSecret(file, path);
      return key;
    } catch (NoSuchFileException e) {
      throw unreadable(file, e).with("this file should hold the key");
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static Failure unreadable(RawPath file, IOException e) {
    return Failure.of(ExitCode.AUTHENTICATION, file, Reasons.of(e)).because(e);
  }

  private static Key parse(String where, String text) throws Failure {
    try {
      return Key.parse(text);
    } catch (IllegalArgumentException e) {
      throw text.equals(PLACE_OF_KEY)
          ? noKey(where, "KEY is not a key: type the one that the other end printed")
          : noKey(where, e.getMessage());
    }
  }

  private static Failure noKey(String where, String reason) {
    return Failure.of(ExitCode.USAGE, where, reason);
  }
}
