package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VoiceTest {

  private static final int MORE_THAN_MAY_WAIT = 1000;

  @Test
  void aDefectLetsNobodyWaitForWhatIsNotSaid() {
    Voice broken = new Voice(0, null, null);
    for (int i = 0; i < MORE_THAN_MAY_WAIT; i++) {
      assertThatThrownBy(broken::speak).isInstanceOf(NullPointerException.class);
    }
    broken.awaitRoom();
  }
}
