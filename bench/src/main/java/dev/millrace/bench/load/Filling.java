package dev.millrace.bench.load;

import dev.millrace.bench.measure.Meter;
import dev.millrace.bench.place.Stock;
import dev.millrace.engine.Engine;
import dev.millrace.engine.money.Wallet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Brings a database into the shape that a measure needs. */
public final class Filling {

  private static final int AT_ONCE = 512;

  private Filling() {}

  private interface Step {
    void run(int number) throws Exception;
  }

  /** Submits so many jobs, spread over users and queues. */
  public static void waiting(
      Engine engine, List<Wallet.Owner> users, List<Stock.Queue> queues, int jobs)
      throws Exception {
    each(
        jobs,
        i ->
            JobLoad.require(
                engine.submit(
                    LoadOrders.of(users.get(i % users.size()), queues.get(i % queues.size())))));
  }

  /** Lets so many jobs live to their end. */
  public static void finished(Engine engine, Stock stock, int jobs) throws Exception {
    Works works = Works.batched(engine);
    Meter nobodyLooks = new Meter();
    each(
        jobs,
        i -> new JobLoad(works, stock.users(), stock.queues(), i % AT_ONCE).once(nobodyLooks));
  }

  private static void each(int count, Step step) throws Exception {
    Semaphore free = new Semaphore(AT_ONCE);
    List<Future<?>> all = new ArrayList<>(count);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        int number = i;
        free.acquire();
        all.add(
            threads.submit(() -> {
              try {
                step.run(number);
              } finally {
                free.release();
              }
              return number;
            }));
      }
    }
    for (Future<?> one : all) {
      try {
        one.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("could not prepare the database", e.getCause());
      }
    }
  }
}
