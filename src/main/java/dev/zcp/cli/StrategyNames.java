package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// The words that `--strategy` takes, looked up only when somebody iterates: a start of the program
/// does not.
final class StrategyNames implements Iterable<String> {

  @Override
  public Iterator<String> iterator() {
    List<String> names = new ArrayList<>();
    names.add(Choice.AUTO);
    try {
      names.addAll(Strategies.load(List.of()).names());
    } catch (Failure e) {
      throw new IllegalStateException(e);
    }
    return names.iterator();
  }
}
