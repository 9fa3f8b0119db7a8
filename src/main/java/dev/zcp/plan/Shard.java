package dev.zcp.plan;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import java.nio.charset.StandardCharsets;

/// One of the lists of a plan: a shard, named by its number from 0 on, or the list of all
/// directories, by which a copy is finished.
///
/// @param directory that of the plan
/// @param name of the list
public record Shard(RawPath directory, ShardPlan plan, String name) {

  /// The list of all directories.
  public static final String DIRECTORIES = "directories";

  private static final int DIGITS_MAX = 5;

  /// @param path the directory of the plan, and in it the name of the list
  /// @throws Failure USAGE if there is no such list, SOURCE if there is no plan
  public static Shard at(RawPath path) throws Failure {
    String name = new String(path.lastComponent(), StandardCharsets.ISO_8859_1);
    RawPath directory = path.parent();
    if (ShardPlan.isIn(path)) {
      throw Failure.of(
          ExitCode.USAGE, path, "is a whole plan; name a shard of it, as " + path + "/0");
    }
    ShardPlan plan = ShardPlan.read(directory);
    if (!name.equals(DIRECTORIES) && !isNumberBelow(plan.shards(), name)) {
      throw Failure.of(ExitCode.USAGE, path, "is not a shard of this plan")
          .with("its shards are 0 to " + (plan.shards() - 1));
    }
    return new Shard(directory, plan, name);
  }

  private static boolean isNumberBelow(int shards, String name) {
    return Address.isNumber(name)
        && name.length() <= DIGITS_MAX
        && (name.charAt(0) != '0' || name.length() == 1)
        && Integer.parseInt(name) < shards;
  }

  public boolean isOfDirectories() {
    return name.equals(DIRECTORIES);
  }

  /// The CRC32C that its list had when it was planned.
  public long checksum() {
    return plan.checksum(isOfDirectories() ? plan.shards() : Integer.parseInt(name));
  }

  /// The names, each relative to the source and ended by a NUL byte; the last one is empty.
  public RawPath list() {
    return directory.resolve(name.getBytes(StandardCharsets.US_ASCII));
  }
}
