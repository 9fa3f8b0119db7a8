package dev.zcp.profile;

import dev.zcp.profile.MeasuredRoute.Measured;
import dev.zcp.profile.Mounts.Mount;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/// The JSON of a profile, which a person can read too.
final class ProfileFormat {

  /// Goes up with every change of what is written.
  static final int FORMAT = 1;

  private ProfileFormat() {}

  /// Reads what [#write] writes, and nothing else: every field in its order, of its kind, within
  /// its limits. Nobody writes such a file by hand, so whatever differs is damage.
  ///
  /// @throws MalformedException if it is no profile, or one of another format
  static Profile read(byte[] text) throws MalformedException {
    JsonFactory factory = JsonFactory.builder().build();
    try (JsonParser json = factory.createParser(ObjectReadContext.empty(), text)) {
      return new Reader(json).profile();
    } catch (JacksonException e) {
      throw new MalformedException(e.getLocation().getLineNr(), "is no JSON");
    }
  }

  static byte[] write(Profile profile) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    JsonFactory factory = JsonFactory.builder().build();
    try (JsonGenerator json = factory.createGenerator(new Pretty(), text, JsonEncoding.UTF8)) {
      json.writeStartObject();
      json.writeNumberProperty("format", FORMAT);
      json.writeArrayPropertyStart("ways");
      for (MeasuredRoute route : profile.routes()) {
        write(json, route);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    text.write('\n');
    return text.toByteArray();
  }

  private static void write(JsonGenerator json, MeasuredRoute tuned) {
    json.writeStartObject();
    switch (tuned.routeKey()) {
      case RouteKey.Send(String host) -> json.writeStringProperty("host", host);
      case RouteKey.Copy(Mount from, Mount to) -> {
        write(json, "from", from);
        write(json, "to", to);
      }
    }
    json.writeStringProperty("kernel", tuned.kernel());
    json.writeStringProperty("date", tuned.date());
    json.writeStringProperty("zcp", tuned.zcpVersion());
    json.writeNumberProperty("fileBytes", tuned.fileBytes());
    json.writeBooleanProperty("better", tuned.better());
    json.writeArrayPropertyStart("figures");
    for (Measured each : tuned.figures()) {
      json.writeStartObject();
      json.writeStringProperty("strategy", each.strategy());
      json.writeNumberProperty("chunkBytes", each.chunkBytes());
      json.writeNumberProperty("medianNsPerMiB", each.medianNsPerMiB());
      json.writeNumberProperty("lowerQuartileNsPerMiB", each.lowerQuartileNsPerMiB());
      json.writeNumberProperty("upperQuartileNsPerMiB", each.upperQuartileNsPerMiB());
      json.writeNumberProperty("runs", each.runs());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String name, Mount mount) {
    json.writeObjectPropertyStart(name);
    json.writeStringProperty("type", mount.type());
    json.writeStringProperty("source", mount.source());
    json.writeStringProperty("point", mount.point());
    json.writeEndObject();
  }

  /// Has the generator break lines.
  private static final class Pretty extends ObjectWriteContext.Base {

    @Override
    public PrettyPrinter getPrettyPrinter() {
      return new DefaultPrettyPrinter();
    }

    @Override
    public boolean hasPrettyPrinter() {
      return true;
    }
  }

  private static final class Reader {

    private static final int FIGURES_MAX = 256;
    private static final int WORD_CHARS_MAX = 256;

    /// PATH_MAX of limits.h, each byte escaped.
    private static final int MOUNT_CHARS_MAX = 4 * 4096;

    private static final long RUNS_MAX = 1_000_000;

    private final JsonParser json;

    private Reader(JsonParser json) {
      this.json = json;
    }

    private Profile profile() throws MalformedException {
      expect(JsonToken.START_OBJECT);
      long format = number("format", 0, Integer.MAX_VALUE);
      if (format != FORMAT) {
        throw new MalformedException("is of format " + format + ", and this zcp knows " + FORMAT);
      }
      name("ways");
      expect(JsonToken.START_ARRAY);
      List<MeasuredRoute> routes = new ArrayList<>();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        require(json.currentToken() == JsonToken.START_OBJECT, "a way is no object");
        require(routes.size() < Profile.ROUTES_MAX, "more routes than " + Profile.ROUTES_MAX);
        routes.add(route());
      }
      expect(JsonToken.END_OBJECT);
      require(json.nextToken() == null, "something follows the end");
      return new Profile(routes);
    }

    private MeasuredRoute route() throws MalformedException {
      RouteKey routeKey = place();
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
      return new MeasuredRoute(routeKey, kernel, date, version, fileBytes, better, figures);
    }

    private RouteKey place() throws MalformedException {
      String first = json.nextName();
      if ("host".equals(first)) {
        return new RouteKey.Send(text(WORD_CHARS_MAX));
      }
      require("from".equals(first), "neither host nor from where it should be");
      Mount from = mount();
      name("to");
      return new RouteKey.Copy(from, mount());
    }

    private Mount mount() throws MalformedException {
      expect(JsonToken.START_OBJECT);
      Mount mount =
          new Mount(
              text("type", WORD_CHARS_MAX),
              text("source", MOUNT_CHARS_MAX),
              text("point", MOUNT_CHARS_MAX));
      expect(JsonToken.END_OBJECT);
      return mount;
    }

    private Measured figure() throws MalformedException {
      String strategy = text("strategy", WORD_CHARS_MAX);
      long chunkBytes = number("chunkBytes", 0, Long.MAX_VALUE);
      long median = number("medianNsPerMiB", 0, Long.MAX_VALUE);
      long lower = number("lowerQuartileNsPerMiB", 0, median);
      long upper = number("upperQuartileNsPerMiB", median, Long.MAX_VALUE);
      int runs = (int) number("runs", 1, RUNS_MAX);
      expect(JsonToken.END_OBJECT);
      return new Measured(strategy, chunkBytes, median, lower, upper, runs);
    }

    private String text(String name, int charsMax) throws MalformedException {
      name(name);
      return text(charsMax);
    }

    /// Printable ASCII, so that a message may quote it.
    private String text(int charsMax) throws MalformedException {
      expect(JsonToken.VALUE_STRING);
      String text = json.getString();
      require(text.length() <= charsMax, "a text of more than " + charsMax + " characters");
      for (int i = 0; i < text.length(); i++) {
        require(text.charAt(i) >= ' ' && text.charAt(i) < 0x7f, "a text that is not plain ASCII");
      }
      return text;
    }

    private long number(String name, long least, long most) throws MalformedException {
      name(name);
      expect(JsonToken.VALUE_NUMBER_INT);
      long number = json.getLongValue();
      require(number >= least && number <= most, name + " is out of its range");
      return number;
    }

    private boolean flag(String name) throws MalformedException {
      name(name);
      boolean flag = json.nextToken() == JsonToken.VALUE_TRUE;
      require(flag || json.currentToken() == JsonToken.VALUE_FALSE, name + " is no flag");
      return flag;
    }

    private void name(String name) throws MalformedException {
      require(name.equals(json.nextName()), "no " + name + " where it should be");
    }

    private void expect(JsonToken token) throws MalformedException {
      require(json.nextToken() == token, "something else than it should hold");
    }

    private void require(boolean holds, String message) throws MalformedException {
      if (!holds) {
        throw new MalformedException(json.currentTokenLocation().getLineNr(), message);
      }
    }
  }

  /// A file that is no profile, or one of another format. The message says where and what.
  static final class MalformedException extends Exception {

    private static final long serialVersionUID = 1L;

    MalformedException(String message) {
      super(message);
    }

    MalformedException(int line, String message) {
      super("line " + line + ": " + message);
    }
  }
}
