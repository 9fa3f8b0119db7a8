/// Linux: one method for each system call, and mappings. The only user of `java.lang.foreign`.
package dev.zcp.linux;
