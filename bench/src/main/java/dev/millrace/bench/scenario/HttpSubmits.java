package dev.millrace.bench.scenario;

import dev.millrace.bench.http.HttpClient;
import dev.millrace.bench.http.ServerProcess;
import dev.millrace.bench.load.Clients;
import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.load.Soundness;
import dev.millrace.bench.load.TempFolder;
import dev.millrace.bench.measure.Load;
import dev.millrace.bench.measure.MeasureWords;
import dev.millrace.bench.measure.Measured;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import java.util.List;

/** (a) Durable single submits over HTTP, which is what the peers are compared with. */
public final class HttpSubmits implements Scenario {

  private static final List<Integer> CALLERS = List.of(1, 32);

  @Override
  public String letter() {
    return "a";
  }

  @Override
  public String title() {
    return "Durable submits over HTTP";
  }

  @Override
  public void run(Site site, Sizes sizes, Sheet sheet) throws Exception {
    try (Arena arena = site.arena(8);
        TempFolder folder = new TempFolder(site);
        ServerProcess server = ServerProcess.start(arena, folder.path(), Clients.FLEET)) {
      ServerWarmUp.run(server, sizes);
      for (int callers : CALLERS) {
        Measured measured = measure(server, callers, sizes);
        String label = "submits over HTTP, " + MeasureWords.count(callers, "caller");
        sheet.add("a.submit." + callers, label, measured, "submits/s");
      }
      Soundness.require(arena, sheet);
    }
  }

  private static Measured measure(ServerProcess server, int callers, Sizes sizes) throws Exception {
    try (Clients clients = Clients.connect(server, sizes.callers(callers))) {
      return Load.run(
          clients.size(),
          sizes.span(),
          i -> {
            HttpClient client = clients.get(i);
            return meter -> {
              meter.time("call", client::submit);
              meter.done();
            };
          });
    }
  }
}
