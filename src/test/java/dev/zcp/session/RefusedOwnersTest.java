package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.session.RefusedMetadata.OwnUser;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.wire.Keep;
import org.junit.jupiter.api.Test;

class RefusedOwnersTest {

  private static final int SOMEBODY = 1234;
  private static final int USERS = 5678;

  private final Losses losses = new Losses();

  @Test
  void anotherOwnerOrGroupThanOnesOwnIsALoss() {
    RefusedMetadata refused = looking(new OwnUser(SOMEBODY, USERS));
    refused.look(0, SOMEBODY, USERS, "alike");
    assertThat(losses.all()).isEmpty();
    refused.look(0, SOMEBODY + 1, USERS, "user");
    refused.look(0, SOMEBODY, USERS + 1, "group");
    assertThat(losses.all())
        .singleElement()
        .satisfies(
            loss -> {
              assertThat(loss.kind()).isEqualTo(Loss.LossKind.OWNER);
              assertThat(loss.files()).isEqualTo(2);
              assertThat(loss.firstName()).isEqualTo("user");
            });
  }

  @Test
  void whereNobodyKnowsWhoOneIsNoOwnerCountsAsLost() {
    RefusedMetadata refused = looking(null);
    refused.look(0, SOMEBODY, USERS, "file");
    assertThat(losses.all()).isEmpty();
  }

  private RefusedMetadata looking(OwnUser self) {
    return new RefusedMetadata(Keep.OWNER.bit(), 0, self, losses);
  }
}
