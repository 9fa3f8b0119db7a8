/// Makes bytes smaller, and as they were again.
package dev.zcp.compress;
