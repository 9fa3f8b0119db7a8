package dev.zcp.session;

import dev.zcp.insight.Verified;

/// What a receiver takes.
///
/// @param existing REPLACE with `--overwrite`, else REFUSE
/// @param keeps bits of [dev.zcp.wire.Keep]
/// @param verify how far it proves arrivals at least, or null for what each sender asks for
/// @param resumeVerify what of the bytes that are there from before it reads again
/// @param bytesMax of a session at most, or [#UNLIMITED]
/// @param filesMax entries of a session at most, or [#UNLIMITED]
/// @param discard whether each file is thrown away where it would get its name; `existing` does not
///   matter then
public record Admission(
    Existing existing,
    int keeps,
    Verified verify,
    ResumeVerify resumeVerify,
    long bytesMax,
    long filesMax,
    boolean discard) {

  public static final long UNLIMITED = Long.MAX_VALUE;

  public static final Admission USUAL =
      new Admission(Existing.REFUSE, 0, null, ResumeVerify.ALL, UNLIMITED, UNLIMITED, false);
}
