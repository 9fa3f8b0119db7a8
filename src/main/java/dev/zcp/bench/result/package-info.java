/// What was measured.
package dev.zcp.bench.result;
