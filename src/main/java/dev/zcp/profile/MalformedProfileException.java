package dev.zcp.profile;

/// A file that is no profile, or one of another format. The message says where and what.
final class MalformedProfileException extends Exception {

  private static final long serialVersionUID = 1L;

  MalformedProfileException(String message) {
    super(message);
  }

  MalformedProfileException(int line, String message) {
    super("line " + line + ": " + message);
  }
}
