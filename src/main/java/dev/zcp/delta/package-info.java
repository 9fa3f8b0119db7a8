/// What two versions of a file have in common: cuts files by their contents.
package dev.zcp.delta;
