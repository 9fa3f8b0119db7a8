package dev.zcp.strategy;

import dev.zcp.spi.TransferStrategy;

class MmapStrategyTest extends TransferStrategyContract {

  @Override
  protected TransferStrategy strategy() {
    return new MmapStrategy();
  }
}
