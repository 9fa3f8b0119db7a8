package dev.zcp.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.engine.Engine.Tuning;
import dev.zcp.profile.MeasuredRoute.Measured;
import dev.zcp.profile.Mounts.Mount;
import dev.zcp.profile.Profile.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProfileTest {

  private static final Mount DISK = new Mount("ext4", "/dev/sda1", "/");
  private static final Mount SHM = new Mount("tmpfs", "tmpfs", "/dev/shm");
  private static final RouteKey WAY = new RouteKey.Copy(DISK, SHM);

  private static final Measured OWN = new Measured("direct", 0, 100, 95, 105, 7);

  @Test
  void figuresHoldOnTheirWayUnderTheirKernel() {
    MeasuredRoute tuned = tuned(WAY, OWN);
    assertThat(Profile.EMPTY.with(tuned).find(WAY, "6.1")).isEqualTo(new Finding.Current(tuned));
    assertThat(Profile.EMPTY.with(tuned).find(new RouteKey.Copy(SHM, DISK), "6.1"))
        .isEqualTo(new Finding.Nothing());
  }

  @Test
  void figuresOfAnotherKernelAreStale() {
    MeasuredRoute tuned = tuned(WAY, OWN);
    assertThat(Profile.EMPTY.with(tuned).find(WAY, "6.2"))
        .isEqualTo(new Finding.Stale(tuned, "was measured on kernel 6.1, and this is 6.2"));
  }

  @Test
  void figuresOfWhatWasMountedThereBeforeAreStale() {
    MeasuredRoute tuned = tuned(WAY, OWN);
    RouteKey now = new RouteKey.Copy(new Mount("xfs", "/dev/sdb1", "/"), SHM);
    assertThat(Profile.EMPTY.with(tuned).find(now, "6.1"))
        .isEqualTo(
            new Finding.Stale(
                tuned, "was measured when / was ext4 of /dev/sda1, and it is xfs of /dev/sdb1"));
    RouteKey target = new RouteKey.Copy(DISK, new Mount("tmpfs", "other", "/dev/shm"));
    assertThat(Profile.EMPTY.with(tuned).find(target, "6.1")).isInstanceOf(Finding.Stale.class);
  }

  @Test
  void aPlaceStandsOnceAndTheOldestGoFirst() {
    Profile profile = Profile.EMPTY;
    for (int i = 0; i <= Profile.ROUTES_MAX; i++) {
      profile = profile.with(tuned(new RouteKey.Send("10.0.0." + i), OWN));
    }
    assertThat(profile.routes()).hasSize(Profile.ROUTES_MAX);
    assertThat(profile.find(new RouteKey.Send("10.0.0.0"), "6.1")).isEqualTo(new Finding.Nothing());
    MeasuredRoute again = tuned(new RouteKey.Send("10.0.0.9"), OWN, OWN);
    profile = profile.with(again);
    assertThat(profile.routes()).hasSize(Profile.ROUTES_MAX).endsWith(again);
    assertThat(profile.find(again.routeKey(), "6.1")).isEqualTo(new Finding.Current(again));
  }

  @Test
  void anotherChunkIsTakenOnlyWhereItIsFasterByMoreThanChance() {
    Measured chance = new Measured("direct", 4096, 96, 94, 98, 7);
    Measured faster = new Measured("direct", 8192, 92, 91, 94, 7);
    assertThat(tuned(WAY, OWN, chance).tuning().figureOf("direct"))
        .isEqualTo(new Tuning.Figure(100, 0));
    assertThat(tuned(WAY, OWN, chance, faster).tuning().figureOf("direct"))
        .isEqualTo(new Tuning.Figure(92, 8192));
    assertThat(tuned(WAY, OWN).tuning().figureOf("heap")).isNull();
  }

  @Test
  void whereNothingBeatWhatAutoTakesByItselfItStaysWithThat() {
    MeasuredRoute tuned =
        new MeasuredRoute(WAY, "6.1", "2026-11-21", "zcp 0.1", 1, false, List.of(OWN));
    assertThat(tuned.tuning()).isSameAs(Tuning.NONE);
    assertThat(tuned.bestOf("direct")).isEqualTo(OWN);
  }

  private static MeasuredRoute tuned(RouteKey routeKey, Measured... figures) {
    return new MeasuredRoute(
        routeKey, "6.1", "2026-11-21", "zcp 0.1", 256 << 20, true, List.of(figures));
  }
}
