package dev.zcp.cli;

import dev.zcp.copy.Explanation;
import dev.zcp.copy.RouteFacts;
import dev.zcp.copy.Survey;
import dev.zcp.copy.TreeSurvey;
import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import dev.zcp.core.Prose;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Engine;
import dev.zcp.linux.SocketLimits;
import dev.zcp.profile.MeasuredRoute;
import dev.zcp.profile.Mounts.Mount;
import dev.zcp.profile.Profile.Finding;
import dev.zcp.profile.RouteKey;
import dev.zcp.report.Table;
import dev.zcp.spi.Route;
import dev.zcp.spi.Verdict;
import java.util.List;

/// What `zcp explain` says to people, 80 columns wide.
final class ExplainText {

  /// Enough for every built-in name.
  static final int NAME_COLUMNS_MIN = 13;

  private static final int NUMBER_COLUMNS = 9;
  private static final String OWN = "The figures are zcp's own estimates";

  private final Survey survey;
  private final Explanation explanation;
  private final StringBuilder text = new StringBuilder();

  private ExplainText(Survey survey) {
    this.survey = survey;
    this.explanation = survey.explanation();
  }

  /// @param profile where the profile is, or null if there is to be none
  static String of(Survey survey, RawPath profile, boolean unicode) {
    String text = new ExplainText(survey).text(profile);
    return unicode ? text : text.replace('µ', 'u');
  }

  /// What moves the bytes, and no figures.
  static String brief(Survey survey) {
    ExplainText text = new ExplainText(survey);
    Help.append(text.text, text.route(), 0);
    Help.append(text.text, text.briefChoice(), 0);
    return text.text
        .append("-v tells what each costs here, and why others cannot serve.\n")
        .toString();
  }

  /// How much of a tree goes by which path.
  ///
  /// @param isLong whether an example of each path is explained, too
  static String of(TreeSurvey tree, boolean isLong, RawPath profile, boolean unicode) {
    StringBuilder text = new StringBuilder();
    Help.append(text, sum(tree), 0);
    if (tree.parts().isEmpty()) {
      return text.toString();
    }
    Table table = new Table().left("PATH").right("FILES", "SIZE").left("STRATEGIES");
    for (TreeSurvey.PathShare part : tree.parts()) {
      table.row(
          List.of(
              part.survey().explanation().path().label(),
              Prose.grouped(part.files()),
              new ByteSize(part.bytes()).toString(),
              String.join(", then ", part.strategies())));
    }
    text.append('\n').append(lines(table));
    if (!isLong) {
      String run = tree.target().kind() == Route.Kind.SOCKET ? "zcp send" : "zcp copy";
      text.append('\n');
      Help.append(
          text,
          "'" + run + " -a --dry-run' tells what is there already. -v explains a file of each row.",
          0);
      return text.toString();
    }
    for (TreeSurvey.PathShare part : tree.parts()) {
      text.append('\n').append(part.example()).append(":\n");
      text.append(of(part.survey(), profile, unicode));
    }
    return text.toString();
  }

  /// `1,204 files, 3.20 GiB; 32 other entries: from ext4 at / to tmpfs at /dev/shm.`
  private static String sum(TreeSurvey tree) {
    String sum = Prose.count(tree.files(), "file") + ", " + new ByteSize(tree.bytes());
    if (tree.others() > 0) {
      sum +=
          "; " + Prose.grouped(tree.others()) + " other entr" + (tree.others() == 1 ? "y" : "ies");
    }
    RouteKey routeKey =
        tree.parts().isEmpty() ? null : tree.parts().getFirst().survey().explanation().routeKey();
    sum += routeKey == null ? "." : ": " + routeKey + ".";
    if (tree.unread() > 0) {
      sum += " What cannot be read is not counted: " + Prose.grouped(tree.unread()) + ".";
    }
    long free = tree.freeBytes();
    return free >= 0 && free < tree.bytes()
        ? sum + " Only " + new ByteSize(free) + " are free there."
        : sum;
  }

  private String briefChoice() {
    List<Engine.Candidate> usable = survey.usable();
    if (usable.isEmpty() || !path().isEmpty()) {
      return usable.isEmpty() ? choice() : path();
    }
    String first = "auto takes " + usable.getFirst().strategy().name();
    return usable.size() == 1
        ? first + "; no other strategy serves here."
        : first + ", and " + usable.get(1).strategy().name() + " if that declines.";
  }

  private String text(RawPath profile) {
    paragraph(route());
    paragraph(choice());
    table();
    text.append('\n');
    paragraph(survey.trial());
    facts();
    Help.append(text, figures(profile), 0);
    return text.toString();
  }

  /// `1.00 GiB, from a file to a file: from ext4 at / to tmpfs at /dev/shm`.
  private String route() {
    String size =
        explanation.bytes() == Long.MAX_VALUE
            ? "An unknown number of bytes"
            : new ByteSize(explanation.bytes()).toString();
    String from = explanation.route().source().kind().phrase();
    String to = explanation.route().sink().kind().phrase();
    return size
        + ", from "
        + from
        + " to "
        + to
        + (explanation.routeKey() == null ? "" : ": " + explanation.routeKey())
        + ".";
  }

  private String choice() {
    if (survey.usable().isEmpty()) {
      return "auto can do nothing: no strategy serves here.";
    }
    String path = path();
    if (!path.isEmpty()) {
      return path + " A strategy that is named moves every file.";
    }
    Engine.Candidate first = survey.usable().getFirst();
    String chunk = chunk(first);
    String sentence =
        "auto takes "
            + first.strategy().name()
            + (chunk.isEmpty() ? "" : ", in chunks of up to " + chunk)
            + ": its estimate for the start-up and all bytes together is the lowest.";
    if (survey.usable().size() > 1) {
      sentence += " If it declines, the next goes on at the same byte.";
    }
    sentence += " Path: strategy steps, since " + explanation.whySteps() + ".";
    if (survey.facts().sockets() != null) {
      sentence +=
          explanation.isLoopback()
              ? " Nothing is compressed on this machine, unless --compress asks for it. Files"
                  + " are sent whole, unless --delta asks for what differs."
              : " What shrinks by a tenth goes compressed instead, through memory, while the"
                  + " network limits the transfer. Of a file of 1 MiB and more that is there in"
                  + " another version only what differs is sent, unless the network takes more"
                  + " than 250 MB a second.";
    }
    String whenVerified = explanation.whenVerified();
    return whenVerified.isEmpty()
        ? sentence
        : sentence
            + " A file that is verified goes by "
            + whenVerified
            + " instead: over loopback one copy through memory serves its digest and the receiver.";
  }

  /// What moves the bytes in place of a strategy, or empty.
  private String path() {
    return switch (explanation.path()) {
      case SMALL_BUFFER ->
          "Path: small buffer. A file of this size is read and written at once, since choosing a"
              + " strategy takes longer than moving its bytes.";
      case ONE_CALL ->
          "Path: one call. copy_file_range(2) copies a file of this size whole, within one file"
              + " system. If it does not, strategies are tried.";
      case TWO_THREADS ->
          "Path: two threads, each of which reads and writes the next part. On this file system"
              + " that was measured to be faster for files of this size.";
      case STRATEGY_STEPS -> "";
    };
  }

  private void table() {
    Table table =
        new Table()
            .left(NAME_COLUMNS_MIN, "STRATEGY")
            .right(NUMBER_COLUMNS, "START-UP", "EACH MIB", "TOGETHER", "CHUNK")
            .left("FIGURES");
    for (Engine.Candidate candidate : survey.usable()) {
      Verdict.Cost cost = candidate.verdict().cost();
      table.row(
          List.of(
              candidate.strategy().name(),
              new Elapsed(cost.startUpNs()).toString(),
              new Elapsed(cost.nsPerMiB()).toString(),
              together(cost),
              chunk(candidate),
              candidate.measured() ? "measured" : "estimated"));
    }
    for (Explanation.Refusal refusal : survey.refusals()) {
      List<String> name = List.of(refusal.strategy().name());
      table.row(Table.Mark.NONE, name, "no: " + refusal.reason());
    }
    text.append(lines(table));
  }

  static String lines(Table table) {
    return String.join("\n", table.lines(Help.COLUMNS)) + "\n";
  }

  /// What the machine has for it: `source ext4 at / (/dev/sda1), all of it in the page cache`.
  private void facts() {
    RouteFacts facts = survey.facts();
    int before = text.length();
    if (facts.source() != null) {
      fact("source", place(facts.source()) + cached(facts.cachedShare()));
    }
    if (facts.target() != null) {
      fact("target", place(facts.target()) + room(facts.freeBytes()));
    }
    if (facts.sockets() != null) {
      fact("target", connection(facts.sockets()));
    }
    if (text.length() > before) {
      text.append('\n');
    }
  }

  private void fact(String end, String what) {
    text.append(end).append("  ");
    Help.append(text, what, end.length() + 2);
  }

  private static String place(Mount mount) {
    return mount + " (" + mount.source() + ")";
  }

  private static String cached(double share) {
    if (Double.isNaN(share)) {
      return "; how much of the file is in the page cache cannot be told";
    }
    String part =
        share == 0
            ? "none"
            : share >= 1 ? "all" : Math.clamp(Math.round(100 * share), 1, 99) + " %";
    return "; " + part + " of the file is in the page cache";
  }

  private String room(long freeBytes) {
    if (freeBytes < 0) {
      return "";
    }
    String free = "; " + new ByteSize(freeBytes) + " free";
    boolean isSized = explanation.bytes() != Long.MAX_VALUE;
    return isSized && freeBytes < explanation.bytes()
        ? free + ", which is less than the file's " + new ByteSize(explanation.bytes())
        : free;
  }

  private String connection(SocketLimits limits) {
    String how = explanation.route().sink().encrypted() ? "encrypted by TLS 1.3" : "not encrypted";
    return "a connection, "
        + how
        + (limits.congestion().isEmpty() ? "" : "; congestion control: " + limits.congestion())
        + "; zcp asks for no buffer, and the kernel makes it as large as "
        + size(limits.sendTunedMax())
        + " to send (net.ipv4.tcp_wmem) and "
        + size(limits.receiveTunedMax())
        + " to receive (tcp_rmem); --socket-buffer gets at most "
        + size(limits.sendAskedMax())
        + " to send (net.core.wmem_max) and "
        + size(limits.receiveAskedMax())
        + " to receive (rmem_max)";
  }

  private static String size(long bytes) {
    return bytes < 0 ? "an unknown size" : new ByteSize(bytes).toString();
  }

  private String together(Verdict.Cost cost) {
    return explanation.bytes() == Long.MAX_VALUE
        ? "-"
        : new Elapsed(Math.round(cost.estimateNs(explanation.bytes()))).toString();
  }

  private static String chunk(Engine.Candidate candidate) {
    long bytes = candidate.verdict().chunkBytes();
    return bytes == Long.MAX_VALUE ? "" : new ByteSize(bytes).toString();
  }

  /// Where the figures come from, and why not from the profile.
  private String figures(RawPath profile) {
    if (profile == null) {
      return OWN + ": no profile is to be read.";
    }
    if (explanation.routeKey() == null) {
      return OWN + ": " + explanation.noRouteKey() + ".";
    }
    return switch (explanation.profile()) {
      case Finding.Nothing() ->
          OWN + ": " + profile + " has no figures of this route. 'zcp bench --tune' measures it.";
      case Finding.Stale _, Finding.Unusable _ -> OWN + ". " + explanation.remark(profile) + ".";
      case Finding.Current(MeasuredRoute tuned) -> measured(tuned, profile);
    };
  }

  private String measured(MeasuredRoute tuned, RawPath profile) {
    String when = ": measured on " + tuned.date() + " with a file of ";
    String where = " on kernel " + tuned.kernel() + " by " + tuned.zcpVersion();
    String what = profile + when + new ByteSize(tuned.fileBytes()) + where;
    if (!tuned.better()) {
      return OWN
          + ". "
          + what
          + ", where nothing beat what auto takes by itself by more than chance.";
    }
    if (explanation.tooShort()) {
      return OWN
          + ". There is a profile ("
          + what
          + "), but a file under "
          + new ByteSize(Explanation.PROFILE_BYTES_MIN)
          + " would lose more by reading it than it could win.";
    }
    return "Start-up is zcp's own estimate; what each MiB takes is from "
        + what
        + ". Strategies that were not measured come last.";
  }

  private void paragraph(String sentences) {
    Help.append(text, sentences, 0);
    text.append('\n');
  }
}
