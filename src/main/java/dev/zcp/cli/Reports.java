package dev.zcp.cli;

import dev.zcp.insight.Event;
import dev.zcp.insight.Listener;

/// Chooses who hears what a command does.
final class Reports {

  private Reports() {}

  static Listener listener(ReportRequest request, Shell shell) {
    return event -> {
      switch (event) {
        case Event.Listening(String url) -> {
          if (request.dataOnStandardOutput()) {
            shell.complain(url);
          } else {
            shell.out().println(url);
          }
        }
        case Event.FileFailed(String _, var failure) ->
            shell.complain("zcp: " + failure.getMessage());
        case Event.Failed(var failure) -> shell.complain("zcp: " + failure.getMessage());
        case Event.Started _, Event.Connected _, Event.FileStarted _, Event.FileDone _ -> {}
        case Event.Noted _, Event.Finished _ -> {}
      }
    };
  }
}
