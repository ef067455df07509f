package dev.millrace.mutants.child;

import java.lang.StackWalker.StackFrame;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes down which statement of the program is executed during which test. */
final class Recorder {

  /** Others may come first, such as a setting. */
  private static final Pattern STATEMENT =
      Pattern.compile("\\b(select|insert|update|delete|with)\\s");

  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private record Origin(String name, boolean initialising) {}

  private final Map<String, Origin> origins = new ConcurrentHashMap<>();
  private final Map<String, Set<String>> tests = new ConcurrentHashMap<>();
  private volatile String test = "";

  void enter(String one) {
    test = one;
  }

  void saw(String sql) {
    Origin origin = origins.get(sql);
    if (origin == null && STATEMENT.matcher(sql).find()) {
      origin = origin(STACK.walk(stream -> stream.toList()));
    }
    if (origin != null) {
      origins.put(sql, origin);
      tests.computeIfAbsent(sql, _ -> ConcurrentHashMap.newKeySet()).add(test);
    }
  }

  /** Nothing, if a test or a library speaks for itself. A test's proxy only hands on. */
  private static @Nullable Origin origin(List<StackFrame> frames) {
    boolean initialising =
        frames.stream().anyMatch(frame -> frame.getMethodName().equals("<clinit>"));
    boolean ofTest = false;
    for (StackFrame frame : frames) {
      String name = frame.getClassName();
      if (name.startsWith("jdk.proxy")) {
        ofTest = false;
      } else if (name.startsWith("org.flywaydb.")) {
        return null;
      } else if (isProgram(frame.getDeclaringClass())) {
        return ofTest ? null : new Origin(named(frame), initialising);
      } else if (name.startsWith("dev.millrace.") && !name.startsWith("dev.millrace.mutants.")) {
        ofTest = true;
      }
    }
    return null;
  }

  private static boolean isProgram(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return type.getName().startsWith("dev.millrace.postgres.")
        && source != null
        && !source.getLocation().getPath().contains("test-classes");
  }

  private static String named(StackFrame frame) {
    String type = frame.getClassName().replaceAll(".*\\.|\\$.*", "");
    String method = frame.getMethodName().replaceAll("lambda\\$(\\w+)\\$\\d+", "$1");
    return type + "." + method;
  }

  List<Baseline.Executed> executed() {
    List<Baseline.Executed> all = new ArrayList<>();
    origins.forEach((sql, origin) ->
        all.add(
            new Baseline.Executed(
                sql, origin.name(), origin.initialising(), tests.getOrDefault(sql, Set.of()))));
    return all;
  }
}
