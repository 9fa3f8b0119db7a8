package dev.zcp.session;

/// Which of the bytes that are there from before are read again before they count as arrived.
public enum ResumeVerify {
  /// All of them, where that costs less than to send them again.
  ALL,
  /// Some of the ranges: one of so many, and the last.
  SAMPLE,
  /// None: the journal is believed, where no crash of the machine came between.
  NONE
}
