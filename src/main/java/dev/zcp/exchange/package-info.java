/// The two ends of a session as pure state machines: frames, connections that come and go, and the
/// results of reads and writes go in; what to say and what to do comes out.
///
/// Nothing here does input or output, knows the time, a thread or a key; so a simulator can run
/// both ends against each other, thousands of sessions a second. `PROTOCOL.md` tells the rules.
package dev.zcp.exchange;
