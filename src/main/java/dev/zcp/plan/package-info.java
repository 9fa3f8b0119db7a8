/// Splits the copy of a tree into shards that any scheduler can run, and knows what became of them.
package dev.zcp.plan;
