/// `zcp send`: what the files and trees of this machine become on their way to a receiver.
package dev.zcp.session.send;
