package dev.zcp.exchange;

import dev.zcp.exchange.SimulatedTree.Node;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Part;
import dev.zcp.wire.Wants.Want;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Small files of a simulation that go together.
final class SimulatedPart extends SentPart {

  final List<Node> nodes = new ArrayList<>();

  /// Which version of each was sent.
  final List<Long> versions = new ArrayList<>();

  final List<Cells> contents = new ArrayList<>();
  private final Map<Node, Long> ids;

  SimulatedPart(Map<Node, Long> ids) {
    this.ids = ids;
  }

  @Override
  protected long[] directoryIds() {
    return nodes.stream().mapToLong(this::directoryId).distinct().toArray();
  }

  long directoryId(Node node) {
    return node.parent == null ? Part.OWN_DIRECTORY : ids.get(node.parent);
  }

  /// Removes some of its files.
  void keepBut(Predicate<Node> removed) {
    int kept = 0;
    for (int i = 0; i < nodes.size(); i++) {
      if (!removed.test(nodes.get(i))) {
        moveWant(i, kept);
        nodes.set(kept, nodes.get(i));
        kept++;
      }
    }
    nodes.subList(kept, nodes.size()).clear();
  }

  boolean isAnyShown() {
    for (int i = 0; i < nodes.size(); i++) {
      if (want(i) == Want.DIGEST) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected boolean mayBeKept(int index) {
    return mayBeKept(nodes.get(index));
  }

  /// Of some files of a look it is said that they come in any case.
  static boolean mayBeKept(Node node) {
    return node.path.hashCode() % 3 != 0;
  }

  @Override
  protected long bytes() {
    return nodes.stream().mapToLong(each -> each.content.bytes()).sum();
  }

  static EntryPath pathOf(Node node) {
    return EntryPath.of(node.path.getBytes(StandardCharsets.UTF_8));
  }
}
