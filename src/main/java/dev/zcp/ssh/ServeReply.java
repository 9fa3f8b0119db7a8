package dev.zcp.ssh;

import dev.zcp.core.ExitCode;
import java.net.InetSocketAddress;
import java.util.List;

/// What the end that ssh has started says to a [ServeRequest], before the session. protocol/ssh.md
/// has its bytes.
///
/// @param release the release of zcp there
/// @param problem OK, or why there will be no session
/// @param reason of the problem, for the user; else empty
/// @param port where it takes connections by TLS; null if it takes none
/// @param found what each path is that it was asked about
record ServeReply(
    String release, ExitCode problem, String reason, InetSocketAddress port, List<Found> found) {

  /// `89 7a 63 70 21 0d 1a 0a`
  static final byte[] MAGIC = {(byte) 0x89, 'z', 'c', 'p', '!', '\r', 0x1a, '\n'};

  private static final int RELEASE_BYTES_MAX = 64;
  private static final int REASON_BYTES_MAX = 1024;

  enum Found {
    NOTHING,
    DIRECTORY,
    /// A file, a link that leads nowhere, or anything else.
    OTHER
  }

  static ServeReply refused(String release, ExitCode problem, String reason) {
    return new ServeReply(release, problem, reason, null, List.of());
  }

  /// Whether it answers `request`: it tells of each path, and names a port if it must, and none if
  /// it must not. The other end may be anybody's.
  boolean fits(ServeRequest request) {
    if (request instanceof ServeRequest.Give give) {
      return found.size() == give.paths().size() && (give.onward() == null || port == null);
    }
    return found.size() == 1
        && switch (((ServeRequest.Take) request).at()) {
          case PIPE_AND_PORT -> true;
          case PIPE -> port == null;
          case PORT -> port != null;
        };
  }

  byte[] encode() {
    return Fields.encode(this, ServeReply::code, MAGIC, ServeRequest.VERSION);
  }

  /// The release alone, which comes first in every version.
  static String release(byte[] bytes) {
    return Fields.firstText(bytes, RELEASE_BYTES_MAX);
  }

  /// @throws IllegalArgumentException with the reason, if these are no fields of a reply
  static ServeReply decode(byte[] bytes) {
    return Fields.decode(bytes, ServeReply::code);
  }

  private static ServeReply code(Fields fields, ServeReply from) {
    return new ServeReply(
        fields.text(from, ServeReply::release, RELEASE_BYTES_MAX),
        ExitCode.ofNumber(fields.number(from, reply -> reply.problem.number(), 0xff)),
        fields.text(from, ServeReply::reason, REASON_BYTES_MAX),
        fields.port(from, ServeReply::port),
        fields.list(
            from, ServeReply::found, (part, each) -> part.oneOf(each, it -> it, Found.values())));
  }
}
