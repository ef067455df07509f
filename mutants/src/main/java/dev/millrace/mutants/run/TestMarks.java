package dev.millrace.mutants.run;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Tells whether a test is as it was. A test class's stamp is made of its own code and of all test
 * code that it reaches, so only tests that somebody changed are run again.
 */
final class TestMarks {

  private static final Pattern TYPE = Pattern.compile("\\[class:([\\w.$]+)]");

  private final Map<String, String> stamps = new TreeMap<>();
  private final List<Path> folders;
  private final Map<String, List<String>> references = new HashMap<>();
  private final Map<String, byte[]> code = new HashMap<>();

  /**
   * Reads class files.
   *
   * @param tests where the test classes are
   * @param shared where other code is that belongs to tests
   */
  TestMarks(Path tests, Path shared) throws IOException {
    this.folders = List.of(tests, shared);
    try (Stream<Path> files = Files.walk(tests)) {
      for (Path file : files.filter(one -> one.toString().endsWith("Test.class")).toList()) {
        String name = tests.relativize(file).toString().replaceAll("\\.class$", "");
        stamps.put(name.replace('/', '.'), stamp(name));
      }
    }
  }

  /** By the class's name. */
  Map<String, String> stamps() {
    return stamps;
  }

  /** Of a test method, by its id. */
  String of(String test) {
    return checksum(
        (test + stamps.get(typeOf(test))).getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  static String typeOf(String test) {
    Matcher matcher = TYPE.matcher(test);
    return matcher.find() ? matcher.group(1) : "";
  }

  private String stamp(String root) throws IOException {
    TreeSet<String> reached = new TreeSet<>(List.of(root));
    Deque<String> next = new ArrayDeque<>(reached);
    while (!next.isEmpty()) {
      for (String name : references(next.remove())) {
        if (reached.add(name)) {
          next.add(name);
        }
      }
    }
    CRC32 sum = new CRC32();
    reached.stream().map(code::get).filter(bytes -> bytes != null).forEach(sum::update);
    return "%08x".formatted(sum.getValue());
  }

  /** Of a class that is not in these folders nothing is known. */
  private List<String> references(String name) throws IOException {
    List<String> known = references.get(name);
    if (known == null) {
      known = List.of();
      for (Path folder : folders) {
        Path file = folder.resolve(name + ".class");
        if (Files.exists(file)) {
          byte[] bytes = Files.readAllBytes(file);
          code.put(name, bytes);
          known = referencesOf(bytes);
          break;
        }
      }
      references.put(name, known);
    }
    return known;
  }

  private static List<String> referencesOf(byte[] bytes) {
    ClassModel model = ClassFile.of().parse(bytes);
    TreeSet<String> names = new TreeSet<>();
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof ClassEntry type) {
        names.add(type.asInternalName().replaceAll("^\\[+L|;$", ""));
      }
    }
    return List.copyOf(names);
  }

  private static String checksum(byte[] bytes) {
    CRC32 sum = new CRC32();
    sum.update(bytes);
    return "%08x".formatted(sum.getValue());
  }
}
