package dev.zcp.carrier;

import dev.zcp.testing.PipeCarrier;
import java.io.IOException;

class PipeCarrierTest extends CarrierContract {

  @Override
  Carrier[] pair() throws IOException {
    return PipeCarrier.pair();
  }
}
