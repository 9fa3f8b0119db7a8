package dev.zcp.strategy;

import dev.zcp.spi.TransferStrategy;

class StreamStrategyTest extends TransferStrategyContract {

  @Override
  protected TransferStrategy strategy() {
    return new StreamStrategy();
  }
}
