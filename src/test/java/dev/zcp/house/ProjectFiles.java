package dev.zcp.house;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The files that belong to the project, by their paths from its folder on.
final class ProjectFiles {

  private ProjectFiles() {}

  /// What git tracks or would take; without git, which a source archive does without, what lies in
  /// the folders that hold sources.
  static Map<String, Path> all() throws IOException, InterruptedException {
    Map<String, Path> files = new TreeMap<>();
    for (String name : namesByGit()) {
      Path file = Path.of(name);
      if (Files.isRegularFile(file)) {
        files.put(name, file);
      }
    }
    if (files.isEmpty()) {
      for (String folder : List.of("src", "build", "pom.xml")) {
        try (Stream<Path> paths = Files.walk(Path.of(folder))) {
          paths.filter(Files::isRegularFile).forEach(path -> files.put(path.toString(), path));
        }
      }
    }
    return files;
  }

  /// The folders of Java files below src/main that have no package-info.java.
  static List<String> packagesWithoutDocumentation(Collection<String> files) {
    Set<String> packages = new TreeSet<>();
    Set<String> documented = new TreeSet<>();
    for (String file : files) {
      if (file.startsWith("src/main/java/") && file.endsWith(".java")) {
        String folder = file.substring(0, file.lastIndexOf('/'));
        packages.add(folder);
        if (file.endsWith("/package-info.java")) {
          documented.add(folder);
        }
      }
    }
    packages.removeAll(documented);
    return packages.stream().map(name -> name + ": a package has a package-info.java").toList();
  }

  /// Empty where there is no git or no repository.
  private static List<String> namesByGit() throws InterruptedException, IOException {
    Process git;
    try {
      git =
          new ProcessBuilder(
                  "git",
                  "-c",
                  "safe.directory=*", // a clone that another user made, as in a container
                  "ls-files",
                  "-z",
                  "--cached",
                  "--others",
                  "--exclude-standard")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      return List.of();
    }
    byte[] names = git.getInputStream().readAllBytes();
    git.waitFor();
    List<String> list = new ArrayList<>();
    for (String name : new String(names, StandardCharsets.UTF_8).split("\0")) {
      if (!name.isEmpty()) {
        list.add(name);
      }
    }
    return list;
  }
}
