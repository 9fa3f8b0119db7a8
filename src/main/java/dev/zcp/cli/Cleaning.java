package dev.zcp.cli;

import dev.zcp.copy.LeftPartials;
import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Prose;
import dev.zcp.core.RawPath;
import dev.zcp.report.TextReport.Detail;

/// `zcp copy --clean DIR`: tells what goes of what interrupted copies left. A dry run names each
/// file on standard output, as that of a copy does.
final class Cleaning implements LeftPartials.Finds {

  private final Shell shell;
  private final boolean isDryRun;
  private final Detail detail;
  private long files;
  private long bytes;
  private ExitCode code = ExitCode.OK;

  Cleaning(Shell shell, boolean isDryRun, Detail detail) {
    this.shell = shell;
    this.isDryRun = isDryRun;
    this.detail = detail;
  }

  ExitCode run(RawPath directory) throws Failure {
    new LeftPartials(this, isDryRun, LeftPartials.AGE_MIN).sweep(directory);
    if (!detail.isQuiet()) {
      String what = Prose.count(files, "partial file") + ", " + new ByteSize(bytes);
      shell.say("zcp: " + directory + ": " + (isDryRun ? "would remove " : "removed ") + what);
    }
    return code;
  }

  @Override
  public void removed(RawPath path, long fileBytes) {
    files++;
    bytes += fileBytes;
    if (isDryRun) {
      shell.out().print("delete " + path + "\n");
    } else if (detail == Detail.VERBOSE) {
      shell.say("zcp: " + path + ": removed");
    }
  }

  @Override
  public void failed(Failure failure) {
    shell.complain("zcp: " + failure.getMessage());
    code = ExitCode.SOME_FAILED;
  }
}
