package dev.millrace.service.transfer;

import dev.millrace.postgres.transfers.TransferError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads what an endpoint says that it did. It is believed as far as it can be true. */
final class EndpointAnswer {

  private static final long MOST = 1_000_000_000_000L;
  private static final List<String> TAKEN = List.of("imported", "applied");

  /** Those beside what was taken; each row is one of them at most. */
  private static final List<String> OF_ROWS = List.of(Counts.FAILED, Counts.SKIPPED);

  private static final List<String> BESIDE =
      List.of(Counts.TAGS, Counts.CATEGORIES, Counts.REMAINING);

  private EndpointAnswer() {}

  /** What became of these rows; empty if the answer makes no sense. */
  static Optional<Destination.Answer.Counted> read(byte[] body, List<Row> rows) {
    try {
      JsonNode json =
          body.length == 0
              ? JsonMapper.shared().createObjectNode()
              : JsonMapper.shared().readTree(body);
      return json.isObject() ? read(json, rows) : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private static Optional<Destination.Answer.Counted> read(JsonNode json, List<Row> rows) {
    SortedMap<String, Long> counts = new TreeMap<>();
    for (String name : TAKEN) {
      if (!count(json, name, Counts.TAKEN, counts)) {
        return Optional.empty();
      }
    }
    for (List<String> names : List.of(OF_ROWS, BESIDE)) {
      for (String name : names) {
        if (!count(json, name, name, counts)) {
          return Optional.empty();
        }
      }
    }
    List<TransferError> errors = errors(json.path("errors"), rows);
    counts.putIfAbsent(Counts.FAILED, (long) errors.size());
    long others = OF_ROWS.stream().mapToLong(name -> counts.getOrDefault(name, 0L)).sum();
    counts.putIfAbsent(Counts.TAKEN, Math.max(0, rows.size() - others));
    return counts.get(Counts.TAKEN) + others > rows.size()
        ? Optional.empty()
        : Optional.of(new Destination.Answer.Counted(new Counts(counts), errors));
  }

  /** False if it is there and can't be a count. */
  private static boolean count(
      JsonNode json, String name, String as, SortedMap<String, Long> counts) {
    JsonNode value = json.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return true;
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.longValue() < 0
        || value.longValue() > MOST) {
      return false;
    }
    counts.merge(as, value.longValue(), Long::sum);
    return true;
  }

  private static List<TransferError> errors(JsonNode list, List<Row> rows) {
    Map<String, Row> byKey = new HashMap<>();
    rows.forEach(row -> byKey.put(row.key(), row));
    List<TransferError> errors = new ArrayList<>();
    for (JsonNode each : list.values()) {
      Row row = byKey.remove(each.path("key").asString(""));
      if (row != null) {
        errors.add(
            RowErrors.of(
                row.line(),
                each.path("field").asString(""),
                each.path("message").asString("was refused by the endpoint")));
      }
    }
    return errors;
  }
}
