/// Moves the bytes of one file: ranks strategies, steps the best of them, falls back at the same
/// offset, tells an observer. It sees no path, no flag and no peer.
package dev.zcp.engine;
