package dev.zcp.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The prose of one command, from which `--help` and its manual page are made. It stands in
/// `src/main/help`, in a file for each command: blocks with a blank line between two. The first
/// block is the summary and the synopsis. One that begins with `-` is an option, by its longest
/// name; with `?` what is to be known of an option of another program, such as rsync; with `$` an
/// example; with `@` a variable that changes what the command does; with `#` the title of a group
/// of options, and their names; with anything else a paragraph. What several commands say alike is
/// in `common.txt`.
///
/// The short help has the first paragraph, the first three examples, and of the options of the
/// first group the first sentence of each.
///
/// @param summary what the command does, as a phrase: `copy files`
/// @param synopsis what follows the title: `[OPTIONS] SOURCE... TARGET`
/// @param description paragraphs
/// @param options what each does, by its longest name; also those of other commands
/// @param groups empty if there are few options; what no group names is in one more
public record Manual(
    String summary,
    String synopsis,
    List<String> description,
    Map<String, String> options,
    List<OptionGroup> groups,
    List<Term> examples,
    List<Term> environment) {

  /// @param word a command line, or the name of a variable
  /// @param meaning what it does or is for, as a sentence
  public record Term(String word, String meaning) {}

  /// @param options their longest names
  record OptionGroup(String title, List<String> options) {}

  /// @param command a word
  static Manual of(String command) {
    Map<String, String> meanings = new HashMap<>();
    for (List<String> block : blocks("common")) {
      meanings.put(block.getFirst(), rest(block));
    }
    List<List<String>> blocks = blocks(command);
    List<String> description = new ArrayList<>();
    List<OptionGroup> groups = new ArrayList<>();
    List<Term> examples = new ArrayList<>();
    List<Term> environment = new ArrayList<>();
    for (List<String> block : blocks.subList(1, blocks.size())) {
      String first = block.getFirst();
      String meaning = block.size() == 1 ? meanings.get(first) : rest(block);
      switch (first.charAt(0)) {
        case '-', '?' -> meanings.put(first, meaning);
        case '#' ->
            groups.add(new OptionGroup(first.substring(2), List.of(rest(block).split(" "))));
        case '$' -> examples.add(new Term(first.substring(2), meaning));
        case '@' -> environment.add(new Term(first.substring(2), meaning));
        default -> description.add(String.join(" ", block));
      }
    }
    List<String> top = blocks.getFirst();
    return new Manual(
        top.getFirst(), rest(top), description, meanings, groups, examples, environment);
  }

  /// What is to be known of an option of another program; empty if nothing.
  String hint(String option) {
    return options.getOrDefault("? " + option, "");
  }

  private static String rest(List<String> block) {
    return String.join(" ", block.subList(1, block.size()));
  }

  static List<List<String>> blocks(String name) {
    List<List<String>> blocks = new ArrayList<>(List.of(new ArrayList<>()));
    for (String line : resource("help/" + name + ".txt").split("\n")) {
      if (line.isEmpty()) {
        blocks.add(new ArrayList<>());
      } else {
        blocks.getLast().add(line.strip());
      }
    }
    return blocks;
  }

  /// A text that the build puts beside this class.
  static String resource(String name) {
    try (InputStream text = Manual.class.getResourceAsStream(name)) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("the jar's " + name + " cannot be read", e);
    }
  }
}
