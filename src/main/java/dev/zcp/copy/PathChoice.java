package dev.zcp.copy;

import dev.zcp.core.ByteSize;
import dev.zcp.engine.Choice;
import java.util.function.BooleanSupplier;

/// How the bytes of one file move. It is chosen here and nowhere else, once for each file.
public enum PathChoice {

  /// One read and one write through a buffer of the thread: ranking strategies and making a buffer
  /// for each file would cost more than its bytes.
  SMALL_BUFFER("small buffer"),

  /// One copy_file_range(2) for the whole file, on one file system. If it does not take all, the
  /// engine goes on.
  ONE_CALL("one call"),

  /// Two threads, each of which reads and writes the next range that nobody has.
  TWO_THREADS("two threads"),

  /// The engine: the strategy asked for, or those that `auto` ranks.
  STRATEGY_STEPS("strategy steps");

  /// Up to this size a file goes through one buffer.
  static final int SMALL_BUFFER_BYTES_MAX = 128 << 10;

  /// The same if one call of the kernel could copy it: up to here that was nowhere much faster.
  static final int SMALL_BUFFER_BYTES_MAX_BESIDE_ONE_CALL = 16 << 10;

  /// A longer file takes several steps, so that progress is live.
  static final long ONE_CALL_BYTES_MAX = 4L << 20;

  /// A shorter file is copied before a second thread has gained what it costs.
  static final long TWO_THREADS_BYTES_MIN = 128L << 20;

  /// The file system on which two threads were measured to be faster than one. Others share
  /// extents, copy on a server, or were not seen to gain.
  static final String TWO_THREADS_TYPE = "ext4";

  private final String label;

  PathChoice(String label) {
    this.label = label;
  }

  /// What a report and `zcp explain` call it.
  public String label() {
    return label;
  }

  /// What is known of a file before its first byte moves.
  ///
  /// @param bytes its size
  /// @param isSameFileSystem whether source and target are on one
  /// @param isTuned whether the user's profile has figures for this route
  /// @param goesAroundHoles whether it has holes that are to be kept
  /// @param gainsByTwoThreads whether the target's file system was measured to gain by a second
  ///   thread; asked last, since it may take a system call
  record Facts(
      long bytes,
      boolean isSameFileSystem,
      boolean isTuned,
      boolean goesAroundHoles,
      BooleanSupplier gainsByTwoThreads) {}

  /// Why a file that `auto` copies goes by [#STRATEGY_STEPS]: a clause.
  static String whySteps(Facts facts) {
    if (facts.goesAroundHoles()) {
      return "its holes are kept";
    }
    if (facts.isTuned()) {
      return "the profile has figures of this route";
    }
    if (facts.bytes() >= TWO_THREADS_BYTES_MIN) {
      return "two threads were measured to be faster on " + TWO_THREADS_TYPE + " only";
    }
    return (facts.isSameFileSystem()
            ? "one call is for files of up to " + new ByteSize(ONE_CALL_BYTES_MAX)
            : "one call is for copies within one file system")
        + ", and two threads for files of "
        + new ByteSize(TWO_THREADS_BYTES_MIN)
        + " and more";
  }

  /// @param choice what the user asked for. A strategy asked for by name moves every file; a chunk
  ///   size asked for keeps the kernel from taking a file whole.
  static PathChoice of(Choice choice, Facts facts) {
    if (!choice.isAuto() || facts.goesAroundHoles()) {
      return STRATEGY_STEPS;
    }
    boolean isAdaptive = choice.chunkBytes() == Choice.ADAPTIVE;
    boolean isFree = isAdaptive && !facts.isTuned();
    boolean fitsOneCall = isFree && facts.isSameFileSystem() && facts.bytes() <= ONE_CALL_BYTES_MAX;
    if (facts.bytes() <= smallBytesMax(choice, fitsOneCall)) {
      return SMALL_BUFFER;
    }
    if (fitsOneCall) {
      return ONE_CALL;
    }
    boolean isForTwo =
        isFree
            && facts.bytes() >= TWO_THREADS_BYTES_MIN
            && facts.gainsByTwoThreads().getAsBoolean();
    return isForTwo ? TWO_THREADS : STRATEGY_STEPS;
  }

  /// Up to how many bytes a file goes through one buffer.
  ///
  /// @param mayTakeOneCall whether one call of the kernel could copy it
  static long smallBytesMax(Choice choice, boolean mayTakeOneCall) {
    if (choice.chunkBytes() != Choice.ADAPTIVE) {
      return Math.min(SMALL_BUFFER_BYTES_MAX, choice.chunkBytes());
    }
    return mayTakeOneCall ? SMALL_BUFFER_BYTES_MAX_BESIDE_ONE_CALL : SMALL_BUFFER_BYTES_MAX;
  }
}
