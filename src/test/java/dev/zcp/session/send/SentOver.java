package dev.zcp.session.send;

import dev.zcp.carrier.Dialler;
import dev.zcp.compress.Compression;
import dev.zcp.core.Address;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.delta.DeltaMode;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Result;
import dev.zcp.secure.Key;
import dev.zcp.session.Flow;
import dev.zcp.session.KeySource;
import dev.zcp.session.PeerEndpoint;
import dev.zcp.session.Peering;
import dev.zcp.session.ResumeVerify;
import dev.zcp.session.Savings;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.testing.Archive;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Preserve;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;

/// A sender in this process that sends a tree over whatever carriers a test dials, and only what
/// differs of files that are there in another version.
interface SentOver extends Dialler {

  @Override
  default InetAddress host() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  default boolean isLocal() {
    return true;
  }

  default Result send(
      Path tree, Key key, int connections, int retries, Flow flow, Listener listener)
      throws Exception {
    SendRequest request =
        new SendRequest(
            new Peering(
                new PeerEndpoint.Dial(Address.parse("127.0.0.1:1"), connections, retries),
                new KeySource(null, key.text(), null),
                Address.Scheme.PLAIN,
                flow),
            List.of(RawPath.of(tree)),
            Choice.DEFAULT,
            Archive.TREE,
            Preserve.USUAL,
            Policy.USUAL,
            new Sending(
                Level.WIRE,
                ResumeVerify.ALL,
                false,
                false,
                new Savings(Compression.AUTO, DeltaMode.ALWAYS)));
    CommandEnvironment environment =
        new CommandEnvironment(
            Strategies.load(List.of()),
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            listener);
    return Sender.send(request, environment, this);
  }
}
