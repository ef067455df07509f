package dev.millrace.bench.scenario;

import dev.millrace.bench.http.ServerProcess;
import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.load.TempFolder;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.Map;

/** (k) How long it takes to make a thousand tenants over HTTP, to list them and to search them. */
public final class ManyTenants implements Scenario {

  private static final int TENANTS = 1_000;
  private static final int TIMES = 50;
  private static final int WARM_UP = 5;

  @Override
  public String letter() {
    return "k";
  }

  @Override
  public String title() {
    return "A thousand tenants";
  }

  @Override
  public void run(Site site, Sizes sizes, Sheet sheet) throws Exception {
    try (Arena arena = site.arena(8);
        TempFolder folder = new TempFolder(site);
        ServerProcess server = ServerProcess.start(arena, folder.path(), Map.of())) {
      Operator operator = Operator.of(server);
      double[] made = new double[TENANTS];
      for (int number = 0; number < TENANTS; number++) {
        String body = "{\"slug\":\"t%04d\",\"name\":\"Number %d\"}".formatted(number, number);
        made[number] = operator.timed("POST", "/api/admin/tenants", body, 201);
      }
      add(sheet, "k.make", "one tenant after the other", made);
      for (Map.Entry<String, String> question :
          Map.of(
                  "first", "?limit=50",
                  "middle", "?limit=50&cursor=t0500",
                  "search", "?limit=50&search=number%2077",
                  "nothing", "?limit=50&search=nobody")
              .entrySet()) {
        double[] millis = new double[TIMES];
        for (int i = -WARM_UP; i < TIMES; i++) {
          double took = operator.timed("GET", "/api/admin/tenants" + question.getValue(), "", 200);
          if (i >= 0) {
            millis[i] = took;
          }
        }
        add(sheet, "k." + question.getKey(), "list " + question.getValue(), millis);
      }
    }
  }

  private static void add(Sheet sheet, String key, String label, double[] millis) {
    Arrays.sort(millis);
    sheet.add(key + ".p50_ms", label + " p50", millis[millis.length / 2], "ms");
    int last = (int) Math.ceil(millis.length * 0.95) - 1;
    sheet.add(key + ".p95_ms", label + " p95", millis[last], "ms");
  }

  /** Somebody with an operator's key. */
  private record Operator(HttpClient http, URI server, String bearer) {

    static Operator of(ServerProcess server) {
      return new Operator(
          HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(),
          URI.create("http://127.0.0.1:" + server.port()),
          "Bearer " + server.authorization().replaceFirst(".* ", ""));
    }

    double timed(String method, String path, String body, int expected)
        throws IOException, InterruptedException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(server.resolve(path))
              .header("Authorization", bearer)
              .method(
                  method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
      if (!body.isEmpty()) {
        request.header("Content-Type", "application/json");
      }
      long start = System.nanoTime();
      HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
      double millis = (System.nanoTime() - start) / 1e6;
      if (answer.statusCode() != expected) {
        throw new IllegalStateException(path + " answered " + answer.statusCode());
      }
      return millis;
    }
  }
}
