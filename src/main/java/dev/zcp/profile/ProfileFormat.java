package dev.zcp.profile;

import dev.zcp.json.JsonTable;
import dev.zcp.json.JsonTable.Values;
import dev.zcp.json.JsonType;
import dev.zcp.profile.MeasuredRoute.Measured;
import dev.zcp.profile.Mounts.Mount;

/// The fields of a profile, which a person can read too. Nobody writes such a file by hand, so what
/// is beyond a limit is damage.
public final class ProfileFormat {

  /// Goes up with every change of what is written.
  private static final long FORMAT = 1;

  private static final int FIGURES_MAX = 256;

  /// PATH_MAX of limits.h, each byte escaped.
  private static final int MOUNT_CHARS_MAX = 4 * 4096;

  private static final JsonType<String> WORD = ascii(256);
  private static final JsonType<String> LONG_TEXT = ascii(MOUNT_CHARS_MAX);
  private static final JsonType<Long> COUNT = JsonType.COUNT;

  private static final JsonTable<Measured> FIGURE =
      new JsonTable<Measured>(ProfileFormat::figure)
          .field("strategy", WORD, Measured::strategy)
          .field("chunkBytes", COUNT, Measured::chunkBytes)
          .field("medianNsPerMiB", COUNT, Measured::medianNsPerMiB)
          .field("lowerQuartileNsPerMiB", COUNT, Measured::lowerQuartileNsPerMiB)
          .field("upperQuartileNsPerMiB", COUNT, Measured::upperQuartileNsPerMiB)
          .field("runs", JsonType.integer(1, Integer.MAX_VALUE), Measured::runs);

  public static final JsonTable<Mount> MOUNT =
      new JsonTable<Mount>(v -> new Mount(v.get(), v.get(), v.get()))
          .field("type", WORD, Mount::type)
          .field("source", LONG_TEXT, Mount::source)
          .field("point", LONG_TEXT, Mount::point);

  private static final JsonTable<MeasuredRoute> ROUTE =
      new JsonTable<MeasuredRoute>(
              v ->
                  new MeasuredRoute(place(v), v.get(), v.get(), v.get(), v.get(), v.get(), v.get()))
          .fieldIfAny("host", WORD, route -> route.routeKey().host())
          .fieldIfAny("from", MOUNT, route -> route.routeKey().from())
          .fieldIfAny("to", MOUNT, route -> route.routeKey().to())
          .field("kernel", WORD, MeasuredRoute::kernel)
          .field("date", WORD, MeasuredRoute::date)
          .field("zcp", WORD, MeasuredRoute::zcpVersion)
          .field("fileBytes", JsonType.count(1, Long.MAX_VALUE), MeasuredRoute::fileBytes)
          .field("better", JsonType.FLAG, MeasuredRoute::better)
          .field("figures", FIGURE.list(FIGURES_MAX), MeasuredRoute::figures);

  static final JsonTable<Profile> PROFILE =
      new JsonTable<Profile>(v -> new Profile(v.get()))
          .format(FORMAT)
          .field("ways", ROUTE.list(Profile.ROUTES_MAX), Profile::routes);

  private ProfileFormat() {}

  private static Measured figure(Values v) {
    Measured figure = new Measured(v.get(), v.get(), v.get(), v.get(), v.get(), v.get());
    if (figure.lowerQuartileNsPerMiB() > figure.medianNsPerMiB()
        || figure.medianNsPerMiB() > figure.upperQuartileNsPerMiB()) {
      throw v.object().malformed("medianNsPerMiB");
    }
    return figure;
  }

  private static RouteKey place(Values v) {
    String host = v.get();
    Mount from = v.get();
    Mount to = v.get();
    if (host == null && (from == null || to == null)) {
      throw v.object().malformed("host");
    }
    return host != null ? new RouteKey.Send(host) : new RouteKey.Copy(from, to);
  }

  /// So that a message may quote it.
  private static JsonType<String> ascii(int charsMax) {
    return JsonType.TEXT.as(
        text -> text,
        text -> {
          boolean isPlain = text.length() <= charsMax;
          for (int i = 0; i < text.length() && isPlain; i++) {
            isPlain = text.charAt(i) >= ' ' && text.charAt(i) < 0x7f;
          }
          return isPlain ? text : null;
        });
  }
}
