package dev.zcp.engine;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Nearest;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.strategy.BuiltIn;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;

/// The strategies of this process: the built-in ones and those of jars the user named.
public final class Strategies {

  /// Other words for a strategy, in the form that [#key] gives.
  private static final Map<String, String> ALIASES = Map.of("sendfile", "transferto");

  private final Map<String, TransferStrategy> byKey = new TreeMap<>();

  private Strategies() {}

  /// The built-in strategies, then those of `jars`.
  ///
  /// @throws Failure USAGE if a jar is missing, holds no strategy or a broken one, or two
  ///   strategies have one name
  public static Strategies load(List<Path> jars) throws Failure {
    Strategies all = of(BuiltIn.strategies());
    for (Path jar : jars) {
      if (!Files.isReadable(jar)) {
        throw Failure.of(ExitCode.USAGE, jar + ": no such jar of strategies");
      }
      all.add(ServiceLoader.load(TransferStrategy.class, loaderOf(jar)), jar.toString());
    }
    return all;
  }

  /// Just these strategies.
  ///
  /// @throws Failure USAGE if two have one name
  public static Strategies of(List<TransferStrategy> strategies) throws Failure {
    Strategies all = new Strategies();
    all.add(strategies, "zcp");
    return all;
  }

  /// The strategy that a user calls `name`; case and hyphens do not matter, `sendfile` is
  /// transferTo.
  ///
  /// @throws Failure USAGE if there is none, with the nearest name
  public TransferStrategy named(String name) throws Failure {
    String key = key(name);
    TransferStrategy strategy = byKey.get(ALIASES.getOrDefault(key, key));
    if (strategy == null) {
      String hint = Nearest.to(name, names()).map(n -> "; did you mean " + n + "?").orElse("");
      throw Failure.of(ExitCode.USAGE, "there is no strategy '" + name + "'" + hint)
          .with("one of: auto, " + String.join(", ", names()));
    }
    return strategy;
  }

  public List<String> names() {
    return byKey.values().stream().map(TransferStrategy::name).toList();
  }

  public Collection<TransferStrategy> all() {
    return byKey.values();
  }

  private void add(Iterable<TransferStrategy> strategies, String where) throws Failure {
    List<TransferStrategy> found = new ArrayList<>();
    try {
      strategies.forEach(found::add);
    } catch (ServiceConfigurationError e) {
      throw Failure.of(
              ExitCode.USAGE, where, "holds a strategy that cannot be loaded: " + e.getMessage())
          .because(e);
    }
    int before = byKey.size();
    for (TransferStrategy strategy : found) {
      String key = key(strategy.name());
      TransferStrategy known = byKey.putIfAbsent(key, strategy);
      if (key.equals(Choice.AUTO) || ALIASES.containsKey(key)) {
        throw Failure.of(ExitCode.USAGE, where, "holds a strategy of the reserved name " + key);
      }
      if (known != null) {
        throw Failure.of(
            ExitCode.USAGE, where, "holds a second strategy of the name " + strategy.name());
      }
    }
    if (byKey.size() == before) {
      throw Failure.of(ExitCode.USAGE, where, "holds no strategy")
          .with("META-INF/services/" + TransferStrategy.class.getName() + " must name its classes");
    }
  }

  private static ClassLoader loaderOf(Path jar) throws Failure {
    try {
      return new URLClassLoader(new URL[] {jar.toUri().toURL()}, Strategies.class.getClassLoader());
    } catch (MalformedURLException e) {
      throw Failure.of(ExitCode.USAGE, jar + ": no such jar of strategies").because(e);
    }
  }

  private static String key(String name) {
    return name.replace("-", "").toLowerCase(Locale.ROOT);
  }
}
