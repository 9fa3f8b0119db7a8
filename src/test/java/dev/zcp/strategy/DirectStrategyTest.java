package dev.zcp.strategy;

import dev.zcp.spi.TransferStrategy;

class DirectStrategyTest extends TransferStrategyContract {

  @Override
  protected TransferStrategy strategy() {
    return new DirectStrategy();
  }
}
