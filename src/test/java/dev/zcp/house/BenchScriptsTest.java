package dev.zcp.house;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import org.junit.jupiter.api.Test;

/// The scripts of `bench/` have tests of their own; here the build runs them.
class BenchScriptsTest {

  private static final String IS_PYTHON_NEW_ENOUGH =
      "import sys; sys.exit(sys.version_info < (3, 11))";

  @Test
  void theScriptsThatMeasureZcpAgainstItsPeersPassTheirOwnTests() throws Exception {
    assumeTrue(
        Programs.succeeds("python3", "-c", IS_PYTHON_NEW_ENOUGH), "python3 of 3.11 or newer");
    Programs.run("python3", "bench/selftest");
  }
}
