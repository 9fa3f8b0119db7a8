package dev.zcp.strategy;

import dev.zcp.spi.TransferStrategy;
import java.util.List;

/// The strategies that zcp brings along, named here rather than in a file of services: to search
/// the class path for that file takes 8 ms of each start.
public final class BuiltIn {

  private BuiltIn() {}

  public static List<TransferStrategy> strategies() {
    return List.of(
        new CopyFileRangeStrategy(),
        new DirectStrategy(),
        new HeapStrategy(),
        new MmapStrategy(),
        new ReflinkStrategy(),
        new SpliceStrategy(),
        new StreamStrategy(),
        new TransferToStrategy());
  }
}
