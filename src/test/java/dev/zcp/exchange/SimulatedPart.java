package dev.zcp.exchange;

import dev.zcp.exchange.SimulatedTree.Node;
import dev.zcp.wire.EntryPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
    return nodes.stream().map(each -> each.parent).distinct().mapToLong(ids::get).toArray();
  }

  @Override
  protected long bytes() {
    return nodes.stream().mapToLong(each -> each.content.bytes()).sum();
  }

  static EntryPath pathOf(Node node) {
    return EntryPath.of(node.path.getBytes(StandardCharsets.UTF_8));
  }
}
