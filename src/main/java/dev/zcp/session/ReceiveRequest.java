package dev.zcp.session;

import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;

/// What `zcp receive` was asked to do.
///
/// @param directory where files go, or `-` to write one file's bytes to standard output
public record ReceiveRequest(
    Peering peering, RawPath directory, Choice choice, Admission admission) {}
