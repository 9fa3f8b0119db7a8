package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SpareBufferTest {

  private final SpareBuffer spare = SpareBuffer.DIRECT;

  @Test
  void eachIsOfItsKind() {
    assertThat(SpareBuffer.DIRECT.take(1).isDirect()).isTrue();
    assertThat(SpareBuffer.HEAP.take(1).hasArray()).isTrue();
  }

  @Test
  void whatIsGivenBackIsTakenAgain() {
    ByteBuffer first = spare.take(100);
    first.putInt(1).limit(50);
    spare.give(first);
    ByteBuffer second = spare.take(100);
    assertThat(second).isSameAs(first);
    assertThat(second.position()).isZero();
    assertThat(second.limit()).isEqualTo(second.capacity());
    spare.give(second);
  }

  @Test
  void nobodyGetsWhatSomebodyHas() {
    spare.give(spare.take(100));
    ByteBuffer first = spare.take(100);
    assertThat(spare.take(100)).isNotSameAs(first);
  }

  @Test
  void whoWantsMoreGetsMoreAndTheLargerOneIsKept() {
    ByteBuffer small = ByteBuffer.allocateDirect(100);
    // What other tests left to this thread may be as large as one that is kept can be.
    spare.take(1);
    spare.give(small);
    ByteBuffer large = spare.take(small.capacity() + 1);
    assertThat(large.capacity()).isGreaterThan(small.capacity());
    spare.give(large);
    spare.give(small);
    assertThat(spare.take(1)).isSameAs(large);
  }

  @Test
  void whatIsVeryLargeIsNotKept() {
    ByteBuffer huge = spare.take(9 << 20);
    spare.give(huge);
    assertThat(spare.take(9 << 20)).isNotSameAs(huge);
  }

  @Test
  void anotherThreadHasItsOwn() throws Exception {
    ByteBuffer mine = spare.take(100);
    spare.give(mine);
    AtomicReference<ByteBuffer> others = new AtomicReference<>();
    Thread thread = new Thread(() -> others.set(spare.take(100)));
    thread.start();
    thread.join();
    assertThat(others.get()).isNotNull().isNotSameAs(mine);
  }
}
