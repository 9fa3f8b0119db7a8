package dev.zcp.session;

import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import java.util.List;

/// What `zcp send` was asked to do.
///
/// @param files at least one; `-` is standard input, which arrives under the name `stdin`
/// @param plain whether a connection off this machine may go unencrypted
/// @param connectTimeoutNs how long to wait for the connection
/// @param stallTimeoutNs how long the peer may make no progress
/// @param mustDiscard whether this is a trial: a receiver that would keep the files is refused
///   before any of them goes
/// @param socketBufferBytes the SO_SNDBUF to ask the kernel for, or 0 for its own tuning
public record SendRequest(
    Address address,
    List<RawPath> files,
    Choice choice,
    KeySource key,
    boolean plain,
    long connectTimeoutNs,
    long stallTimeoutNs,
    boolean mustDiscard,
    int socketBufferBytes) {

  public SendRequest {
    files = List.copyOf(files);
    if (files.isEmpty()) {
      throw new IllegalArgumentException("nothing to send");
    }
  }
}
