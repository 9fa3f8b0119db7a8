package dev.zcp.plan;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// The texts and numbers of a file with objects of JSON. What is nested deeper is left out.
///
/// @param file for messages
/// @param values by their names
/// @param remedy what to do if one of them is not what it should be
record PlanFields(RawPath file, Map<String, String> values, String remedy) {

  /// Above what a result with all its losses takes.
  private static final int FILE_BYTES_MAX = 16 << 20;

  /// @throws IOException if it cannot be read
  /// @throws Failure SOURCE if it holds something else
  static PlanFields read(RawPath file, String remedy) throws IOException, Failure {
    byte[] text;
    try (InputStream in = open(file)) {
      text = in.readNBytes(FILE_BYTES_MAX);
    }
    Map<String, String> values = new HashMap<>();
    JsonFactory factory = JsonFactory.builder().build();
    try (JsonParser json = factory.createParser(ObjectReadContext.empty(), text)) {
      String name = null;
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token == JsonToken.PROPERTY_NAME) {
          name = json.getString();
        } else if (name != null) {
          if (token.isScalarValue()) {
            values.put(name, json.getString());
          }
          json.skipChildren();
          name = null;
        }
      }
    } catch (JacksonException e) {
      throw Failure.of(ExitCode.SOURCE, file.toString(), "is no JSON").with(remedy).because(e);
    }
    return new PlanFields(file, values, remedy);
  }

  /// @throws IOException if it is missing, or no regular file
  static InputStream open(RawPath file) throws IOException {
    FileStatus.of(file).requireRegular(file);
    return Files.newInputStream(file.toPath());
  }

  /// @throws Failure SOURCE if there is none
  String text(String name) throws Failure {
    String text = values.get(name);
    if (text == null) {
      throw malformed(name);
    }
    return text;
  }

  /// @throws Failure SOURCE if there is none, or it is out of its range
  long number(String name, long min, long max) throws Failure {
    try {
      long number = Long.parseLong(text(name));
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw malformed(name);
  }

  Failure malformed(String name) {
    return Failure.of(ExitCode.SOURCE, file.toString(), "has no proper '" + name + "'")
        .with(remedy);
  }
}
