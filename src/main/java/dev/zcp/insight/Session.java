package dev.zcp.insight;

/// What two ends of a session came to.
///
/// @param link what it began over
/// @param connections how many were open at once at most
/// @param bytesResumed bytes of files that the receiver had from before and that were not sent
///   again
/// @param bytesResent bytes that were sent again, since they arrived damaged; what was under way on
///   a connection that was lost is not in it
/// @param proof how the level of verification was reached, and what had to touch the bytes for it:
///   a phrase without a full stop, or empty where nobody said
/// @param congestion the TCP congestion control that the kernel uses as it was asked to, or empty
///   where nobody asked
public record Session(
    Link link,
    int connections,
    long bytesResumed,
    long bytesResent,
    String proof,
    String congestion) {

  /// Over one connection that was never lost.
  public static Session over(Link link) {
    return new Session(link, 1, 0, 0, "", "");
  }
}
