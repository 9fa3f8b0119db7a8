package dev.zcp.ssh;

import dev.zcp.compress.Compression;
import dev.zcp.core.Level;
import dev.zcp.core.Name;
import dev.zcp.core.RawPath;
import dev.zcp.delta.DeltaMode;
import dev.zcp.engine.Choice;
import dev.zcp.place.FormerCopies;
import dev.zcp.secure.Key;
import dev.zcp.session.ResumeVerify;
import dev.zcp.session.Savings;
import dev.zcp.ssh.ServeReply.Found;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.OnChange;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection.Links;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;

/// What the end that ssh has started is asked to be. protocol/ssh.md has its bytes.
///
/// @param stallTimeoutNs how long the peer may make no progress
public sealed interface ServeRequest {

  /// The version of the request, the reply and the session after them.
  int VERSION = 1;

  /// `89 7a 63 70 3f 0d 1a 0a`
  byte[] MAGIC = {(byte) 0x89, 'z', 'c', 'p', '?', '\r', 0x1a, '\n'};

  int PATH_BYTES_MAX = 32 << 10;
  int RULE_BYTES_MAX = 1 << 19;

  /// Of a path as messages name it, with up to 4 bytes for each that is not printable.
  int TARGET_BYTES_MAX = 4 * PATH_BYTES_MAX + 1024;

  /// Of a host, a login or a strategy.
  int WORD_BYTES_MAX = 1024;

  int COLUMNS_MAX = 1 << 16;

  /// The last of `--report`'s three words.
  int FORM_MAX = 2;

  Key key();

  long stallTimeoutNs();

  /// Where an end that takes files lets the sender in.
  enum ListenAt {
    /// At its pipes, and for further connections at the port that its reply names.
    PIPE_AND_PORT,
    PIPE,
    PORT
  }

  /// Takes files.
  ///
  /// @param path where they go; empty for the home directory
  /// @param replaces whether files that exist are replaced
  /// @param names the only ones that may come into the path if that is a directory; empty for any
  /// @param at where the sender connects
  /// @param isLarge whether so much may come that it pays to have TLS ready
  /// @param durable as [dev.zcp.session.Admission] has it
  /// @param deletion what is deleted that the sender does not have; null if nothing is
  /// @param formerCopies trees as [dev.zcp.session.Admission.Former] has them
  record Take(
      Key key,
      long stallTimeoutNs,
      byte[] path,
      Placement target,
      boolean replaces,
      List<Name> names,
      ListenAt at,
      boolean isLarge,
      boolean durable,
      AskedDeletion deletion,
      List<byte[]> formerCopies)
      implements ServeRequest {

    public Take {
      if (formerCopies.size() > FormerCopies.TREES_MAX) {
        throw new IllegalArgumentException(formerCopies.size() + " trees of former copies");
      }
    }
  }

  /// Entries of directories are deleted that the sender's do not have.
  ///
  /// @param entriesMax as [dev.zcp.tree.Policy.Deleting] has it
  /// @param isContent whether the content of the only source comes
  /// @param rules of a filter, in their order: what it leaves out stays
  record AskedDeletion(long entriesMax, boolean isContent, List<FilterRule> rules) {}

  /// Gives files.
  ///
  /// @param paths which; an empty one is the home directory
  /// @param as what the only one of them is called; null for its own name
  /// @param isContent whether of the only one, if it is a directory, what is in it is given; if it
  ///   is none and not given a name, it is refused
  /// @param onward the machine that they are for; null for the one that asks
  record Give(
      Key key,
      long stallTimeoutNs,
      List<byte[]> paths,
      Name as,
      boolean isContent,
      Wanted wanted,
      Onward onward)
      implements ServeRequest {}

  /// What is taken of the sources, and how.
  ///
  /// @param existing what becomes of what exists at the target: REPLACE, KEEP or OLDER
  /// @param dryRun whether nothing is given, and it is only told what would be
  /// @param rules of a filter, in their order
  /// @param savings what the sender does to send fewer bytes
  record Wanted(
      boolean recursive,
      boolean specials,
      boolean oneFileSystem,
      Links links,
      Preserve preserve,
      Existing existing,
      boolean skipSame,
      OnChange onChange,
      boolean strict,
      Level verify,
      ResumeVerify resumeVerify,
      boolean dryRun,
      List<FilterRule> rules,
      Savings savings) {}

  /// A third machine that the files are for: this end dials, and tells the user how it goes.
  ///
  /// @param from this end, as messages name it
  /// @param to the host of the other end
  /// @param target the path there, as messages name it
  /// @param found what is at that path
  /// @param port where the other end listens; null if the pipes lead there
  /// @param rateBytes as [dev.zcp.session.Flow] has it
  record Onward(
      String from,
      String to,
      String target,
      Found found,
      InetSocketAddress port,
      Choice choice,
      long rateBytes,
      ReportOptions report) {}

  /// What the user is told, and how. Events go to standard output, all else to standard error.
  ///
  /// @param columns how wide the terminal is
  /// @param form how much the report tells, as an index into the words of `--report`
  record ReportOptions(
      boolean quiet,
      boolean verbose,
      boolean json,
      boolean progress,
      boolean unicode,
      int columns,
      int form,
      boolean tellsUsual) {}

  /// One pattern, or the text of a file of patterns.
  record FilterRule(RuleKind kind, byte[] text) {

    public enum RuleKind {
      EXCLUDE,
      INCLUDE,
      FILE
    }
  }

  /// The bytes on the wire.
  default byte[] encode() {
    return Fields.encode(this, ServeRequest::request, MAGIC, VERSION);
  }

  /// @throws IllegalArgumentException with the reason, if these are no fields of a request
  static ServeRequest decode(byte[] bytes) {
    return Fields.decode(bytes, ServeRequest::request);
  }

  private static ServeRequest request(Fields fields, ServeRequest from) {
    int role = fields.number(from, request -> request instanceof Give ? 1 : 2, 2);
    Key key = Key.parse(fields.text(from, request -> request.key().text(), Key.CHARS));
    long stallTimeoutNs = fields.amount(from, ServeRequest::stallTimeoutNs);
    return switch (role) {
      case 1 -> code(fields, (Give) from, key, stallTimeoutNs);
      case 2 -> code(fields, (Take) from, key, stallTimeoutNs);
      default -> throw new IllegalArgumentException("no such role: " + role);
    };
  }

  private static Take code(Fields fields, Take from, Key key, long stallTimeoutNs) {
    return new Take(
        key,
        stallTimeoutNs,
        fields.part(from, Take::path, ServeRequest::path),
        fields.oneOf(from, Take::target, Placement.values()),
        fields.flag(from, Take::replaces),
        fields.list(
            from,
            Take::names,
            (part, name) -> Name.of(part.bytes(name, Name::bytes, Name.BYTES_MAX))),
        fields.oneOf(from, Take::at, ListenAt.values()),
        fields.flag(from, Take::isLarge),
        fields.flag(from, Take::durable),
        fields.optional(from, Take::deletion, ServeRequest::code),
        fields.list(from, Take::formerCopies, ServeRequest::path));
  }

  private static AskedDeletion code(Fields fields, AskedDeletion from) {
    return new AskedDeletion(
        fields.amount(from, AskedDeletion::entriesMax),
        fields.flag(from, AskedDeletion::isContent),
        fields.list(from, AskedDeletion::rules, ServeRequest::code));
  }

  private static FilterRule code(Fields fields, FilterRule from) {
    return new FilterRule(
        fields.oneOf(from, FilterRule::kind, FilterRule.RuleKind.values()),
        fields.bytes(from, FilterRule::text, RULE_BYTES_MAX));
  }

  private static Give code(Fields fields, Give from, Key key, long stallTimeoutNs) {
    List<byte[]> paths = fields.list(from, Give::paths, ServeRequest::path);
    byte[] as =
        fields.bytes(from, give -> give.as == null ? new byte[0] : give.as.bytes(), Name.BYTES_MAX);
    if (paths.isEmpty() || paths.size() > 1 && as.length > 0) {
      throw new IllegalArgumentException(paths.size() + " paths");
    }
    return new Give(
        key,
        stallTimeoutNs,
        paths,
        as.length == 0 ? null : Name.of(as),
        fields.flag(from, Give::isContent),
        fields.part(from, Give::wanted, ServeRequest::code),
        fields.optional(from, Give::onward, ServeRequest::code));
  }

  private static Wanted code(Fields fields, Wanted from) {
    return new Wanted(
        fields.flag(from, Wanted::recursive),
        fields.flag(from, Wanted::specials),
        fields.flag(from, Wanted::oneFileSystem),
        fields.oneOf(from, Wanted::links, Links.values()),
        fields.part(from, Wanted::preserve, ServeRequest::code),
        fields.oneOf(
            from, Wanted::existing, Arrays.copyOf(Existing.values(), Existing.OLDER.ordinal() + 1)),
        fields.flag(from, Wanted::skipSame),
        fields.oneOf(from, Wanted::onChange, OnChange.values()),
        fields.flag(from, Wanted::strict),
        fields.oneOf(from, Wanted::verify, Level.values()),
        fields.oneOf(from, Wanted::resumeVerify, ResumeVerify.values()),
        fields.flag(from, Wanted::dryRun),
        fields.list(from, Wanted::rules, ServeRequest::code),
        new Savings(
            new Compression(
                fields.number(
                    from, wanted -> wanted.savings.compression().level(), Compression.LEVEL_MAX),
                fields.flag(from, wanted -> wanted.savings.compression().isForced())),
            fields.oneOf(from, wanted -> wanted.savings.delta(), DeltaMode.values())));
  }

  private static Preserve code(Fields fields, Preserve from) {
    return new Preserve(
        fields.flag(from, Preserve::mode),
        fields.flag(from, Preserve::owner),
        fields.flag(from, Preserve::times),
        fields.flag(from, Preserve::xattr),
        fields.flag(from, Preserve::acl),
        fields.flag(from, Preserve::links),
        fields.flag(from, Preserve::sparse),
        fields.flag(from, Preserve::newMode));
  }

  private static Onward code(Fields fields, Onward from) {
    return new Onward(
        fields.text(from, Onward::from, WORD_BYTES_MAX),
        fields.text(from, Onward::to, WORD_BYTES_MAX),
        fields.text(from, Onward::target, TARGET_BYTES_MAX),
        fields.oneOf(from, Onward::found, Found.values()),
        fields.port(from, Onward::port),
        new Choice(
            fields.text(from, onward -> onward.choice.strategy(), WORD_BYTES_MAX),
            fields.amount(from, onward -> onward.choice.chunkBytes())),
        fields.amount(from, Onward::rateBytes),
        fields.part(from, Onward::report, ServeRequest::code));
  }

  private static ReportOptions code(Fields fields, ReportOptions from) {
    return new ReportOptions(
        fields.flag(from, ReportOptions::quiet),
        fields.flag(from, ReportOptions::verbose),
        fields.flag(from, ReportOptions::json),
        fields.flag(from, ReportOptions::progress),
        fields.flag(from, ReportOptions::unicode),
        fields.number(from, ReportOptions::columns, COLUMNS_MAX),
        fields.number(from, ReportOptions::form, FORM_MAX),
        fields.flag(from, ReportOptions::tellsUsual));
  }

  private static byte[] path(Fields fields, byte[] from) {
    byte[] path = fields.bytes(from, it -> it, PATH_BYTES_MAX);
    if (path.length > 0) {
      // Refuses what no path holds.
      RawPath.of(path);
    }
    return path;
  }
}
