package dev.zcp.exchange;

import dev.zcp.core.Span;
import dev.zcp.wire.Attire;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Timestamp;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// What a simulated sender has to send.
final class SimulatedTree {

  /// One entry, and all the contents it ever had.
  static final class Node {
    final EntryKind kind;
    final String path;
    final Node parent;
    final List<Node> children = new ArrayList<>();
    final List<Cells> versions = new ArrayList<>();
    final List<Span> holes = new ArrayList<>();
    final boolean isStream;
    final Node first;
    Cells content;
    long version = 1;

    Node(EntryKind kind, String path, Node parent, boolean isStream, Node first) {
      this.kind = kind;
      this.path = path;
      this.parent = parent;
      this.isStream = isStream;
      this.first = first;
      if (parent != null) {
        parent.children.add(this);
      }
    }

    void set(Cells cells) {
      content = cells;
      versions.add(cells);
    }

    void change(Random random) {
      int count = Math.max(0, content.count() + random.nextInt(5) - 2);
      holes.clear();
      version++;
      set(Cells.random(random, content.cellBytes, count));
    }

    Offered offered(long fileId, long firstId) {
      boolean isFile = kind == EntryKind.FILE;
      long size = isStream ? Offered.SIZE_UNKNOWN : isFile ? content.bytes() : 0;
      byte[] identity = ByteBuffer.allocate(Limits.IDENTITY_BYTES).putLong(version).array();
      return new Offered(
          fileId,
          kind,
          EntryPath.of(path.getBytes(StandardCharsets.UTF_8)),
          size,
          metadata(),
          Bytes.of(identity),
          Bytes.of(kind == EntryKind.LINK ? new byte[] {'x'} : new byte[0]),
          firstId);
    }

    private Attire metadata() {
      Timestamp moment = new Timestamp(version, 0);
      return new Attire(0644, 0, 0, moment, moment, 0, List.of());
    }
  }

  final List<Node> roots = new ArrayList<>();

  /// From the top down, as a walk goes.
  final List<Node> all = new ArrayList<>();

  static SimulatedTree random(Random random, boolean isLarge) {
    SimulatedTree tree = new SimulatedTree();
    if (random.nextInt(8) == 0) {
      tree.addFile(random, "stream", null, isLarge, true);
    }
    int entries = 1 + random.nextInt(12);
    Node directory = null;
    for (int i = 0; i < entries; i++) {
      String path = (directory == null ? "" : directory.path + "/") + "e" + i;
      // Every other one begins with a directory, which may take small files in parts.
      switch (i == 0 && random.nextBoolean() ? 0 : random.nextInt(10)) {
        case 0 -> directory = tree.add(new Node(EntryKind.DIRECTORY, path, directory, false, null));
        case 1 -> tree.add(new Node(EntryKind.LINK, path, directory, false, null));
        case 2 -> tree.addHardLink(random, path, directory);
        case 3 -> directory = directory == null ? null : directory.parent;
        default -> tree.addFile(random, path, directory, isLarge, false);
      }
    }
    if (tree.all.isEmpty()) {
      tree.addFile(random, "only", null, isLarge, false);
    }
    return tree;
  }

  Node add(Node node) {
    all.add(node);
    if (node.parent == null) {
      roots.add(node);
    }
    return node;
  }

  private void addHardLink(Random random, String path, Node directory) {
    List<Node> files = new ArrayList<>();
    for (Node node : all) {
      if (node.kind == EntryKind.FILE && !node.isStream) {
        files.add(node);
      }
    }
    if (!files.isEmpty()) {
      Node first = files.get(random.nextInt(files.size()));
      add(new Node(EntryKind.HARD_LINK, path, directory, false, first));
    }
  }

  void addFile(Random random, String path, Node parent, boolean isLarge, boolean isStream) {
    Node node = add(new Node(EntryKind.FILE, path, parent, isStream, null));
    boolean largeCells = isLarge && random.nextInt(2) == 0;
    int count = random.nextInt(4) == 0 ? 0 : random.nextInt(largeCells ? 16 : 100);
    Cells cells = Cells.random(random, largeCells ? Cells.LARGE_CELL_BYTES : 1, count);
    if (!isStream && count > 2 && random.nextInt(3) == 0) {
      int from = random.nextInt(count);
      int length = 1 + random.nextInt(count - from);
      Span hole = new Span((long) from * cells.cellBytes, (long) length * cells.cellBytes);
      cells.clear(hole);
      node.holes.add(hole);
    }
    node.set(cells);
  }
}
