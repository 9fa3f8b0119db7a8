/// A connection, whatever carries it: frames over a [dev.zcp.carrier.Carrier], and the time-out
/// that ends those whose peer makes no progress.
package dev.zcp.carrier;
