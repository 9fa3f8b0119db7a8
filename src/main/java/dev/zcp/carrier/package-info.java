/// A connection, whatever carries it: frames over a [dev.zcp.carrier.Carrier], and the watchdog
/// that ends those whose peer makes no progress.
package dev.zcp.carrier;
