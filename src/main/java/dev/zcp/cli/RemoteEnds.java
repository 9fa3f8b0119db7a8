package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.ssh.RemotePath;
import java.util.ArrayList;
import java.util.List;

/// The operands of a copy that are on other machines.
///
/// @param sources empty if they are on this one
/// @param target null if it is on this one
record RemoteEnds(List<RemotePath> sources, RemotePath target) {

  private static final byte[] CONTENT = {'.'};

  /// @param typed the sources, each byte a char
  /// @return null if all are on this machine
  /// @throws Failure USAGE if the sources are on more than one machine, or the target is in one
  static RemoteEnds of(List<String> typed, String typedTarget) throws Failure {
    RemotePath target = RemotePath.of(typedTarget);
    List<RemotePath> sources = new ArrayList<>();
    for (String each : typed) {
      RemotePath source = RemotePath.of(each);
      if (source != null) {
        sources.add(source);
      }
    }
    if (sources.isEmpty()) {
      return target == null ? null : new RemoteEnds(sources, target);
    }
    if (sources.size() < typed.size()) {
      throw Options.usage("some sources are on this machine and some are not; use two commands");
    }
    RemotePath first = sources.getFirst();
    for (RemotePath each : sources) {
      // Not of one alone: no AOT cache holds what a record's equals takes, which is 10 ms.
      if (each != first && !each.login().equals(first.login())) {
        throw Options.usage(
            "the sources are on several machines, "
                + first.login()
                + " and "
                + each.login()
                + "; use a command for each");
      }
      if (target != null && target.isIn(each)) {
        throw Options.usage("the target " + target + " is the source " + each + ", or in it");
      }
    }
    return new RemoteEnds(sources, target);
  }

  /// The same, of which each source that is a directory becomes the target, and does not go into
  /// it.
  RemoteEnds ofContents() {
    List<RemotePath> contents = new ArrayList<>();
    for (RemotePath each : sources) {
      contents.add(new RemotePath(each.login(), each.path(), true));
    }
    return new RemoteEnds(contents, target);
  }

  /// Paths that end in the names of the sources, as far as they have any.
  List<RawPath> namesOfSources() {
    List<RawPath> names = new ArrayList<>();
    for (RemotePath each : sources) {
      names.add(RawPath.of(each.isContent() ? CONTENT : each.path()));
    }
    return names;
  }

  boolean isFetch() {
    return !sources.isEmpty();
  }

  boolean isBetween() {
    return isFetch() && target != null;
  }
}
