package dev.zcp.session;

import dev.zcp.core.Address;
import dev.zcp.core.Name;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection;
import java.util.List;

/// What `zcp send` was asked to do.
///
/// @param files at least one; `-` is standard input, which arrives under the name `stdin`
/// @param as the name under which the only one of them arrives; null for its own
/// @param selection what is taken of the files, as with a copy
/// @param preserve what besides the bytes is offered to the receiver
/// @param policy only what is done about a source that changes, and whether a loss is a failure
public record SendRequest(
    Peering peering,
    List<RawPath> files,
    Name as,
    Choice choice,
    Selection selection,
    Preserve preserve,
    Policy policy,
    Sending sending) {

  public SendRequest {
    files = List.copyOf(files);
    if (files.isEmpty()) {
      throw new IllegalArgumentException("nothing to send");
    }
    if (as != null && files.size() > 1) {
      throw new IllegalArgumentException("one name for several");
    }
  }

  /// What arrives under its own names.
  public SendRequest(
      Peering peering,
      List<RawPath> files,
      Choice choice,
      Selection selection,
      Preserve preserve,
      Policy policy,
      Sending sending) {
    this(peering, files, null, choice, selection, preserve, policy, sending);
  }

  /// A trial of the way to a receiver that throws away what it gets.
  public static SendRequest trial(
      Address address, RawPath source, Choice choice, KeySource key, Flow flow) {
    return new SendRequest(
        new Peering(new PeerEndpoint.Dial(address, 1, 0), key, Address.Scheme.UNSAID, flow),
        List.of(source),
        choice,
        Selection.FILES,
        Preserve.USUAL,
        Policy.USUAL,
        new Sending(
            Sending.USUAL.verify(), Sending.USUAL.resumeVerify(), true, false, Savings.NONE));
  }
}
