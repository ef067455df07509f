package dev.millrace.bench.scenario;

import dev.millrace.bench.http.HttpClient;
import dev.millrace.bench.http.HttpClient.Held;
import dev.millrace.bench.http.ServerProcess;
import dev.millrace.bench.load.Clients;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Workers of one queue that wait in long polls, and complete at once what they get. */
final class IdleFleet implements AutoCloseable {

  /** A job that reached a worker, and when. */
  record Arrival(String job, long nanos, Instant at) {}

  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
  private final Clients workers;
  private volatile boolean over;

  /**
   * Registers them and lets them poll.
   *
   * @param queue that no other fleet had: of a poll whose worker hung up, the server hears late
   */
  IdleFleet(ServerProcess server, int size, int queue) throws IOException {
    this.workers = Clients.workers(server, size, queue);
    for (int i = 0; i < workers.size(); i++) {
      HttpClient worker = workers.get(i);
      Thread.ofVirtual().start(() -> work(worker));
    }
  }

  private void work(HttpClient worker) {
    try {
      while (!over) {
        Held held = worker.poll();
        arrivals.add(new Arrival(held.job(), System.nanoTime(), Instant.now()));
        worker.complete(held);
      }
    } catch (IOException | RuntimeException e) {
      if (!over) {
        arrivals.add(new Arrival("none: " + e, 0, Instant.EPOCH));
      }
    }
  }

  /** Waits until this job has reached one of them. */
  Arrival await(String job) throws InterruptedException {
    @Nullable Arrival arrival = arrivals.poll(60, TimeUnit.SECONDS);
    if (arrival == null || !arrival.job().equals(job)) {
      throw new IllegalStateException("the job did not reach a worker, but " + arrival);
    }
    return arrival;
  }

  @Override
  public void close() throws IOException {
    over = true;
    workers.close();
  }
}
