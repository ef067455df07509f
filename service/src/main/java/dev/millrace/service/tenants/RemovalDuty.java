package dev.millrace.service.tenants;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.files.DeletedFiles.Deleted;
import dev.millrace.postgres.removal.RemovalSteps;
import dev.millrace.postgres.removal.Removals;
import dev.millrace.postgres.removal.Removals.Leaving;
import dev.millrace.postgres.removal.WholeTenant;
import dev.millrace.service.duties.Duty;
import dev.millrace.service.jobs.ParallelCalls;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes tenants, in steps that are small and look for themselves what is left: any node may take
 * the next one, at any time, and several at once do no harm. First nobody can come in any more and
 * live jobs are canceled, which gives back what they hold; then objects go before the rows that
 * know them, and jobs before the wallets that paid.
 */
public final class RemovalDuty implements Duty {

  /** A request that was let in just before the suspension is over by then. */
  public static final Duration QUIET = Duration.ofMinutes(2);

  private static final Logger LOG = LoggerFactory.getLogger(RemovalDuty.class);

  private static final int TENANTS = 20;
  private static final int JOBS = 100;
  private static final int WALLETS = 50;
  private static final int FILES = 200;
  private static final int ROWS = 2_000;

  /** The most steps for one tenant, before it is the next one's turn. */
  private static final int STEPS = 100;

  /** A signed address that somebody still had is no good any more after this. */
  private static final Duration LATE = ObjectStore.LONGEST_TTL.plusDays(1);

  private static final Duration LATE_PAUSE = Duration.ofHours(1);

  private final Removals removals;
  private final RemovalSteps steps;
  private final Engine engine;
  private final ObjectStore store;
  private final Duration quiet;
  private final InstantSource clock;
  private Instant swept;

  /** The usual one. */
  public static RemovalDuty of(WholeTenant whole, Engine engine, ObjectStore store) {
    return new RemovalDuty(whole, engine, store, QUIET, InstantSource.system());
  }

  RemovalDuty(
      WholeTenant whole, Engine engine, ObjectStore store, Duration quiet, InstantSource clock) {
    this.removals = whole.removals();
    this.steps = whole.steps();
    this.engine = engine;
    this.store = store;
    this.quiet = quiet;
    this.clock = clock;
    this.swept = clock.instant();
  }

  @Override
  public String name() {
    return "tenant-removal";
  }

  @Override
  public void run() throws InterruptedException {
    for (Leaving tenant : removals.open(quiet, TENANTS)) {
      try {
        getOn(tenant);
      } catch (ObjectStoreException e) {
        LOG.warn("The tenant {} could not be removed and will be tried again", tenant.slug(), e);
      }
    }
    sweepLate();
  }

  private void getOn(Leaving tenant) throws InterruptedException {
    for (int taken = 0; taken < STEPS; taken++) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the rest is for the next start");
      }
      if (!step(tenant)) {
        return;
      }
    }
  }

  /** The next step; false if there is none now. */
  private boolean step(Leaving tenant) throws InterruptedException {
    int id = tenant.id();
    if (steps.shutOut(id, ROWS)) {
      return true;
    }
    List<UUID> live = steps.live(id, JOBS);
    if (!live.isEmpty()) {
      cancel(id, live);
      return true;
    }
    if (steps.anyLive(id)) {
      // Whoever works on it is told, and has some time to stop.
      return false;
    }
    List<UUID> jobs = steps.jobs(id, JOBS);
    if (!jobs.isEmpty()) {
      jobs.forEach(job -> store.deletePrefix(ObjectKeys.jobPrefix(tenant.slug(), job.toString())));
      return steps.forgetJobs(id, jobs) > 0;
    }
    List<Long> wallets = steps.wallets(id, WALLETS);
    if (!wallets.isEmpty()) {
      return ofWallets(id, wallets);
    }
    return steps.clear(id, ROWS) || end(tenant);
  }

  private void cancel(int tenant, List<UUID> jobs) throws InterruptedException {
    ParallelCalls.map(
        jobs, jobs.size(), job -> engine.report(new Report.Cancel(new JobId(tenant, job))));
  }

  private boolean ofWallets(int tenant, List<Long> wallets) {
    List<Deleted> files = steps.files(wallets, FILES);
    if (files.isEmpty()) {
      return steps.forgetWallets(wallets, ROWS) > 0;
    }
    for (Deleted file : files) {
      if (file.uploadId() != null) {
        store.parts().abort(file.key(), file.uploadId());
      }
      if (file.thumbnailKey() != null) {
        store.delete(file.thumbnailKey());
      }
      store.delete(file.key());
    }
    return steps.forgetFiles(tenant, files.stream().map(Deleted::id).toList()) > 0;
  }

  /** What no row knew goes too, such as what an attempt that was cut off had stored. */
  private boolean end(Leaving tenant) {
    store.deletePrefix(ObjectKeys.tenantPrefix(tenant.slug()));
    boolean ended = removals.finish(tenant.id());
    if (ended) {
      LOG.info("The tenant {} is removed", tenant.slug());
    }
    return !ended;
  }

  /** A worker that had a signed address may have stored something after its tenant had gone. */
  private void sweepLate() {
    Instant now = clock.instant();
    if (now.isBefore(swept.plus(LATE_PAUSE))) {
      return;
    }
    swept = now;
    for (Leaving tenant : removals.gone(LATE, ROWS)) {
      store.deletePrefix(ObjectKeys.tenantPrefix(tenant.slug()));
    }
  }
}
