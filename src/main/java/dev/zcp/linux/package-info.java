/// Linux: one method for each system call, mappings, and open files, sockets and pipes as the ends
/// of a transfer. The only user of JNI and of `java.lang.foreign`.
package dev.zcp.linux;
