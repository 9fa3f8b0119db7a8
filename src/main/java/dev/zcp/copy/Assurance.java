package dev.zcp.copy;

import dev.zcp.core.Level;
import dev.zcp.core.RawPath;

/// How sure a copy makes itself of what it did.
///
/// @param verify the level asked for: [Level#NONE], [Level#READBACK] or [Level#MEDIA]
/// @param manifest where names and digests are written, or null
/// @param durable whether each file is on the device before it counts as done
/// @param compareOnly whether nothing is copied, and what is there is compared
public record Assurance(Level verify, RawPath manifest, boolean durable, boolean compareOnly) {

  public static final Assurance USUAL = new Assurance(Level.NONE, null, false, false);
}
