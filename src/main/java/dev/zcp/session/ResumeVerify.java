package dev.zcp.session;

/// Which of the bytes that are there from before are read again before they count as arrived.
public enum ResumeVerify {
  /// All of them, if that costs less than to send them again.
  ALL,
  /// One range of [#SAMPLE_OF], about, and those where an accident would show: at the sender the
  /// first and the last, at the receiver the ends of what is held without a gap.
  SAMPLE,
  /// None: the journal is believed, if no crash of the machine came between.
  NONE;

  /// Of how many ranges a sample is one.
  public static final int SAMPLE_OF = 16;
}
