package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.RawPath;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/// Reads `config.toml`. A class of its own, so that a start without that file loads no parser.
final class ConfigFile {

  private static final int BYTES_MAX = 1 << 16;

  private ConfigFile() {}

  /// The tables of the file, whose values are texts and numbers; in a value each byte is a char.
  static Map<String, Map<String, String>> read(RawPath file) throws Failure {
    Map<String, Map<String, String>> tables = new LinkedHashMap<>();
    for (Map.Entry<String, Object> each : parsed(file).entrySet()) {
      if (!(each.getValue() instanceof TomlTable table)) {
        throw wrong(
            file,
            "'"
                + each.getKey()
                + "' is above the first table; put it below [copy], [send] or [receive]");
      }
      Map<String, String> values = new LinkedHashMap<>();
      for (Map.Entry<String, Object> entry : table.entrySet()) {
        Object value = entry.getValue();
        if (!(value instanceof String || value instanceof Long)) {
          throw wrong(
              file,
              "["
                  + each.getKey()
                  + "] '"
                  + entry.getKey()
                  + "' must be a text in quotes or a number");
        }
        byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
        values.put(entry.getKey(), RawText.latin1(bytes));
      }
      tables.put(each.getKey(), values);
    }
    return tables;
  }

  private static TomlTable parsed(RawPath file) throws Failure {
    try (InputStream in = Files.newInputStream(file.toPath())) {
      byte[] bytes = in.readNBytes(BYTES_MAX + 1);
      if (bytes.length > BYTES_MAX) {
        throw wrong(file, "it is larger than " + BYTES_MAX + " bytes");
      }
      TomlParseResult result = Toml.parse(new String(bytes, StandardCharsets.UTF_8));
      if (result.hasErrors()) {
        TomlParseError error = result.errors().getFirst();
        throw wrong(
            file, "line " + error.position().line() + " is not TOML: " + error.getMessage());
      }
      return result;
    } catch (IOException e) {
      throw wrong(file, Reasons.of(e)).because(e);
    }
  }

  /// @param what is wrong: a phrase, with what the file says as it is
  static Failure wrong(RawPath file, String what) {
    return Failure.of(ExitCode.USAGE, file, Printable.ofPhrase(what));
  }
}
