/// Runs what a plan asks for: makes files, moves bytes by contenders in turn, checks what arrived.
package dev.zcp.bench.run;
