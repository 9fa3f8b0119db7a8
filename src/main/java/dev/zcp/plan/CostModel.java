package dev.zcp.plan;

/// How long a copy is expected to take. Only the ratio of the two figures matters for the balance
/// of shards.
///
/// @param perFileNs what each entry takes, whatever its size
/// @param nsPerMiB what each MiB of its bytes adds
public record CostModel(long perFileNs, long nsPerMiB) {

  /// Creating a file, its metadata and its name: 100,000 files of 1 KiB were copied at this pace.
  private static final long PER_FILE_NS = 100_000;

  /// 1 GiB per second, if nothing was measured.
  private static final long NS_PER_MIB = 976_562;

  private static final long MIB = 1 << 20;
  private static final double NS_PER_S = 1e9;

  public static final CostModel USUAL = new CostModel(PER_FILE_NS, NS_PER_MIB);

  /// @param nsPerMiB as measured
  public static CostModel measured(long nsPerMiB) {
    return new CostModel(PER_FILE_NS, Math.max(1, nsPerMiB));
  }

  public static CostModel ofRate(long bytesPerSecond) {
    return measured(Math.round(NS_PER_S * MIB / bytesPerSecond));
  }

  /// In floating point, since the sizes of sparse files have no limit.
  double ns(double files, double bytes) {
    return files * perFileNs + bytes / MIB * nsPerMiB;
  }
}
