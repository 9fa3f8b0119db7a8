package dev.zcp.copy;

import dev.zcp.copy.Explanation.Refusal;
import dev.zcp.core.ByteSize;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.core.Span;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Strategies;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Partials;
import dev.zcp.place.Partials.Partial;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What is known of one way from a source to a target before it is gone: what `auto` would do, what
/// every strategy says of it once it has been tried, and what the machine has for it.
///
/// A strategy's own verdict may hope: that both files are on one file system does not tell whether
/// this one shares extents. So each moves the first bytes of the source into a file without a name
/// in the directory of the target, if both ends are files and one can be made there.
///
/// @param explanation what follows from both ends and the profile
/// @param usable the strategies in the order in which `auto` would try them, without those that
///   hoped in vain
/// @param refusals the others, those that hoped in vain first
/// @param isTried whether strategies were tried
/// @param trial how they were tried, or why not: a sentence
/// @param facts what the machine has for it, as it was before the trial
public record Survey(
    Explanation explanation,
    List<Engine.Candidate> usable,
    List<Refusal> refusals,
    boolean isTried,
    String trial,
    RouteFacts facts) {

  /// Whole blocks of every file system: less could not be shared.
  private static final long TRIED_BYTES_MAX = 64 << 10;

  private static final String NOT_TRIED = "Nothing was tried: ";

  public Survey {
    usable = List.copyOf(usable);
    refusals = List.copyOf(refusals);
  }

  /// @param target a path, `-`, or the address of a receiver
  /// @param profile the user's profile, or null if there is to be none
  /// @throws Failure if the source is missing or either end cannot be looked at
  public static Survey of(Strategies strategies, RawPath source, RawPath target, RawPath profile)
      throws Failure {
    Explanation explanation = Explanation.of(strategies, source, target, profile);
    // Before the trial, which reads the source.
    RouteFacts facts = RouteFacts.of(explanation.route(), source, target);
    Attempts attempts = Attempts.of(explanation, source, target);
    List<Engine.Candidate> usable = new ArrayList<>();
    for (Engine.Candidate candidate : explanation.usable()) {
      if (!attempts.refused().containsKey(candidate.strategy())) {
        usable.add(candidate);
      }
    }
    List<Refusal> refusals = new ArrayList<>();
    attempts.refused().forEach((strategy, reason) -> refusals.add(new Refusal(strategy, reason)));
    refusals.addAll(explanation.refusals());
    return new Survey(explanation, usable, refusals, attempts.isDone(), attempts.sentence(), facts);
  }

  /// What came of trying each strategy.
  ///
  /// @param refused those that hoped in vain, and why
  private record Attempts(Map<TransferStrategy, String> refused, boolean isDone, String sentence) {

    static Attempts of(Explanation explanation, RawPath source, RawPath target) {
      String obstacle = obstacle(explanation);
      if (!obstacle.isEmpty()) {
        return new Attempts(Map.of(), false, NOT_TRIED + obstacle + ".");
      }
      try (OpenDirectory above = OpenDirectory.open(source.parent());
          NativeFile from = above.file(source.lastComponent(), true)) {
        return of(explanation, from, target);
      } catch (IOException e) {
        return failed(Reasons.source(source, e));
      }
    }

    private static Attempts of(Explanation explanation, NativeFile from, RawPath target) {
      Span first = new Span(0, Math.min(explanation.bytes(), TRIED_BYTES_MAX));
      Map<TransferStrategy, String> refused = new LinkedHashMap<>();
      try {
        Path place = Explanation.directoryOf(target.toPath());
        try (OpenDirectory directory = OpenDirectory.open(RawPath.of(place));
            NativeFile nameless = nameless(directory)) {
          for (Engine.Candidate candidate : explanation.usable()) {
            try (Mover mover = candidate.strategy().open(from, nameless)) {
              if (mover.move(first) instanceof Step.Declined(_, String reason)) {
                refused.put(candidate.strategy(), reason);
              }
            }
          }
        }
      } catch (IOException e) {
        return failed(Reasons.destination(target, e));
      }
      String what = "the first " + new ByteSize(first.length());
      return new Attempts(
          refused,
          true,
          "Each was tried with "
              + what
              + " of the source, into a file without a name in the target's directory. Nothing of"
              + " it is left.");
    }

    private static Attempts failed(Failure failure) {
      return new Attempts(Map.of(), false, "Nothing can be tried: " + failure.getMessage() + ".");
    }

    /// Why nothing can be tried without harm, or empty.
    private static String obstacle(Explanation explanation) {
      Kind from = explanation.route().source().kind();
      Kind to = explanation.route().sink().kind();
      if (from != Kind.FILE) {
        return "what is read from " + from.phrase() + " cannot be read again";
      }
      if (to == Kind.SOCKET) {
        return "it would take a connection, which a receiver logs or takes for a session";
      }
      if (to != Kind.FILE) {
        return "what goes into " + to.phrase() + " cannot be taken back";
      }
      return explanation.bytes() == 0 ? "the source is empty" : "";
    }

    /// A file that nobody finds, and that is gone when it is closed.
    private static NativeFile nameless(OpenDirectory directory) throws IOException {
      Partial partial = new Partials().begin(directory);
      try {
        return partial.createFile();
      } finally {
        partial.discard();
      }
    }
  }
}
