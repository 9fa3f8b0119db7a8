package dev.zcp.web;

import dev.zcp.core.Failure;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.session.PeerEndpoint.Listen;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.receive.Receiver;

/// `zcp receive --web`: files from browsers and from curl into one directory.
public final class WebReceiver {

  private WebReceiver() {}

  /// @param isPictured whether the URL is shown as a picture, too
  public static Result receive(
      ReceiveRequest request, CommandEnvironment environment, boolean isPictured) {
    try {
      Receiver.requireWritable(request.directory());
      WebServer server = new WebServer(request.peering(), environment.listener());
      boolean once = request.peering().endpoint() instanceof Listen listen && listen.once();
      try (UploadFolder folder = UploadFolder.open(request.directory(), request.admission())) {
        return server.serve(
            server.visits("receive", once),
            (visits, url) -> new UploadSite(folder, visits, url),
            WebUrl::curlToSend,
            isPictured,
            folder::abandon);
      }
    } catch (Failure failure) {
      Insight insight = new Insight("receive", Visits.STRATEGY, environment.listener());
      insight.failed(failure);
      return insight.finish();
    }
  }
}
