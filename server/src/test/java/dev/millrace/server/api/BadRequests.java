package dev.millrace.server.api;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.Described;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.JsonNodeException;
import tools.jackson.databind.json.JsonMapper;

/** All the garbage for one operation, and what is wrong with how it was answered. */
final class BadRequests {

  private static final int LONGEST_LINE = 8_000;

  private static final Set<String> MENDED = Set.of("POST /api/worker/complete/outputs/0/text");

  /** For whose sake no report is lost, whatever stands there. */
  private static final Set<String> NOT_ESSENTIAL =
      Set.of(
          "POST /api/worker/poll/reason",
          "POST /api/worker/complete/summary",
          "POST /api/worker/heartbeat/progress",
          "POST /api/worker/heartbeat/step",
          "POST /api/worker/heartbeat/message",
          "POST /api/worker/heartbeat/summary",
          "POST /api/worker/fail/message",
          "POST /api/worker/fail/retry_after_seconds",
          "POST /api/worker/requeue/reason",
          "POST /videos/api/worker/heartbeat/progress",
          "POST /videos/api/worker/heartbeat/step",
          "POST /videos/api/worker/heartbeat/message",
          "POST /videos/api/worker/fail/error_message",
          "POST /videos/api/worker/requeue/reason");

  /** Where this stands in a report, nothing stands there. */
  private static final String NO_NUMBER = "-?(NaN|Infinity|1e-?[0-9]{3,}|[0-9.]{40,})";

  private static final String REPORT =
      "POST (/videos)?/api/worker/(poll|heartbeat|complete|fail|requeue)";
  private static final Pattern PLACE = Pattern.compile("\\((line|byte) \\d+");
  private static final int MOST_COMPLAINTS = 10;

  private final Client client;
  private final DescribedOperation operation;
  private final Supplier<GoodRequests.Good> row;
  private final List<String> complaints = new ArrayList<>();
  private GoodRequests.Good good;
  private int sent;

  BadRequests(Client client, DescribedOperation operation, Supplier<GoodRequests.Good> row) {
    this.client = client;
    this.operation = operation;
    this.row = row;
    this.good = row.get();
  }

  List<String> complaints() {
    return complaints;
  }

  int sent() {
    return sent;
  }

  BadRequests sendAll() {
    spoilParameters();
    spoilHeaders();
    if (operation.takesABody()) {
      spoilFields();
      spoilNames();
      spoilWhole();
    }
    // Only if the rest of each request was good, the garbage was what was refused.
    int status = send("nothing", good.values(), good.json()).status();
    // A task that has ended by itself can't be stopped any more.
    if (status >= 400 && status != 409) {
      complain("the good request", status, "was refused");
    }
    return this;
  }

  private void spoilParameters() {
    for (JsonNode parameter : operation.parameters("path", "query")) {
      String name = parameter.path("name").stringValue();
      for (Garbage.Parameter garbage : Garbage.PARAMETERS) {
        Map<String, String> values = new HashMap<>(good.values());
        values.put(name, garbage.raw());
        String what = name + " = " + cut(garbage.raw());
        judge(what, name, isAllowed(parameter, garbage), send(what, values, good.json()));
      }
      if (parameter.path("in").stringValue().equals("query")) {
        Map<String, String> values = new HashMap<>(good.values());
        values.put(name, values.getOrDefault(name, "1") + "&" + name + "=1");
        judge(name + " twice", name, false, send(name + " twice", values, good.json()));
      }
      for (String broken : Garbage.BROKEN_PARAMETERS) {
        Map<String, String> values = new HashMap<>(good.values());
        values.put(name, broken);
        raw(name + " = " + broken, values, List.of(), true);
      }
    }
  }

  private static boolean isAllowed(JsonNode parameter, Garbage.Parameter garbage) {
    String decoded = garbage.decoded();
    if (decoded == null) {
      return false;
    }
    JsonNode value =
        parameter.at("/schema/type").asString("").equals("integer") && decoded.matches("-?[0-9]+")
            ? JsonMapper.shared().readTree(decoded.replaceFirst("^(-?)0+(?=[0-9])", "$1"))
            : JsonMapper.shared().getNodeFactory().stringNode(decoded);
    return Described.complaints(parameter.path("schema"), value).isEmpty();
  }

  private void spoilHeaders() {
    for (JsonNode parameter : operation.parameters("header")) {
      String name = parameter.path("name").stringValue();
      for (Garbage.Header garbage : Garbage.HEADERS) {
        boolean hopeless = garbage.hopeless() && name.equals("Idempotency-Key");
        String line = name + ": " + garbage.bytes();
        raw(cut(line), good.values(), List.of(line), hopeless);
      }
    }
  }

  private void raw(
      String what, Map<String, String> values, List<String> headers, boolean hopeless) {
    sent++;
    String line = operation.method() + " " + operation.target(values);
    int status;
    try {
      String answer = RawHttp.send(client, line, headers, good.json());
      status = RawHttp.status(answer);
      if (status == 0 || status >= 500 || (hopeless && status < 400)) {
        complain(what, status, cut(answer));
      } else if (status >= 400 && !answer.contains("\"code\":\"")) {
        complain(what, status, "is no problem with a code: " + cut(answer));
      }
    } catch (UncheckedIOException e) {
      // A line that nobody reads to its end is refused while it comes, and the refusal may get
      // lost.
      if (line.length() < LONGEST_LINE) {
        complain(what, 0, e.toString());
      }
      return;
    }
    renewAfter(status);
  }

  private void spoilFields() {
    for (String field : operation.fields()) {
      for (Garbage.Value garbage : Garbage.VALUES) {
        spoilField(field, garbage);
      }
      if (!field.endsWith("/0")) {
        refuse(field + " twice", field, spoiler().twice(field));
      }
    }
    for (String field : operation.required()) {
      refuse(field + " missing", field, spoiler().without(field));
    }
    String first = operation.fields().getFirst();
    refuse(first + " ten thousand deep", first, spoiler().with(first, Garbage.DEEP));
    refuse(first + " ten thousand deep", first, spoiler().with(first, Garbage.DEEP_OBJECT));
    refuse(first + " very long", first, spoiler().with(first, Garbage.LONG));
    refuse(first + " very many", first, spoiler().with(first, Garbage.MANY));
    refuse(first + " of ten megabytes", first, spoiler().with(first, Garbage.TEN_MEGABYTES));
  }

  private void spoilField(String field, Garbage.Value garbage) {
    String body = spoiler().with(field, garbage.json());
    String what = field + " = " + cut(garbage.json());
    // What a broken program printed is put right: no report is lost for it.
    boolean mended =
        garbage.json().matches("(?s)[\"{].*") && MENDED.contains(operation.name() + field);
    boolean ignored = NOT_ESSENTIAL.contains(operation.name() + field);
    boolean leftOut = garbage.json().matches(NO_NUMBER) && operation.name().matches(REPORT);
    // Nothing in the place of a list's only element is an empty list.
    boolean emptied = garbage.json().isEmpty() && field.endsWith("/0");
    boolean allowed =
        mended || ignored || leftOut || ((emptied || !garbage.hopeless()) && isAllowed(body));
    judge(what, field, allowed, send(what, good.values(), body));
  }

  private boolean isAllowed(String body) {
    JsonNode read = Spoiler.read(body);
    try {
      return !read.isMissingNode() && Described.complaints(operation.body(), read).isEmpty();
    } catch (JsonNodeException e) {
      // The validator itself breaks down on whole numbers that no long can hold.
      return false;
    }
  }

  private void spoilNames() {
    for (String place : spoiler().objects()) {
      for (String name : Garbage.NAMES) {
        refuse("a field named " + cut(name), place + "/", spoiler().and(place, name));
      }
    }
  }

  private void spoilWhole() {
    for (Garbage.Value garbage : Garbage.VALUES) {
      if (!garbage.json().equals("{}") && !garbage.json().isEmpty()) {
        refuse("the body " + cut(garbage.json()), "/", garbage.json());
      }
    }
    for (String body :
        List.of("{", "}", "{}{}", "[{}]", good.json() + ",", "\u00ef\u00bb\u00bf{}")) {
      refuse("the body " + cut(body), "/", body);
    }
    sent++;
    int status =
        client
            .send(
                operation.method(),
                operation.target(good.values()),
                BodyPublishers.ofString(good.json()),
                "Content-Type",
                "text/plain")
            .status();
    if (status != 415) {
      complain("text/plain", status, "is no refusal of a type");
    }
  }

  private Spoiler spoiler() {
    return new Spoiler(good.json());
  }

  private void refuse(String what, String place, String body) {
    judge(what, place, false, send(what, good.values(), body));
  }

  /** What came back; a status of 0 if nothing did, or if the file does not describe it. */
  private record Reply(int status, String code, String detail, List<String> paths, String text) {}

  private Reply send(String what, Map<String, String> values, String body) {
    sent++;
    try {
      Answer answer =
          client.send(
              operation.method(),
              operation.target(values),
              BodyPublishers.ofByteArray(Spoiler.bytes(body)),
              body.isEmpty() ? new String[0] : new String[] {"Content-Type", "application/json"});
      renewAfter(answer.status());
      return answer.status() < 400
          ? new Reply(answer.status(), "", "", List.of(), cut(answer.text()))
          : new Reply(
              answer.status(),
              answer.at("/code"),
              answer.at("/detail"),
              answer.json().findValuesAsString("path"),
              cut(answer.text()));
    } catch (UncheckedIOException | AssertionError e) {
      return new Reply(0, "", "", List.of(), what + ": " + e);
    }
  }

  /** What has succeeded may have changed what the good request is about. */
  private void renewAfter(int status) {
    if (status > 0 && status < 400) {
      good = row.get();
    }
  }

  /**
   * Complains unless the reply is as it should be.
   *
   * @param place the JSON pointer of the field, or the name of the parameter
   */
  private void judge(String what, String place, boolean allowed, Reply reply) {
    if (reply.status() == 0 || reply.status() >= 500) {
      complain(what, reply.status(), reply.text());
    } else if (reply.status() >= 400 && reply.code().isEmpty()) {
      complain(what, reply.status(), "has no code: " + reply.text());
    } else if (!allowed && !isRefusalOf(place, reply)) {
      complain(what, reply.status(), reply.text());
    }
  }

  private static boolean isRefusalOf(String place, Reply reply) {
    boolean inBody = place.startsWith("/");
    return switch (reply.status()) {
      case 400 -> !inBody || PLACE.matcher(reply.detail()).find();
      case 413 -> inBody;
      case 422 ->
          reply.paths().stream().anyMatch(path -> inBody ? isAt(place, path) : path.equals(place));
      case 403, 404, 414, 431 -> !inBody;
      default -> false;
    };
  }

  /** Whether a path names the place, what is in it, or what it is in. */
  private static boolean isAt(String place, String path) {
    return path.equals(place)
        || path.equals(Spoiler.parent(place))
        || path.startsWith(place.endsWith("/") ? place : place + "/");
  }

  private void complain(String what, int status, String text) {
    if (complaints.size() < MOST_COMPLAINTS) {
      complaints.add("%s with %s: %d %s".formatted(operation.name(), what, status, text));
    }
  }

  private static String cut(String text) {
    return text.length() <= 300 ? text : text.substring(0, 300) + "...";
  }
}
