package dev.millrace.bench.load;

import dev.millrace.bench.measure.Load;
import dev.millrace.bench.measure.Meter;
import dev.millrace.bench.place.Stock;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.money.Wallet;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A paid job from submit to completion: four calls, each durable when it is answered. A caller
 * leases some job of its queue, not necessarily the one that it submitted.
 */
public final class JobLoad implements Load.Caller {

  private final Works works;
  private final List<Wallet.Owner> users;
  private final Stock.Queue queue;
  private final LeaseJobs asking;

  public JobLoad(Works works, List<Wallet.Owner> users, List<Stock.Queue> queues, int caller) {
    this.works = works;
    this.users = users;
    this.queue = queues.get(caller % queues.size());
    this.asking = new LeaseJobs("worker-" + caller, List.of(queue.workflow()), 1);
  }

  @Override
  public void once(Meter meter) throws Exception {
    long start = System.nanoTime();
    Wallet.Owner user = users.get(ThreadLocalRandom.current().nextInt(users.size()));
    SubmitJob order = LoadOrders.of(user, queue);
    require(meter.time("submit", () -> works.submit(order)));
    Leased leased = meter.time("lease", this::lease);
    require(meter.time("heartbeat", () -> works.report(LoadOrders.heartbeat(leased))));
    require(meter.time("complete", () -> works.report(LoadOrders.complete(leased))));
    meter.took("lifecycle", System.nanoTime() - start);
    meter.done();
  }

  /** There is one for everybody who submitted one; it may be locked for a moment. */
  private Leased lease() throws InterruptedException {
    while (true) {
      List<Leased> leased = works.lease(asking);
      if (!leased.isEmpty()) {
        return leased.getFirst();
      }
    }
  }

  public static void require(SubmitJob.Result result) {
    if (!(result instanceof SubmitJob.Result.Accepted)) {
      throw new IllegalStateException("not accepted: " + result);
    }
  }

  public static void require(Report.Result result) {
    if (!(result instanceof Report.Result.Done)) {
      throw new IllegalStateException("not done: " + result);
    }
  }
}
