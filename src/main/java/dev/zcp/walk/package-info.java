/// The way through the sources of a command: operands, lists of names, directories and what is in
/// them, past filters and mounts. What becomes of what it finds is a visitor's business.
package dev.zcp.walk;
