package dev.zcp.session;

import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;

/// What `zcp receive` was asked to do.
///
/// @param listen where to listen; port 0 takes a free one
/// @param directory where files go, or `-` to write one file's bytes to standard output
/// @param once whether to end after one transfer, with its exit code
/// @param existing REPLACE with `--overwrite`, else REFUSE
/// @param plain whether to listen off loopback without encryption
/// @param stallTimeoutNs how long the peer may make no progress
/// @param discard whether each file is thrown away where it would get its name; `existing` does not
///   matter then
/// @param socketBufferBytes the SO_RCVBUF to ask the kernel for, or 0 for its own tuning
public record ReceiveRequest(
    Address listen,
    RawPath directory,
    boolean once,
    Existing existing,
    Choice choice,
    KeySource key,
    boolean plain,
    long stallTimeoutNs,
    boolean discard,
    int socketBufferBytes) {}
