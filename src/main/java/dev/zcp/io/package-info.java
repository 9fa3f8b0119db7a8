/// Files, sockets and pipes as ends of a transfer, and their descriptors.
package dev.zcp.io;
