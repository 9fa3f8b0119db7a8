package dev.zcp.linux;

/// How busy the processors of this machine are: the first line of `/proc/stat`, proc_stat(5).
public final class Processors {

  private static final String STATISTICS = "/proc/stat";

  /// Documentation/scheduler/sched-stats.rst of the kernel.
  private static final String OWN_STATISTICS = "/proc/thread-self/schedstat";

  // Of the words of the line, of which the first is its name.
  private static final int IDLE = 4;
  private static final int WAITING_FOR_DEVICES = 5;
  private static final int STOLEN = 8;

  private long allTicks;
  private long idleTicks;

  public Processors() {
    idleShare();
  }

  /// The part of all processors' time, 0 to 1, that nobody has used since the last call, or since
  /// this object was made; 1 if the kernel does not tell.
  public double idleShare() {
    String text = ProcFile.text(STATISTICS);
    try {
      String[] words = text.substring(0, text.indexOf('\n')).split(" +");
      long all = 0;
      for (int i = 1; i <= STOLEN; i++) {
        all += Long.parseLong(words[i]);
      }
      long idle = Long.parseLong(words[IDLE]) + Long.parseLong(words[WAITING_FOR_DEVICES]);
      double share = (double) (idle - idleTicks) / Math.max(1, all - allTicks);
      allTicks = all;
      idleTicks = idle;
      return share;
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      return 1;
    }
  }

  /// How long the calling thread, since it began, waited for a processor although it could have
  /// run, in nanoseconds; 0 if the kernel does not tell.
  public static long waitedNs() {
    try {
      return ProcFile.number(ProcFile.text(OWN_STATISTICS), " ");
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
