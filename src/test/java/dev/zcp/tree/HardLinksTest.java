package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HardLinksTest {

  private final HardLinks<String, String> links = new HardLinks<>(false);

  @Test
  void theFirstNameIsCopiedAndLaterOnesAreLinked() {
    FileStatus file = file(1, 7, 3);
    assertThat(links.claim(file, "a")).isEqualTo(new HardLinks.First<>());
    assertThat(links.claim(file, "b")).isEqualTo(new HardLinks.Waits<>());
    assertThat(links.published(file, "copy of a")).containsExactly("b");
    assertThat(links.claim(file, "c")).isEqualTo(new HardLinks.At<>("copy of a"));
  }

  @Test
  void filesAreToldApartByDeviceInodeAndType() {
    assertThat(links.claim(file(1, 7, 2), "a")).isEqualTo(new HardLinks.First<>());
    assertThat(links.claim(file(2, 7, 2), "b")).isEqualTo(new HardLinks.First<>());
    assertThat(links.claim(file(1, 8, 2), "c")).isEqualTo(new HardLinks.First<>());
    assertThat(links.claim(status(FileType.FIFO, 1, 7, 2), "d")).isEqualTo(new HardLinks.First<>());
    assertThat(links.claim(file(1, 7, 2), "e")).isEqualTo(new HardLinks.Waits<>());
  }

  @Test
  void whereTheFirstFailsThoseThatWaitHaveTheirTurnsInOrder() {
    FileStatus file = file(1, 7, 4);
    links.claim(file, "a");
    links.claim(file, "b");
    links.claim(file, "c");
    assertThat(links.failed(file)).isEqualTo("b");
    assertThat(links.claim(file, "d")).isEqualTo(new HardLinks.Waits<>());
    assertThat(links.published(file, "copy of b")).containsExactly("c", "d");
    assertThat(links.size()).isZero();
  }

  @Test
  void whereTheFirstFailsAndNobodyWaitsTheNextIsTheFirst() {
    FileStatus file = file(1, 7, 3);
    links.claim(file, "a");
    assertThat(links.failed(file)).isNull();
    assertThat(links.claim(file, "b")).isEqualTo(new HardLinks.First<>());
  }

  @Test
  void aFileIsForgottenWithItsLastNameAndNotBefore() {
    FileStatus file = file(1, 7, 2);
    links.claim(file, "a");
    links.published(file, "copy of a");
    assertThat(links.size()).isOne();
    assertThat(links.claim(file, "b")).isEqualTo(new HardLinks.At<>("copy of a"));
    assertThat(links.size()).isZero();
  }

  @Test
  void aFileWhoseNamesAllCameIsRememberedUntilItIsCopied() {
    FileStatus file = file(1, 7, 2);
    links.claim(file, "a");
    links.claim(file, "b");
    assertThat(links.size()).isOne();
    links.published(file, "copy of a");
    assertThat(links.size()).isZero();
  }

  @Test
  void aFileThatFailsUnderAllItsNamesIsForgotten() {
    FileStatus file = file(1, 7, 2);
    links.claim(file, "a");
    links.claim(file, "b");
    assertThat(links.failed(file)).isEqualTo("b");
    assertThat(links.failed(file)).isNull();
    assertThat(links.size()).isZero();
  }

  @Test
  void namesThatAreMadeMeanwhileCount() {
    links.claim(file(1, 7, 2), "a");
    links.published(file(1, 7, 2), "copy of a");
    assertThat(links.claim(file(1, 7, 3), "b")).isEqualTo(new HardLinks.At<>("copy of a"));
    assertThat(links.claim(file(1, 7, 3), "c")).isEqualTo(new HardLinks.At<>("copy of a"));
    assertThat(links.size()).isZero();
  }

  @Test
  void anotherCopyTakesTheNamesThatComeAfterIt() {
    FileStatus file = file(1, 7, 9);
    links.claim(file, "a");
    links.published(file, "full copy");
    assertThat(links.published(file, "second copy")).isEmpty();
    assertThat(links.claim(file, "c")).isEqualTo(new HardLinks.At<>("second copy"));
  }

  @Test
  void nothingIsForgottenWhereLinksAreFollowed() {
    HardLinks<String, String> all = new HardLinks<>(true);
    FileStatus file = file(1, 7, 1);
    all.claim(file, "a");
    all.published(file, "copy of a");
    assertThat(all.claim(file, "link to a")).isEqualTo(new HardLinks.At<>("copy of a"));
    assertThat(all.claim(file, "link to link")).isEqualTo(new HardLinks.At<>("copy of a"));
  }

  /// Many threads, names in any order, a part of the copies failing: each name ends once, as a copy
  /// or as a link to the one copy, and nothing is remembered.
  @RepeatedTest(5)
  void manyThreadsMakeOneCopyOfEachFile() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int files = 300;
    List<FileStatus> names = new ArrayList<>();
    for (int inode = 0; inode < files; inode++) {
      int count = 2 + random.nextInt(4);
      for (int i = 0; i < count; i++) {
        names.add(file(1, inode, count));
      }
    }
    Collections.shuffle(names, random);
    Queue<FileStatus> work = new ConcurrentLinkedQueue<>(names);
    HardLinks<Long, FileStatus> table = new HardLinks<>(false);
    Map<Long, AtomicInteger> copies = new ConcurrentHashMap<>();
    Map<Long, AtomicInteger> linked = new ConcurrentHashMap<>();
    Map<Long, AtomicInteger> failed = new ConcurrentHashMap<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Random chance = new Random(seed + i);
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (FileStatus n = work.poll(); n != null; n = work.poll()) {
                      run(table, n, chance, copies, linked, failed);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Map<Long, Integer> total = new HashMap<>();
    names.forEach(name -> total.merge(name.inode(), 1, Integer::sum));
    for (long inode = 0; inode < files; inode++) {
      int made = count(copies, inode);
      assertThat(made).as("copies, seed %d", seed).isLessThanOrEqualTo(1);
      assertThat(made + count(linked, inode) + count(failed, inode))
          .as("names, seed %d", seed)
          .isEqualTo(total.get(inode));
      assertThat(made == 0 && count(linked, inode) > 0).as("links to nothing").isFalse();
    }
    assertThat(table.size()).as("seed %d", seed).isZero();
  }

  private static void run(
      HardLinks<Long, FileStatus> table,
      FileStatus name,
      Random chance,
      Map<Long, AtomicInteger> copies,
      Map<Long, AtomicInteger> linked,
      Map<Long, AtomicInteger> failed) {
    HardLinks.NameClaim<Long> claim = table.claim(name, name);
    if (claim instanceof HardLinks.At<Long>(Long place)) {
      assertThat(place).isEqualTo(name.inode());
      add(linked, place);
      return;
    }
    Queue<FileStatus> mine = new ArrayDeque<>();
    if (claim instanceof HardLinks.First<Long>) {
      mine.add(name);
    }
    while (!mine.isEmpty()) {
      FileStatus next = mine.poll();
      Thread.yield();
      if (chance.nextInt(4) == 0) {
        add(failed, next.inode());
        FileStatus successor = table.failed(next);
        if (successor != null) {
          mine.add(successor);
        }
      } else {
        add(copies, next.inode());
        table.published(next, next.inode()).forEach(waiter -> add(linked, waiter.inode()));
      }
    }
  }

  private static void add(Map<Long, AtomicInteger> counts, long inode) {
    counts.computeIfAbsent(inode, _ -> new AtomicInteger()).incrementAndGet();
  }

  private static int count(Map<Long, AtomicInteger> counts, long inode) {
    AtomicInteger count = counts.get(inode);
    return count == null ? 0 : count.get();
  }

  private static FileStatus file(long device, long inode, int links) {
    return status(FileType.REGULAR, device, inode, links);
  }

  private static FileStatus status(int type, long device, long inode, int links) {
    return new FileStatus(device, inode, type | 0644, 0, 0, links, 0, 1, 8, 0, 0, 0, 0, 0, 0, 0);
  }
}
