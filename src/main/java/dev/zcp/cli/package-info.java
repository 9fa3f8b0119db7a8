/// Placeholder of the command line.
package dev.zcp.cli;
