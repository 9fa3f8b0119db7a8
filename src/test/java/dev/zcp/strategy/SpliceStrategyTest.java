package dev.zcp.strategy;

import dev.zcp.spi.TransferStrategy;

class SpliceStrategyTest extends TransferStrategyContract {

  @Override
  protected TransferStrategy strategy() {
    return new SpliceStrategy();
  }
}
