package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Whoever sends chooses the paths, and a table in which many of them have one hash is slow, while
/// its lock is held.
class EntryPathHashTest {

  private static final int NAMES = 1 << 12;

  @Test
  void namesWithOneHashOfJavaHaveDifferentOnes() {
    Set<Integer> hashes = new HashSet<>();
    for (int i = 0; i < NAMES; i++) {
      hashes.add(EntryPath.of(bytes(name(i))).hashCode());
    }
    assertThat(hashes.size()).isGreaterThan(NAMES - 10);
  }

  @Test
  void soDoPathsOfSuchNamesAndOneNameInDifferentDirectories() {
    Set<Integer> hashes = new HashSet<>();
    for (int i = 0; i < NAMES; i++) {
      String name = name(i);
      hashes.add(EntryPath.of(bytes(name + "/same")).hashCode());
      hashes.add(EntryPath.of(bytes("same/" + name)).hashCode());
    }
    assertThat(hashes.size()).isGreaterThan(2 * NAMES - 20);
  }

  /// Of `Aa` and `BB`, which String#hashCode and Arrays#hashCode take for the same.
  private static String name(int number) {
    StringBuilder name = new StringBuilder();
    for (int bit = 1; bit < NAMES; bit *= 2) {
      name.append((number & bit) == 0 ? "Aa" : "BB");
    }
    return name.toString();
  }

  private static byte[] bytes(String path) {
    return path.getBytes(StandardCharsets.US_ASCII);
  }
}
