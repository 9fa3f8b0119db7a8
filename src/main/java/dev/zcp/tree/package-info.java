/// Names on the file system: sources and their identity, directories held open, files staged and
/// published.
package dev.zcp.tree;
