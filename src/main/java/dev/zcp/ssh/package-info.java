/// The other end by ssh: how a user names it, how it is started, what it is asked, and what it does
/// when it is that end.
package dev.zcp.ssh;
