package dev.zcp.session;

import dev.zcp.engine.Strategies;
import dev.zcp.insight.Listener;
import java.io.InputStream;
import java.io.OutputStream;

/// What a command runs in.
///
/// @param in what `-` reads from
/// @param out what `-` writes to
/// @param listener hears what happens
public record Surroundings(
    Strategies strategies, InputStream in, OutputStream out, Listener listener) {}
