import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Makes one jar of several: one file to open at each start, and all classes in a form that an AOT
/// cache takes.
final class MergedJar {

  private static final String SERVICES = "META-INF/services/";

  private MergedJar() {}

  /// @throws IOException if two jars hold the same file, unless it is a notice in META-INF, too
  static void write(List<Path> jars, Path target, Instant time) throws IOException {
    Map<String, byte[]> entries = new TreeMap<>();
    try (URLClassLoader classes = new URLClassLoader(urls(jars))) {
      ClassUpgrade upgrade = new ClassUpgrade(classes);
      for (Path jar : jars) {
        try (JarFile in = new JarFile(jar.toFile())) {
          for (JarEntry entry : in.stream().toList()) {
            if (isWanted(entry)) {
              byte[] bytes = in.getInputStream(entry).readAllBytes();
              boolean isClass = entry.getName().endsWith(".class");
              add(entries, entry.getName(), isClass ? upgrade.apply(bytes) : bytes);
            }
          }
        }
      }
    }
    Files.createDirectories(target.getParent());
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(target))) {
      // An archive of the distribution is smaller if nothing in it is compressed.
      out.setLevel(Deflater.NO_COMPRESSION);
      put(out, JarFile.MANIFEST_NAME, manifest(), time);
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        put(out, entry.getKey(), entry.getValue(), time);
      }
    }
  }

  private static URL[] urls(List<Path> jars) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) {
      urls.add(jar.toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /// Module descriptors and classes for other versions would be wrong in a jar of the class path,
  /// and so would be the signature of another jar. [Libraries][NativeLibrary#unpack] lie beside it.
  private static boolean isWanted(JarEntry entry) {
    String name = entry.getName();
    return !entry.isDirectory()
        && !name.equals(JarFile.MANIFEST_NAME)
        && !name.endsWith("module-info.class")
        && !name.startsWith("META-INF/maven/")
        && !name.startsWith("META-INF/versions/")
        && !NativeLibrary.isLibrary(name)
        && !name.endsWith(".html")
        && !name.endsWith(".SF")
        && !name.endsWith(".RSA");
  }

  private static void add(Map<String, byte[]> entries, String name, byte[] bytes)
      throws IOException {
    boolean isNotice = name.startsWith("META-INF/") && !name.startsWith(SERVICES);
    if (entries.putIfAbsent(name, bytes) != null && !isNotice) {
      throw new IOException("two jars hold " + name);
    }
  }

  private static byte[] manifest() throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, Jvm.MAIN);
    // For those who run the jar without the launcher and its flags.
    attributes.put(new Attributes.Name("Enable-Native-Access"), "ALL-UNNAMED");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    manifest.write(out);
    return out.toByteArray();
  }

  private static void put(ZipOutputStream out, String name, byte[] bytes, Instant time)
      throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(LocalDateTime.ofInstant(time, ZoneOffset.UTC));
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }
}
