package dev.millrace.bench.load;

import dev.millrace.bench.http.HttpClient;
import dev.millrace.bench.http.ServerProcess;
import dev.millrace.bench.place.Stock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The connections of a measure. */
public final class Clients implements AutoCloseable {

  private static final String SECRET = "only-for-the-time-of-a-benchmark-0123456789";

  /** Lets as many workers register as a measure needs. */
  public static final Map<String, String> FLEET =
      Map.of("FLEET_SECRET", SECRET, "FLEET_MAX_WORKERS", "10000");

  private final List<HttpClient> all = new ArrayList<>();

  private Clients() {}

  /** Spread over the queues. */
  public static Clients connect(ServerProcess server, int count) throws IOException {
    Clients clients = new Clients();
    for (int i = 0; i < count; i++) {
      clients.all.add(new HttpClient(server, i % Stock.QUEUES));
    }
    return clients;
  }

  /** All workers of one queue, or spread over the queues if it is negative. */
  public static Clients workers(ServerProcess server, int count, int queue) throws IOException {
    Clients clients = new Clients();
    for (int i = 0; i < count; i++) {
      HttpClient client = new HttpClient(server, queue < 0 ? i % Stock.QUEUES : queue);
      clients.all.add(client);
      client.register("bench-" + UUID.randomUUID(), SECRET);
    }
    return clients;
  }

  public int size() {
    return all.size();
  }

  public HttpClient get(int number) {
    return all.get(number);
  }

  @Override
  public void close() throws IOException {
    for (HttpClient client : all) {
      client.close();
    }
  }
}
