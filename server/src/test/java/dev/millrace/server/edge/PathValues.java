package dev.millrace.server.edge;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What stands in a path or a body for each parameter. */
final class PathValues {

  /** The things that belong to a tenant, by how a path names them. */
  private static final Map<String, Thing> THINGS =
      Map.ofEntries(
          entry("jobs/{id}", Thing.JOB),
          entry("adopt/{id}", Thing.JOB),
          entry("review/{id}", Thing.JOB),
          entry("items/{item}", Thing.ITEM),
          entry("batches/{id}", Thing.BATCH),
          entry("files/{id}", Thing.FILE),
          entry("videos/{id}", Thing.FILE),
          entry("videos/{video}", Thing.JOB),
          entry("predictions/{id}", Thing.JOB),
          entry("ai-jobs/{id}", Thing.JOB),
          entry("processes/{id}", Thing.JOB),
          entry("outputs/{id}", Thing.JOB),
          entry("keys/{id}", Thing.KEY),
          entry("tasks/{id}", Thing.TASK),
          entry("user-tokens/{id}", Thing.TOKEN),
          entry("webhooks/{id}", Thing.WEBHOOK),
          entry("deliveries/{message}", Thing.MESSAGE));

  /** What all tenants share, and what is no thing at all. */
  private static final Map<String, String> SHARED =
      Map.ofEntries(
          entry("effects/{slug}", "sketch/flow"),
          entry("workflows/{slug}", "sketch-sheet"),
          entry("pause/{slug}", "sketch/flow"),
          entry("resume/{slug}", "sketch/flow"),
          entry("studio/{slug}", "sketch/draft"),
          entry("quote/{slug}", "sketch/draft"),
          entry("queues/{slug}", "sketch-sheet"),
          entry("queues/{workflow}", "upscale"),
          entry("workers/{worker}", "bystander"),
          entry("tenants/{tenant}", "bystander"),
          entry("{worker}/{deed}", "drain"),
          entry("{id}/{deed}", "enable"),
          entry("callbacks/{provider}", "replicate"),
          entry("{provider}/{intent}", "00000000-0000-7000-8000-000000000000"),
          entry("objects/{key}", "nothing/here.png"),
          entry("generate/{type}", "copy"),
          entry("models/{owner}", "sketch"),
          entry("deployments/{owner}", "sketch"),
          entry("{owner}/{name}", "flow"),
          entry("versions/{version}", "no-such-version"),
          entry("models/{model}", "sketch/flow"),
          entry("batches/{batch}", "00000000-0000-7000-8000-000000000000"),
          entry("stream/{code}", "no-such-code"),
          entry("results/{code}", "no-such-code"),
          entry("{code}/{place}", "0.png"),
          entry("outputs/{index}", "0"),
          entry("assets/{name}", "console.css"),
          entry("link/{secret}", "no-such-link"),
          entry("console/{rest}", "no-such-page"));

  private PathValues() {}

  /** Things of a tenant, of which each has an id that nobody can guess. */
  enum Thing {
    JOB,
    ITEM,
    BATCH,
    FILE,
    KEY,
    TASK,
    TOKEN,
    WEBHOOK,
    MESSAGE;

    /** How a body or a query names it. */
    String mark() {
      return "<" + name().toLowerCase(java.util.Locale.ROOT) + ">";
    }
  }

  /** Every parameter that isn't in a table, with what to do about it. */
  static List<String> unknown(List<RouteRow> rows) {
    return rows.stream()
        .flatMap(row -> row.parameters().stream().map(parameter -> parameter + " of " + row))
        .filter(named -> !isKnown(named.substring(0, named.indexOf(" of "))))
        .map(named -> named + ": say in PathValues what stands for it")
        .toList();
  }

  private static boolean isKnown(String parameter) {
    return THINGS.containsKey(parameter) || SHARED.containsKey(parameter);
  }

  /** The things that a row names in its path, its query or its body. */
  static List<Thing> things(RouteRow row) {
    return java.util.stream.Stream.concat(
            row.parameters().stream()
                .map(THINGS::get)
                .flatMap(thing -> Optional.ofNullable(thing).stream()),
            java.util.Arrays.stream(Thing.values())
                .filter(thing -> (row.query() + row.body()).contains(thing.mark())))
        .distinct()
        .toList();
  }

  /** The path and query with these ids. */
  static String target(RouteRow row, Map<Thing, String> ids) {
    String path = row.template().replace("*}", "}");
    for (String parameter : row.parameters()) {
      Thing thing = THINGS.get(parameter);
      String value = thing == null ? SHARED.get(parameter) : ids.get(thing);
      String name = parameter.substring(parameter.indexOf("/{") + 1);
      path = path.replaceFirst("\\Q" + name + "\\E", String.valueOf(value));
    }
    return path + filled(row.query(), ids);
  }

  static String filled(String text, Map<Thing, String> ids) {
    String filled = text;
    for (Map.Entry<Thing, String> id : ids.entrySet()) {
      filled = filled.replace(id.getKey().mark(), id.getValue());
    }
    return filled;
  }
}
