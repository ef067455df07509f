package dev.millrace.bench.report;

import dev.millrace.bench.measure.Sheet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The whole run as JSON, for whoever compares two. */
public final class JsonReport {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private JsonReport() {}

  /**
   * Writes it.
   *
   * @param surroundings what the figures depend on: machine, versions, sizes
   */
  public static String write(
      Map<String, String> surroundings, Sheet sheet, List<TargetVerdict> verdicts) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("surroundings", surroundings);
    report.put("figures", sheet.figures());
    report.put("notes", sheet.notes());
    report.put("verdicts", verdicts);
    return MAPPER.writeValueAsString(report) + "\n";
  }
}
