package dev.millrace.bench.scenario;

import dev.millrace.bench.http.HttpClient;
import dev.millrace.bench.http.HttpClient.Held;
import dev.millrace.bench.http.ServerProcess;
import dev.millrace.bench.load.Clients;
import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.load.Soundness;
import dev.millrace.bench.load.TempFolder;
import dev.millrace.bench.measure.Load;
import dev.millrace.bench.measure.MeasureWords;
import dev.millrace.bench.measure.Measured;
import dev.millrace.bench.measure.Meter;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import java.io.IOException;
import java.util.List;

/** (a) The paid lifecycle over HTTP: submit, poll, heartbeat, complete. */
public final class HttpLifecycle implements Scenario {

  private static final List<Integer> CLIENTS = List.of(1, 32, 256);

  @Override
  public String letter() {
    return "a";
  }

  @Override
  public String title() {
    return "Paid lifecycle over HTTP";
  }

  @Override
  public void run(Site site, Sizes sizes, Sheet sheet) throws Exception {
    try (Arena arena = site.arena(8);
        TempFolder folder = new TempFolder(site);
        ServerProcess server = ServerProcess.start(arena, folder.path(), Clients.FLEET)) {
      ServerWarmUp.run(server, sizes);
      for (int count : CLIENTS) {
        Measured measured = measure(server, count, sizes);
        sheet.add("a." + count, "HTTP, " + MeasureWords.count(count, "client"), measured, "jobs/s");
      }
      Soundness.require(arena, sheet);
    }
  }

  static Measured measure(ServerProcess server, int count, Sizes sizes) throws Exception {
    try (Clients clients = Clients.workers(server, sizes.callers(count), -1)) {
      return Load.run(
          clients.size(),
          sizes.span(),
          i -> {
            HttpClient client = clients.get(i);
            return meter -> live(client, meter);
          });
    }
  }

  private static void live(HttpClient client, Meter meter) throws Exception {
    long start = System.nanoTime();
    meter.time("submit", client::submit);
    Held held = meter.time("lease", client::poll);
    meter.time("heartbeat", () -> beat(client, held));
    meter.time("complete", () -> complete(client, held));
    meter.took("lifecycle", System.nanoTime() - start);
    meter.done();
  }

  private static Held beat(HttpClient client, Held held) throws IOException {
    client.heartbeat(held);
    return held;
  }

  private static Held complete(HttpClient client, Held held) throws IOException {
    client.complete(held);
    return held;
  }
}
