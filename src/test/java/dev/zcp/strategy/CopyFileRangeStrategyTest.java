package dev.zcp.strategy;

import dev.zcp.spi.TransferStrategy;

class CopyFileRangeStrategyTest extends TransferStrategyContract {

  @Override
  protected TransferStrategy strategy() {
    return new CopyFileRangeStrategy();
  }
}
