package dev.zcp.io;

import java.io.InputStream;
import java.io.OutputStream;

/// Standard input and output as ends of a transfer.
///
/// @param in what `-` reads from
/// @param out what `-` writes to
public record StandardStreams(InputStream in, OutputStream out) {}
