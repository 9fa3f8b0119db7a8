/// Tests that drive the built `target/zcp/bin/zcp` from outside, as a user and a kernel see it.
package dev.zcp.it;
