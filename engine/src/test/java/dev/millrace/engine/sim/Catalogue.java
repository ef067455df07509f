package dev.millrace.engine.sim;

import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.money.Price;
import dev.millrace.engine.money.Wallet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is on offer, and to whom. */
public final class Catalogue {

  static final Duration LEASE = Duration.ofSeconds(30);

  public static final Timings TIMINGS =
      new Timings(
          LEASE,
          Duration.ofSeconds(100),
          Duration.ofMinutes(10),
          Duration.ofSeconds(20),
          new Timings.Backoff(Duration.ofSeconds(2), Duration.ofMinutes(2)));

  public static final List<Integer> WORKFLOWS = List.of(1, 2, 3);

  /** The workflow whose work is done by an outside provider. */
  static final int OUTSIDE = 3;

  private static final Price PER_OUTPUT = new Price(Price.Unit.OUTPUT, 4);
  private static final Price PER_SECOND = new Price(Price.Unit.SECOND, 1);

  public static final List<SubmitJob.Terms> EFFECTS =
      List.of(
          new SubmitJob.Terms(1, 1, 5, 2, 2, 60, 200, JobTerms.Rules.USUAL),
          new SubmitJob.Terms(2, 1, 0, 1, 3, 45, 100, rules(false, true, false, null)),
          new SubmitJob.Terms(3, 2, 12, 3, 1, 120, 600, rules(true, false, false, PER_OUTPUT)),
          new SubmitJob.Terms(4, 2, 7, 2, 2, 60, 300, rules(false, true, false, PER_SECOND)),
          new SubmitJob.Terms(5, 3, 20, 3, 3, 90, 400, rules(false, false, false, PER_OUTPUT)),
          new SubmitJob.Terms(6, 3, 3, 1, 1, 60, 150, rules(true, true, true, PER_SECOND)),
          new SubmitJob.Terms(7, 3, 9, 2, 2, 60, 150, rules(true, false, true, null)));

  /** How many jobs of an effect may run at once, in a world that has caps. */
  static final Map<Integer, Integer> EFFECT_CAPS = Map.of(1, 1, 3, 2, 5, 1);

  /** How many of a tenant's, in such a world. */
  static final int TENANT_CAP = 3;

  /** These effects take the same request twice for one, even without a key. */
  static final Set<Integer> DEDUPLICATED = Set.of(2, 5);

  private static JobTerms.Rules rules(
      boolean review, boolean refund, boolean consumes, @Nullable Price price) {
    return new JobTerms.Rules(review, refund, consumes, price == null ? Price.OF_THE_JOB : price);
  }

  /** Two tenants, and one name that both of them know. */
  public static final List<Wallet.Owner> OWNERS =
      List.of(
          new Wallet.Owner(1, "ada"),
          new Wallet.Owner(1, "bob"),
          new Wallet.Owner(2, "ada"),
          new Wallet.Owner(2, "eve"));

  private Catalogue() {}
}
