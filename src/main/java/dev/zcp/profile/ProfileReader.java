package dev.zcp.profile;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// Reads what [ProfileWriter] writes, and nothing else: every field in its order, of its kind,
/// within its limits. Nobody writes such a file by hand, so whatever differs is damage.
final class ProfileReader {

  private static final int FIGURES_MAX = 256;
  private static final int WORD_CHARS_MAX = 256;

  /// PATH_MAX of limits.h, each byte escaped.
  private static final int MOUNT_CHARS_MAX = 4 * 4096;

  private static final long RUNS_MAX = 1_000_000;

  private final JsonParser json;

  private ProfileReader(JsonParser json) {
    this.json = json;
  }

  static Profile read(byte[] text) throws MalformedProfileException {
    JsonFactory factory = JsonFactory.builder().build();
    try (JsonParser json = factory.createParser(ObjectReadContext.empty(), text)) {
      return new ProfileReader(json).profile();
    } catch (JacksonException e) {
      throw new MalformedProfileException(e.getLocation().getLineNr(), "is no JSON");
    }
  }

  private Profile profile() throws MalformedProfileException {
    expect(JsonToken.START_OBJECT);
    long format = number("format", 0, Integer.MAX_VALUE);
    if (format != ProfileWriter.FORMAT) {
      throw new MalformedProfileException(
          "is of format " + format + ", and this zcp knows " + ProfileWriter.FORMAT);
    }
    name("ways");
    expect(JsonToken.START_ARRAY);
    List<TunedWay> ways = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      require(json.currentToken() == JsonToken.START_OBJECT, "a way is no object");
      require(ways.size() < Profile.WAYS_MAX, "more ways than " + Profile.WAYS_MAX);
      ways.add(way());
    }
    expect(JsonToken.END_OBJECT);
    require(json.nextToken() == null, "something follows the end");
    return new Profile(ways);
  }

  private TunedWay way() throws MalformedProfileException {
    Way way = place();
    String kernel = text("kernel", WORD_CHARS_MAX);
    String date = text("date", WORD_CHARS_MAX);
    String version = text("zcp", WORD_CHARS_MAX);
    long fileBytes = number("fileBytes", 1, Long.MAX_VALUE);
    boolean better = flag("better");
    name("figures");
    expect(JsonToken.START_ARRAY);
    List<Measured> figures = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      require(json.currentToken() == JsonToken.START_OBJECT, "a figure is no object");
      require(figures.size() < FIGURES_MAX, "more figures than " + FIGURES_MAX);
      figures.add(figure());
    }
    expect(JsonToken.END_OBJECT);
    return new TunedWay(way, kernel, date, version, fileBytes, better, figures);
  }

  private Way place() throws MalformedProfileException {
    String first = json.nextName();
    if ("host".equals(first)) {
      return new Way.Send(text(WORD_CHARS_MAX));
    }
    require("from".equals(first), "neither host nor from where it should be");
    Mount from = mount();
    name("to");
    return new Way.Copy(from, mount());
  }

  private Mount mount() throws MalformedProfileException {
    expect(JsonToken.START_OBJECT);
    Mount mount =
        new Mount(
            text("type", WORD_CHARS_MAX),
            text("source", MOUNT_CHARS_MAX),
            text("point", MOUNT_CHARS_MAX));
    expect(JsonToken.END_OBJECT);
    return mount;
  }

  private Measured figure() throws MalformedProfileException {
    String strategy = text("strategy", WORD_CHARS_MAX);
    long chunkBytes = number("chunkBytes", 0, Long.MAX_VALUE);
    long median = number("medianNsPerMiB", 0, Long.MAX_VALUE);
    long lower = number("lowerQuartileNsPerMiB", 0, median);
    long upper = number("upperQuartileNsPerMiB", median, Long.MAX_VALUE);
    int runs = (int) number("runs", 1, RUNS_MAX);
    expect(JsonToken.END_OBJECT);
    return new Measured(strategy, chunkBytes, median, lower, upper, runs);
  }

  private String text(String name, int charsMax) throws MalformedProfileException {
    name(name);
    return text(charsMax);
  }

  /// Printable ASCII, so that a message may quote it.
  private String text(int charsMax) throws MalformedProfileException {
    expect(JsonToken.VALUE_STRING);
    String text = json.getString();
    require(text.length() <= charsMax, "a text of more than " + charsMax + " characters");
    for (int i = 0; i < text.length(); i++) {
      require(text.charAt(i) >= ' ' && text.charAt(i) < 0x7f, "a text that is not plain ASCII");
    }
    return text;
  }

  private long number(String name, long least, long most) throws MalformedProfileException {
    name(name);
    expect(JsonToken.VALUE_NUMBER_INT);
    long number = json.getLongValue();
    require(number >= least && number <= most, name + " is out of its range");
    return number;
  }

  private boolean flag(String name) throws MalformedProfileException {
    name(name);
    JsonToken token = json.nextToken();
    require(token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE, name + " is no flag");
    return token == JsonToken.VALUE_TRUE;
  }

  private void name(String name) throws MalformedProfileException {
    require(name.equals(json.nextName()), "no " + name + " where it should be");
  }

  private void expect(JsonToken token) throws MalformedProfileException {
    require(json.nextToken() == token, "something else than it should hold");
  }

  private void require(boolean holds, String message) throws MalformedProfileException {
    if (!holds) {
      throw malformed(message);
    }
  }

  private MalformedProfileException malformed(String message) {
    return new MalformedProfileException(json.currentTokenLocation().getLineNr(), message);
  }
}
