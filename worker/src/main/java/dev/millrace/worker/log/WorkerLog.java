package dev.millrace.worker.log;

import java.io.PrintStream;
import java.time.Clock;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** Writes events. Safe for several threads. */
public final class WorkerLog {

  /** How a line looks. */
  public enum Look {
    TEXT,
    JSON
  }

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());
  private static final Pattern PLAIN = Pattern.compile("[\\w.:/+-]+");
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Look look;
  private final PrintStream out;
  private final Clock clock;

  public WorkerLog(Look look, PrintStream out, Clock clock) {
    this.look = look;
    this.out = out;
    this.clock = clock;
  }

  /**
   * Something happened.
   *
   * @param event such as {@code job.completed}
   * @param facts names and values in turn
   */
  public void info(String event, Object... facts) {
    write("info", event, facts);
  }

  /** Something happened that somebody may have to look at. */
  public void warn(String event, Object... facts) {
    write("warn", event, facts);
  }

  private void write(String level, String event, Object[] facts) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i + 1 < facts.length; i += 2) {
      fields.put(String.valueOf(facts[i]), clean(facts[i + 1]));
    }
    out.println(look == Look.JSON ? json(level, event, fields) : words(level, event, fields));
  }

  private static Object clean(Object value) {
    return switch (value) {
      case Number number -> number;
      case Boolean flag -> flag;
      case Throwable trouble -> Clean.text(trouble);
      default -> Clean.text(value.toString());
    };
  }

  private String json(String level, String event, Map<String, Object> fields) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
    line.put("level", level);
    line.put("event", event);
    fields.forEach(line::putIfAbsent);
    return JSON.writeValueAsString(line);
  }

  private String words(String level, String event, Map<String, Object> fields) {
    String mark = level.equals("warn") ? " WARN " : " ";
    String rest =
        fields.entrySet().stream()
            .map(field -> " " + field.getKey() + "=" + quoted(field.getValue().toString()))
            .collect(Collectors.joining());
    return TIME.format(clock.instant()) + mark + event + rest;
  }

  private static String quoted(String value) {
    return PLAIN.matcher(value).matches() ? value : '"' + value.replace('"', '\'') + '"';
  }
}
