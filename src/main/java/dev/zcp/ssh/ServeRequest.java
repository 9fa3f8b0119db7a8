package dev.zcp.ssh;

import dev.zcp.core.Name;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.insight.Verified;
import dev.zcp.session.ResumeVerify;
import dev.zcp.ssh.ServeReply.Found;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.OnChange;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection.Links;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/// What the end that ssh has started is asked to be. protocol/ssh.md has its bytes.
///
/// @param key of the session, as text
/// @param stallTimeoutNs how long the peer may make no progress
public sealed interface ServeRequest {

  /// The version of the request, the reply and the session after them.
  int VERSION = 1;

  /// `89 7a 63 70 3f 0d 1a 0a`
  byte[] MAGIC = {(byte) 0x89, 'z', 'c', 'p', '?', '\r', 0x1a, '\n'};

  /// Before the fields: the magic, the version and the length of the fields.
  int HEAD_BYTES = MAGIC.length + 2 + 4;

  /// All fields.
  int BYTES_MAX = 1 << 20;

  int PATH_BYTES_MAX = 32 << 10;
  int ENTRIES_MAX = 1 << 16;
  int RULE_BYTES_MAX = 1 << 19;
  int KEY_CHARS_MAX = 86;

  /// Of a path as messages name it, with up to 4 bytes for each that is not printable.
  int TARGET_BYTES_MAX = 4 * PATH_BYTES_MAX + 1024;

  /// Of a host, a login or a strategy.
  int WORD_BYTES_MAX = 1024;

  int COLUMNS_MAX = 1 << 16;

  String key();

  long stallTimeoutNs();

  /// What a target is to the sources.
  enum TargetRule {
    /// Their directory if it is one, else the name of the only one.
    AS_FOUND,
    /// Their directory.
    DIRECTORY,
    /// The name of the only one.
    NAME
  }

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
  record Take(
      String key,
      long stallTimeoutNs,
      byte[] path,
      TargetRule target,
      boolean replaces,
      List<Name> names,
      ListenAt at,
      boolean isLarge,
      boolean durable,
      AskedDeletion deletion)
      implements ServeRequest {}

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
  /// @param onward the machine that they are for; null for the one that asks
  record Give(
      String key, long stallTimeoutNs, List<byte[]> paths, Name as, Wanted wanted, Onward onward)
      implements ServeRequest {}

  /// What is taken of the sources, and how.
  ///
  /// @param existing what becomes of what exists at the target: REPLACE, KEEP or OLDER
  /// @param rules of a filter, in their order
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
      Verified verify,
      ResumeVerify resumeVerify,
      List<FilterRule> rules) {}

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
  record ReportOptions(
      boolean quiet,
      boolean verbose,
      boolean json,
      boolean progress,
      boolean unicode,
      int columns) {}

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
    Fields.FieldWriter fields = new Fields.FieldWriter();
    fields.put(this instanceof Give ? 1 : 2).put(key()).put(stallTimeoutNs());
    if (this instanceof Take take) {
      put(take, fields);
    } else {
      put((Give) this, fields);
    }
    return fields.message(MAGIC, VERSION);
  }

  private static void put(Take take, Fields.FieldWriter fields) {
    fields.put(take.path()).put(take.target().ordinal()).put(take.replaces());
    fields.put(take.names().size());
    take.names().forEach(name -> fields.put(name.bytes()));
    fields.put(take.at().ordinal()).put(take.isLarge()).put(take.durable());
    AskedDeletion deletion = take.deletion();
    fields.put(deletion != null);
    if (deletion != null) {
      fields.put(deletion.entriesMax()).put(deletion.isContent());
      put(deletion.rules(), fields);
    }
  }

  private static void put(List<FilterRule> rules, Fields.FieldWriter fields) {
    fields.put(rules.size());
    for (FilterRule rule : rules) {
      fields.put(rule.kind().ordinal()).put(rule.text());
    }
  }

  private static void put(Give give, Fields.FieldWriter fields) {
    fields.put(give.paths().size());
    give.paths().forEach(fields::put);
    fields.put(give.as() == null ? new byte[0] : give.as().bytes());
    put(give.wanted(), fields);
    fields.put(give.onward() != null);
    if (give.onward() != null) {
      put(give.onward(), fields);
    }
  }

  private static void put(Wanted wanted, Fields.FieldWriter fields) {
    Preserve preserve = wanted.preserve();
    fields
        .put(wanted.recursive())
        .put(wanted.specials())
        .put(wanted.oneFileSystem())
        .put(wanted.links().ordinal())
        .put(preserve.mode())
        .put(preserve.owner())
        .put(preserve.times())
        .put(preserve.xattr())
        .put(preserve.acl())
        .put(preserve.links())
        .put(preserve.sparse())
        .put(preserve.newMode())
        .put(wanted.existing().ordinal())
        .put(wanted.skipSame())
        .put(wanted.onChange().ordinal())
        .put(wanted.strict())
        .put(wanted.verify().ordinal())
        .put(wanted.resumeVerify().ordinal());
    put(wanted.rules(), fields);
  }

  private static void put(Onward onward, Fields.FieldWriter fields) {
    ReportOptions report = onward.report();
    fields
        .put(onward.from())
        .put(onward.to())
        .put(onward.target())
        .put(onward.found().ordinal())
        .put(onward.port())
        .put(onward.choice().strategy())
        .put(onward.choice().chunkBytes())
        .put(onward.rateBytes())
        .put(report.quiet())
        .put(report.verbose())
        .put(report.json())
        .put(report.progress())
        .put(report.unicode())
        .put(report.columns());
  }

  /// @throws IllegalArgumentException with the reason, if these are no fields of a request
  static ServeRequest decode(byte[] bytes) {
    Fields.FieldReader fields = new Fields.FieldReader(bytes);
    int role = fields.number(2);
    String key = fields.text(KEY_CHARS_MAX);
    long stallTimeoutNs = fields.amount();
    ServeRequest request =
        switch (role) {
          case 1 -> give(key, stallTimeoutNs, fields);
          case 2 ->
              new Take(
                  key,
                  stallTimeoutNs,
                  path(fields),
                  fields.oneOf(TargetRule.values()),
                  fields.flag(),
                  names(fields),
                  fields.oneOf(ListenAt.values()),
                  fields.flag(),
                  fields.flag(),
                  fields.flag() ? deletion(fields) : null);
          default -> throw new IllegalArgumentException("no such role: " + role);
        };
    fields.requireEnd();
    return request;
  }

  private static Give give(String key, long stallTimeoutNs, Fields.FieldReader fields) {
    int count = fields.number(ENTRIES_MAX);
    List<byte[]> paths = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      paths.add(path(fields));
    }
    byte[] as = fields.bytes(Name.BYTES_MAX);
    if (count == 0 || count > 1 && as.length > 0) {
      throw new IllegalArgumentException(count + " paths");
    }
    return new Give(
        key,
        stallTimeoutNs,
        paths,
        as.length == 0 ? null : Name.of(as),
        wanted(fields),
        fields.flag() ? onward(fields) : null);
  }

  private static List<Name> names(Fields.FieldReader fields) {
    int count = fields.number(ENTRIES_MAX);
    List<Name> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(Name.of(fields.bytes(Name.BYTES_MAX)));
    }
    return names;
  }

  private static Onward onward(Fields.FieldReader fields) {
    return new Onward(
        fields.text(WORD_BYTES_MAX),
        fields.text(WORD_BYTES_MAX),
        fields.text(TARGET_BYTES_MAX),
        fields.oneOf(Found.values()),
        fields.port(),
        new Choice(fields.text(WORD_BYTES_MAX), fields.amount()),
        fields.amount(),
        new ReportOptions(
            fields.flag(),
            fields.flag(),
            fields.flag(),
            fields.flag(),
            fields.flag(),
            fields.number(COLUMNS_MAX)));
  }

  private static AskedDeletion deletion(Fields.FieldReader fields) {
    return new AskedDeletion(fields.amount(), fields.flag(), rules(fields));
  }

  private static List<FilterRule> rules(Fields.FieldReader fields) {
    int count = fields.number(ENTRIES_MAX);
    List<FilterRule> rules = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rules.add(
          new FilterRule(fields.oneOf(FilterRule.RuleKind.values()), fields.bytes(RULE_BYTES_MAX)));
    }
    return rules;
  }

  private static Wanted wanted(Fields.FieldReader fields) {
    return new Wanted(
        fields.flag(),
        fields.flag(),
        fields.flag(),
        fields.oneOf(Links.values()),
        new Preserve(
            fields.flag(),
            fields.flag(),
            fields.flag(),
            fields.flag(),
            fields.flag(),
            fields.flag(),
            fields.flag(),
            fields.flag()),
        Existing.values()[fields.number(Existing.OLDER.ordinal())],
        fields.flag(),
        fields.oneOf(OnChange.values()),
        fields.flag(),
        fields.oneOf(Verified.values()),
        fields.oneOf(ResumeVerify.values()),
        rules(fields));
  }

  private static byte[] path(Fields.FieldReader fields) {
    byte[] path = fields.bytes(PATH_BYTES_MAX);
    if (path.length > 0) {
      // Refuses what no path holds.
      RawPath.of(path);
    }
    return path;
  }
}
