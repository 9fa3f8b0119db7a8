package dev.zcp.session;

import dev.zcp.core.Address;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;

/// What `zcp receive` was asked to do.
///
/// @param listen where to listen; port 0 takes a free one
/// @param directory where files go, or `-` to write one file's bytes to standard output
/// @param once whether to end after one transfer, with its exit code
/// @param plain whether to listen off loopback without encryption
public record ReceiveRequest(
    Address listen,
    RawPath directory,
    boolean once,
    Choice choice,
    KeySource key,
    boolean plain,
    Admission admission,
    Flow flow) {}
