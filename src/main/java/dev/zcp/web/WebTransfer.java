package dev.zcp.web;

import dev.zcp.core.Failure;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.SendRequest;

/// Files from and for browsers and curl.
public final class WebTransfer {

  private WebTransfer() {}

  /// `zcp receive --web`.
  ///
  /// @param isPictured whether the URL is shown as a picture, too
  public static Result receive(
      ReceiveRequest request, CommandEnvironment environment, boolean isPictured) {
    try (UploadFolder folder = UploadFolder.open(request.directory(), request.admission())) {
      return new WebServer(request.peering(), environment.listener(), isPictured)
          .serve(
              "receive", request.admission(), (visits, url) -> new UploadSite(folder, visits, url));
    } catch (Failure failure) {
      return failed("receive", environment, failure);
    }
  }

  /// `zcp send --web`.
  ///
  /// @param isPictured as for [#receive]
  public static Result send(
      SendRequest request, CommandEnvironment environment, boolean isPictured) {
    try (SharedFiles files = SharedFiles.of(request.files())) {
      return new WebServer(request.peering(), environment.listener(), isPictured)
          .serve("send", null, (visits, url) -> new DownloadSite(files, visits, url));
    } catch (Failure failure) {
      return failed("send", environment, failure);
    }
  }

  private static Result failed(String command, CommandEnvironment environment, Failure failure) {
    Insight insight = new Insight(command, Visits.STRATEGY, environment.listener());
    insight.failed(failure);
    return insight.finish();
  }
}
