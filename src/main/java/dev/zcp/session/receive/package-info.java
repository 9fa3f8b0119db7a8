/// `zcp receive`: what comes in from senders, into a directory or to standard output.
package dev.zcp.session.receive;
