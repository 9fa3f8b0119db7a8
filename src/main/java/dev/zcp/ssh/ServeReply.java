package dev.zcp.ssh;

import dev.zcp.core.ExitCode;
import java.net.InetSocketAddress;
import java.util.ArrayList;
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

  static final int HEAD_BYTES = MAGIC.length + 2 + 4;
  static final int BYTES_MAX = 1 << 20;

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
    Fields.FieldWriter fields =
        new Fields.FieldWriter().put(release).put(problem.number()).put(reason);
    fields.put(port).put(found.size());
    for (Found each : found) {
      fields.put(each.ordinal());
    }
    return fields.message(MAGIC, ServeRequest.VERSION);
  }

  /// The release alone, which comes first in every version.
  static String release(byte[] bytes) {
    return new Fields.FieldReader(bytes).text(RELEASE_BYTES_MAX);
  }

  /// @throws IllegalArgumentException with the reason, if these are no fields of a reply
  static ServeReply decode(byte[] bytes) {
    Fields.FieldReader fields = new Fields.FieldReader(bytes);
    String release = fields.text(RELEASE_BYTES_MAX);
    ExitCode problem = ExitCode.ofNumber(fields.number(0xff));
    String reason = fields.text(REASON_BYTES_MAX);
    InetSocketAddress port = fields.port();
    int count = fields.number(ServeRequest.ENTRIES_MAX);
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      found.add(fields.oneOf(Found.values()));
    }
    fields.requireEnd();
    return new ServeReply(release, problem, reason, port, List.copyOf(found));
  }
}
