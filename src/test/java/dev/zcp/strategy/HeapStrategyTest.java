package dev.zcp.strategy;

import dev.zcp.spi.TransferStrategy;

class HeapStrategyTest extends TransferStrategyContract {

  @Override
  protected TransferStrategy strategy() {
    return new HeapStrategy();
  }
}
