/// `zcp bench --tune`: finds what is fastest between two places of the user's, for the profile.
package dev.zcp.bench.tune;
