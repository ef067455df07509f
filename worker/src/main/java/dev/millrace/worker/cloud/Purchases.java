package dev.millrace.worker.cloud;

import dev.millrace.worker.comfy.ComfyApi;
import dev.millrace.worker.http.Answer;
import dev.millrace.worker.http.Unreachable;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Finds what attempts have bought. The cloud takes no id of ours, but the graph of a job tells the
 * attempt, because it saves under the attempt's name.
 *
 * <p>Whatever isn't a clear answer is an exception: it must never look as if nothing was bought.
 */
final class Purchases {

  private static final int PAGE = 100;

  /** What is older than so many newer jobs of the account is taken for gone. */
  private static final int MOST_PAGES = 10;

  private static final int MOST_KNOWN = 10_000;

  private static final Pattern ATTEMPT =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private final ComfyApi api;

  /** The attempts that the graph of a job names. A graph never changes, so each is read once. */
  private final Map<String, Set<String>> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Set<String>> eldest) {
          return size() > MOST_KNOWN;
        }
      };

  Purchases(ComfyApi api) {
    this.api = api;
  }

  /** The id of the job that this attempt has bought. */
  Optional<String> of(String attempt) throws Unreachable, InterruptedException {
    return Optional.ofNullable(of(Set.of(attempt)).get(attempt));
  }

  /** The ids of the jobs that these attempts have bought, by attempt. */
  Map<String, String> of(Set<String> attempts) throws Unreachable, InterruptedException {
    Map<String, String> found = new LinkedHashMap<>();
    for (int page = 0; page < MOST_PAGES; page++) {
      Answer answer =
          api.get("/jobs?limit=" + PAGE + "&offset=" + page * PAGE + "&sort_order=desc");
      JsonNode jobs = answer.body().path("jobs");
      if (!answer.ok() || !jobs.isArray()) {
        throw Unreachable.unwell("the jobs can't be listed (" + answer.status() + ")");
      }
      for (JsonNode entry : jobs) {
        String id = entry.path("id").asString("");
        for (String named : named(id)) {
          if (attempts.contains(named)) {
            found.putIfAbsent(named, id);
          }
        }
      }
      boolean more = answer.body().path("pagination").path("has_more").asBoolean(false);
      if (!more || found.size() == attempts.size()) {
        return found;
      }
    }
    return found;
  }

  private Set<String> named(String id) throws Unreachable, InterruptedException {
    synchronized (known) {
      Set<String> before = known.get(id);
      if (before != null) {
        return before;
      }
    }
    Answer answer = api.get("/jobs/" + id);
    if (!answer.ok()) {
      throw Unreachable.unwell("a job can't be read (" + answer.status() + ")");
    }
    JsonNode graph = answer.body().path("workflow");
    Set<String> names = new HashSet<>(Set.of(id));
    Matcher matcher = ATTEMPT.matcher(graph.toString());
    while (matcher.find()) {
      names.add(matcher.group());
    }
    if (!graph.isMissingNode()) {
      synchronized (known) {
        known.put(id, names);
      }
    }
    return names;
  }
}
