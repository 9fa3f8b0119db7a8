/// Experiments: files read, written, copied and sent in different ways on the user's own machine.
package dev.zcp.bench;
