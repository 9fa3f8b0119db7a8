package dev.zcp.plan;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/// Divides the items of a [TreeRecorder] among shards, and writes a list of names for each.
///
/// What costs more than a small part of a shard is given out first, the most expensive before the
/// others, each to the shard that has least. The rest fills the shards up, one after the other, in
/// the order of the walk: so most directories belong to one shard. All names of a file are in one
/// shard, which pays for all of them when the first one comes.
final class ShardLists {

  /// An item that costs more than this part of an average shard is large. So there are at most that
  /// many large ones for each shard, and only their names are held in memory.
  private static final int LARGE_PARTS = 16;

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int LIST_BYTES_MAX = 8 << 10;
  private static final int UNKNOWN = -1;

  private final Path items;
  private final int[] namesOfGroup;
  private final CostModel cost;
  private final List<ShardLoad> shards = new ArrayList<>();

  /// By group; [#UNKNOWN] until its first name came.
  private final int[] shardOfGroup;

  /// @param items as a [TreeRecorder] writes them
  /// @param namesOfGroup how many names each group has
  /// @param directory where the lists go
  ShardLists(Path items, int[] namesOfGroup, CostModel cost, int shards, Path directory) {
    this.items = items;
    this.namesOfGroup = namesOfGroup;
    this.cost = cost;
    this.shardOfGroup = new int[namesOfGroup.length];
    Arrays.fill(shardOfGroup, UNKNOWN);
    for (int i = 0; i < shards; i++) {
      this.shards.add(new ShardLoad(i, directory.resolve(Integer.toString(i))));
    }
  }

  /// What a shard has so far.
  static final class ShardLoad {

    private final int number;
    private final Path list;
    private final ByteArrayOutputStream names = new ByteArrayOutputStream(0);
    private double ns;

    private ShardLoad(int number, Path list) {
      this.number = number;
      this.list = list;
    }

    double ns() {
      return ns;
    }

    private void add(byte[] name) throws IOException {
      names.write(name);
      names.write(0);
      if (names.size() >= LIST_BYTES_MAX) {
        flush();
      }
    }

    /// By an empty name, so that a list that was cut off is not taken for a whole one.
    private void end() throws IOException {
      names.write(0);
      flush();
    }

    /// The file is open for a moment only: there may be more shards than descriptors.
    private void flush() throws IOException {
      try (OutputStream out =
          Files.newOutputStream(list, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
        names.writeTo(out);
      }
      names.reset();
    }
  }

  /// @param ns the cost; of a group that of all its names, and of its other names 0
  private record TreeItem(byte[] name, int group, double ns) {}

  /// @return the shards, each with what it is expected to take
  List<ShardLoad> write() throws IOException {
    double[] total = new double[1];
    forEachItem(item -> total[0] += item.ns());
    double large = total[0] / shards.size() / LARGE_PARTS;
    double rest = total[0] - addLarge(large);
    addSmall(large, rest);
    for (ShardLoad shard : shards) {
      shard.end();
    }
    return shards;
  }

  /// @return the cost of all that is large
  private double addLarge(double least) throws IOException {
    List<TreeItem> large = new ArrayList<>();
    forEachItem(
        item -> {
          if (item.ns() > least) {
            large.add(item);
          }
        });
    // Not by Comparator.comparingDouble: no AOT cache holds its serializable lambda.
    large.sort((a, b) -> Double.compare(b.ns(), a.ns()));
    PriorityQueue<ShardLoad> emptiest =
        new PriorityQueue<>(
            (a, b) -> a.ns == b.ns ? a.number - b.number : Double.compare(a.ns, b.ns));
    emptiest.addAll(shards);
    double sum = 0;
    for (TreeItem item : large) {
      ShardLoad shard = emptiest.poll();
      add(shard, item);
      emptiest.add(shard);
      sum += item.ns();
    }
    return sum;
  }

  private void addSmall(double most, double total) throws IOException {
    double[] room = room(total);
    int[] at = {0};
    double[] given = {0};
    double[] limit = {room[0]};
    forEachItem(
        item -> {
          if (item.ns() > most) {
            return;
          }
          int owner = shardOfGroup[item.group()];
          if (owner != UNKNOWN) {
            add(shards.get(owner), item);
            return;
          }
          // By the sums, so that what one shard has too much is not missing in the last one.
          while (at[0] < shards.size() - 1 && given[0] + item.ns() / 2 > limit[0]) {
            at[0]++;
            limit[0] += room[at[0]];
          }
          given[0] += item.ns();
          add(shards.get(at[0]), item);
        });
  }

  /// How much each shard takes of `total`, so that all that take something are equally full.
  private double[] room(double total) {
    List<ShardLoad> byLoad = new ArrayList<>(shards);
    byLoad.sort((a, b) -> Double.compare(a.ns, b.ns));
    double sum = total;
    double level = 0;
    for (int i = 0; i < byLoad.size(); i++) {
      sum += byLoad.get(i).ns();
      level = sum / (i + 1);
      if (i + 1 < byLoad.size() && level <= byLoad.get(i + 1).ns()) {
        break;
      }
    }
    double[] room = new double[shards.size()];
    for (int i = 0; i < room.length; i++) {
      room[i] = Math.max(0, level - shards.get(i).ns());
    }
    return room;
  }

  private void add(ShardLoad shard, TreeItem item) throws IOException {
    shard.ns += item.ns();
    shard.add(item.name());
    if (item.group() != 0) {
      shardOfGroup[item.group()] = shard.number;
    }
  }

  private interface ItemTaker {
    void take(TreeItem item) throws IOException;
  }

  private void forEachItem(ItemTaker taker) throws IOException {
    boolean[] seen = new boolean[namesOfGroup.length];
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(items), BUFFER_BYTES))) {
      ByteArrayOutputStream name = new ByteArrayOutputStream();
      while (true) {
        long bytes;
        try {
          bytes = in.readLong();
        } catch (EOFException e) {
          return;
        }
        int group = in.readInt();
        name.reset();
        for (int b = in.readUnsignedByte(); b != 0; b = in.readUnsignedByte()) {
          name.write(b);
        }
        double ns = 0;
        if (!seen[group]) {
          seen[group] = group != 0;
          ns = cost.ns(group == 0 ? 1 : namesOfGroup[group], bytes);
        }
        taker.take(new TreeItem(name.toByteArray(), group, ns));
      }
    }
  }
}
