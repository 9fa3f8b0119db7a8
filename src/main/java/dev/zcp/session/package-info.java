/// The use cases: a copy on one machine, a sender and a receiver. Each takes a request, tells a
/// listener what happens, and returns a result; none of them prints, exits or throws.
package dev.zcp.session;
