package dev.zcp.strategy;

import dev.zcp.spi.TransferStrategy;

class TransferToStrategyTest extends TransferStrategyContract {

  @Override
  protected TransferStrategy strategy() {
    return new TransferToStrategy();
  }
}
