/// What was measured to be best on this machine's routes, for `auto`.
package dev.zcp.profile;
