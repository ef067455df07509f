package dev.millrace.server.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import dev.millrace.service.observe.JobLog;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** Lines for people: the time, and what happened. */
final class TextLines extends LayoutBase<ILoggingEvent> {

  private static final String PATTERN = "%-5level %msg %kvp%n%ex";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

  /** An id begins with its time, so jobs of one minute differ only near the end. */
  private static final int SHORT_ID = 8;

  private final boolean colour;
  private final PatternLayout others = new PatternLayout();

  TextLines(LoggerContext context, boolean colour) {
    this.colour = colour;
    setContext(context);
    others.setContext(context);
    others.setPattern(PATTERN);
  }

  @Override
  public void start() {
    others.start();
    super.start();
  }

  @Override
  public String doLayout(ILoggingEvent event) {
    String time = paint("2", TIME.format(event.getInstant()));
    if (!event.getLoggerName().equals(JobLog.LOGGER)) {
      String line = others.doLayout(event);
      return time + " " + (event.getLevel().isGreaterOrEqual(Level.WARN) ? warned(line) : line);
    }
    Map<String, Object> facts = new LinkedHashMap<>();
    for (KeyValuePair pair : event.getKeyValuePairs()) {
      facts.put(pair.key, pair.value);
    }
    String id = String.valueOf(facts.get("job_id"));
    return "%s %s %s%n"
        .formatted(time, id.substring(Math.max(0, id.length() - SHORT_ID)), words(event, facts));
  }

  private static String credits(@Nullable Object cost) {
    return cost + ("1".equals(String.valueOf(cost)) ? " credit" : " credits");
  }

  private String words(ILoggingEvent event, Map<String, Object> facts) {
    return switch (event.getMessage()) {
      case "job.created" ->
          "%s, %s, %s"
              .formatted(
                  facts.get("type"), credits(facts.get("credits_cost")), facts.get("status"));
      case "job.transition" ->
          "%s -> %s (%s, attempt %s)"
              .formatted(
                  facts.get("from_status"),
                  facts.get("to_status"),
                  facts.get("trigger"),
                  facts.get("attempt"));
      case "job.transition_denied" ->
          paint(
              "33",
              "denied: %s -> %s (%s)"
                  .formatted(
                      facts.get("from_status"), facts.get("to_status"), facts.get("trigger")));
      case "job.completed" -> paint("32", "completed") + ": " + rest(facts);
      case "job.failed" -> paint("31", String.valueOf(facts.get("status"))) + ": " + rest(facts);
      default -> rest(facts);
    };
  }

  /** What the words before it have not said. */
  private static String rest(Map<String, Object> facts) {
    return facts.entrySet().stream()
        .filter(fact -> !List.of("event", "job_id", "status", "tenant").contains(fact.getKey()))
        .map(fact -> fact.getKey().replace('_', ' ') + " " + fact.getValue())
        .collect(Collectors.joining(", "));
  }

  private String warned(String line) {
    int end = line.indexOf(' ');
    return paint("33", line.substring(0, end)) + line.substring(end);
  }

  private String paint(String code, String text) {
    return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
