package dev.zcp.session;

import dev.zcp.insight.Verified;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.wire.Keep;
import java.util.ArrayList;
import java.util.List;

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

  /// What a receiver may be told to take besides, as the command line has it.
  public static final List<String> KEEP_WORDS = words();

  /// The bit of one of [#KEEP_WORDS].
  public static int keepOf(String word) {
    for (Keep keep : Keep.values()) {
      if (keep.word().equals(word)) {
        return keep.bit();
      }
    }
    throw new IllegalArgumentException(word);
  }

  private static List<String> words() {
    List<String> words = new ArrayList<>();
    for (Keep keep : Keep.values()) {
      words.add(keep.word());
    }
    return List.copyOf(words);
  }
}
