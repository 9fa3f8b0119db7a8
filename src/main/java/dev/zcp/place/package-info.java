/// All that is done to a target, whoever brings the bytes.
package dev.zcp.place;
