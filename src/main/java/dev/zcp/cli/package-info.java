/// The command line: flags in, a request out, an exit code back. The only user of picocli.
package dev.zcp.cli;
