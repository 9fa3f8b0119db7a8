package dev.zcp.carrier;

import dev.zcp.testing.PairedCarrier;
import java.io.IOException;

class PairedCarrierTest extends CarrierContract {

  @Override
  Carrier[] pair() throws IOException {
    return PairedCarrier.pair();
  }
}
