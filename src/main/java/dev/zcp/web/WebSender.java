package dev.zcp.web;

import dev.zcp.core.Failure;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.session.PeerEndpoint.Listen;
import dev.zcp.session.SendRequest;

/// `zcp send --web`: files and directories for browsers and for curl.
public final class WebSender {

  private WebSender() {}

  /// @param isPictured whether the URL is shown as a picture, too
  public static Result send(
      SendRequest request, CommandEnvironment environment, boolean isPictured) {
    try (SharedFiles files = SharedFiles.of(request.files())) {
      WebServer server = new WebServer(request.peering(), environment.listener());
      boolean once = request.peering().endpoint() instanceof Listen listen && listen.once();
      return server.serve(
          server.visits("send", once),
          (visits, url) -> new DownloadSite(files, visits, url),
          url -> url.curlToFetch(files.curlPath()),
          isPictured,
          () -> {});
    } catch (Failure failure) {
      Insight insight = new Insight("send", Visits.STRATEGY, environment.listener());
      insight.failed(failure);
      return insight.finish();
    }
  }
}
