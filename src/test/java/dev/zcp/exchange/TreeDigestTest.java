package dev.zcp.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.exchange.SimulatedTree.Node;
import dev.zcp.wire.Done;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Offered;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TreeDigestTest {

  private static final Offered A = file(1);
  private static final Offered B = file(2);

  @Test
  void theOrderIsOfNoAccount() {
    TreeDigest one = digest(A, 5, 17);
    one.add(B, 5, 23);
    TreeDigest other = digest(B, 5, 23);
    other.add(A, 5, 17);
    assertThat(one.agreesWith(last(other))).isTrue();
  }

  @Test
  void filesThatChangedPlacesShow() {
    TreeDigest one = digest(A, 5, 17);
    one.add(B, 5, 23);
    TreeDigest other = digest(A, 5, 23);
    other.add(B, 5, 17);
    assertThat(one.agreesWith(last(other))).isFalse();
  }

  @Test
  void anEntryThatCountsTwiceShows() {
    TreeDigest twice = digest(A, 5, 17);
    twice.add(A, 5, 17);
    TreeDigest others = digest(B, 5, 17);
    others.add(B, 5, 17);
    assertThat(twice.agreesWith(last(others))).isFalse();
  }

  @Test
  void anotherPathOrSizeOrContentShows() {
    TreeDigest digest = digest(A, 5, 17);
    assertThat(digest.agreesWith(last(digest(A, 5, 17)))).isTrue();
    assertThat(digest.agreesWith(last(digest(B, 5, 17)))).isFalse();
    assertThat(digest.agreesWith(last(digest(A, 6, 17)))).isFalse();
    assertThat(digest.agreesWith(last(digest(A, 5, 18)))).isFalse();
  }

  private static Offered file(long id) {
    Node node = new Node(EntryKind.FILE, "f" + id, null, false, null);
    node.set(Cells.random(new Random(id), 1, 5));
    return node.offered(id, 0);
  }

  private static TreeDigest digest(Offered entry, long size, int crc32c) {
    TreeDigest digest = new TreeDigest();
    digest.add(entry, size, crc32c);
    return digest;
  }

  private static Done last(TreeDigest digest) {
    return digest.done(ExitCode.OK, Level.WIRE, "", false);
  }
}
