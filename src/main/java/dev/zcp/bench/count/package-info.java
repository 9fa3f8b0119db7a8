/// What a thread made the kernel do.
package dev.zcp.bench.count;
