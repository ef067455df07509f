package dev.millrace.mutants.child;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the statements that are constants of the program's classes. */
final class Constants {

  private static final Pattern STATEMENT =
      Pattern.compile("\\s*(select|insert|update|delete|with)\\s.*", Pattern.DOTALL);
  private static final Pattern NAMED = Pattern.compile("(?<![:\\w]):[a-zA-Z]\\w*");

  private Constants() {}

  /** By class and field, such as {@code Keys.FIND}, with parameters as the driver gets them. */
  static Map<String, String> of(Path classes) throws IOException, ReflectiveOperationException {
    Map<String, String> found = new TreeMap<>();
    for (String name : names(classes)) {
      Class<?> type = Class.forName(name);
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
          field.setAccessible(true);
          String sql = sql(field.get(null));
          if (STATEMENT.matcher(sql).matches()) {
            found.put(
                type.getSimpleName() + "." + field.getName(), NAMED.matcher(sql).replaceAll("?"));
          }
        }
      }
    }
    return found;
  }

  private static String sql(@Nullable Object value) throws ReflectiveOperationException {
    if (value instanceof String text) {
      return text;
    }
    if (value != null && value.getClass().getSimpleName().equals("Bulk")) {
      Method sql = value.getClass().getDeclaredMethod("sql");
      sql.setAccessible(true);
      return (String) sql.invoke(value);
    }
    return "";
  }

  private static List<String> names(Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(file -> classes.relativize(file).toString())
          .filter(file -> file.endsWith(".class") && !file.endsWith("package-info.class"))
          .filter(file -> !file.contains("/embedded/"))
          .map(file -> file.substring(0, file.length() - 6).replace('/', '.'))
          .sorted()
          .toList();
    }
  }
}
