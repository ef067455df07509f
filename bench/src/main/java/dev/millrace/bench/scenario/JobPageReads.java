package dev.millrace.bench.scenario;

import dev.millrace.bench.http.ServerProcess;
import dev.millrace.bench.load.Copies;
import dev.millrace.bench.load.Filling;
import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.load.TempFolder;
import dev.millrace.bench.measure.MeasureWords;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import dev.millrace.bench.place.Stock;
import dev.millrace.engine.Engine;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * (j) How long a page of the console's list of jobs takes, over HTTP, with very many jobs of one
 * tenant. The jobs are rows of the past month and nothing else, so the doctor is not asked.
 */
public final class JobPageReads implements Scenario {

  private static final int WARM_UP = 10;
  private static final int TIMES = 30;
  private static final int ORIGINALS = 8;
  private static final int WAITING = 200;

  private static final String VALUES =
      """
      case a.attname
          when 'id' then 'uuidv7(-past.age)'
          when 'wallet_id' then 'w.ids[1 + g % cardinality(w.ids)]'
          when 'effect_id' then
              'e.ids[case when g % 5000 = 0 then 8 when g % 4 = 0 then 3 + g % 5 else 1 + g % 2 end]'
          when 'state' then
              '(case when g % 17000 = 0 then ''dead_letter'' when g % 20 = 0 then ''failed''
                  else ''completed'' end)::job_state'
          when 'idempotency_key' then 'null'
          when 'created_at' then 'clock_timestamp() - past.age'
          else 't.' || quote_ident(a.attname)
      end
      """;

  private static final Map<String, String> QUESTIONS = new LinkedHashMap<>();

  static {
    QUESTIONS.put("any", "");
    QUESTIONS.put("state", "state:failed");
    QUESTIONS.put("rare_state", "state:dead_letter");
    QUESTIONS.put("live", "state:live");
    QUESTIONS.put("waiting", "state:queued");
    QUESTIONS.put("effect", "effect:bench-0");
    QUESTIONS.put("rare_effect", "effect:bench-7");
    QUESTIONS.put("unknown_text", "nonsense");
    QUESTIONS.put("user", "user:user-7");
    QUESTIONS.put("tenant", "tenant:default");
    QUESTIONS.put("older", "age:>7d");
    QUESTIONS.put("younger", "age:<1h");
    QUESTIONS.put("several", "state:failed effect:bench-2 age:>1h");
  }

  @Override
  public String letter() {
    return "j";
  }

  @Override
  public String title() {
    return "Pages of the console's list of jobs";
  }

  @Override
  public void run(Site site, Sizes sizes, Sheet sheet) throws Exception {
    int jobs = sizes.finishedMany() / 2;
    try (Arena arena = site.arena(8);
        TempFolder folder = new TempFolder(site);
        ServerProcess server = ServerProcess.start(arena, folder.path(), Map.of())) {
      fill(arena, server, jobs);
      Visitor visitor = Visitor.signedIn(server);
      String deep =
          site.read(
              arena.name(), "select id from job order by id desc offset " + jobs / 2 + " limit 1");
      for (int i = 0; i < WARM_UP; i++) {
        for (String question : QUESTIONS.values()) {
          visitor.get("/console/jobs?q=" + encoded(question));
        }
      }
      double slowest = 0;
      for (Map.Entry<String, String> question : QUESTIONS.entrySet()) {
        String path = "/console/jobs?q=" + encoded(question.getValue());
        slowest = Math.max(slowest, measure(sheet, visitor, question.getKey(), path));
        slowest =
            Math.max(
                slowest,
                measure(sheet, visitor, question.getKey() + ".deep", path + "&before=" + deep));
      }
      String label = "slowest page with " + MeasureWords.count(jobs, "job") + ", p95";
      sheet.add("j.slowest.p95_ms", label, slowest, "ms");
    }
  }

  private static void fill(Arena arena, ServerProcess server, int jobs) throws Exception {
    Stock stock = arena.stock();
    try (Engine engine = arena.engine(BatchedEngine.MAX_BATCH)) {
      Filling.finished(engine, new Stock(stock.queues(), server.users()), ORIGINALS);
      arena.execute(
          "set synchronous_commit = off",
          past(
              Copies.columns(arena, "job", "quote_ident(a.attname)"),
              Copies.columns(arena, "job", VALUES),
              jobs));
      Filling.waiting(engine, server.users(), stock.queues(), Math.min(WAITING, jobs));
    }
    arena.execute("vacuum analyze", "checkpoint");
  }

  /**
   * Copies of a finished job over thirty days, the oldest first, as time would have made them. One
   * in twenty failed, and one in 17,000 used up its tries; three in four are of two effects, and
   * one in 5,000 of the rarest.
   */
  private static String past(String columns, String values, int jobs) {
    return """
    insert into job (%s)
    select %s
    from generate_series(%d, 1, -1) g
    cross join lateral (
        select interval '1 minute' + g * (interval '30 days' / %d.0) as age) as past
    cross join (
        select *
        from job
        where state = 'completed'
        limit 1) as t
    cross join lateral (
        select array_agg(id order by id) as ids
        from wallet
        where tenant_id = t.tenant_id) as w
    cross join (
        select array_agg(id order by slug) as ids
        from effect
        where slug like 'bench-%%') as e
    """
        .formatted(columns, values, jobs, jobs);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Asks a few times for nothing, then counts; the p95. */
  private static double measure(Sheet sheet, Visitor visitor, String key, String path)
      throws Exception {
    double[] millis = new double[TIMES];
    for (int i = -3; i < TIMES; i++) {
      long start = System.nanoTime();
      visitor.get(path);
      if (i >= 0) {
        millis[i] = (System.nanoTime() - start) / 1e6;
      }
    }
    Arrays.sort(millis);
    double p95 = millis[(int) Math.ceil(TIMES * 0.95) - 1];
    String label = path.replaceAll("before=.*", "before the middle");
    sheet.add("j." + key + ".p50_ms", label + " p50", millis[TIMES / 2], "ms");
    sheet.add("j." + key + ".p95_ms", label + " p95", p95, "ms");
    return p95;
  }

  /** Somebody with a browser. */
  private record Visitor(HttpClient http, URI server, String cookie) {

    static Visitor signedIn(ServerProcess server) throws IOException, InterruptedException {
      HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
      URI at = URI.create("http://127.0.0.1:" + server.port());
      String key = server.authorization().replaceFirst(".* ", "");
      HttpRequest request =
          HttpRequest.newBuilder(at.resolve("/console/sign-in"))
              .header("Content-Type", "application/x-www-form-urlencoded")
              .POST(BodyPublishers.ofString("key=" + encoded(key)))
              .build();
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      List<String> cookies = answer.headers().allValues("set-cookie");
      return new Visitor(http, at, cookies.getFirst().replaceFirst(";.*", ""));
    }

    void get(String path) throws IOException, InterruptedException {
      HttpRequest request =
          HttpRequest.newBuilder(server.resolve(path)).header("Cookie", cookie).build();
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      if (answer.statusCode() != 200 || !answer.body().contains("Filter by state")) {
        throw new IllegalStateException(path + " answered " + answer.statusCode());
      }
    }
  }
}
