package dev.zcp.session;

import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import java.util.List;

/// What `zcp copy` was asked to do.
///
/// @param sources at least one; `-` is standard input
/// @param target a file, a directory that exists, or `-` for standard output
/// @param existing what to do where the target exists
public record CopyRequest(List<RawPath> sources, RawPath target, Existing existing, Choice choice) {

  public CopyRequest {
    sources = List.copyOf(sources);
    if (sources.isEmpty()) {
      throw new IllegalArgumentException("nothing to copy");
    }
  }
}
