package dev.millrace.engine.sim;

import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.money.Wallet;
import java.time.Duration;
import java.util.List;

/** What is on offer, and to whom. */
public final class Catalogue {

  static final Duration LEASE = Duration.ofSeconds(30);

  public static final Timings TIMINGS =
      new Timings(
          LEASE,
          Duration.ofMinutes(10),
          Duration.ofSeconds(20),
          new Timings.Backoff(Duration.ofSeconds(2), Duration.ofMinutes(2)));

  public static final List<Integer> WORKFLOWS = List.of(1, 2, 3);

  static final List<SubmitJob.Terms> EFFECTS =
      List.of(
          new SubmitJob.Terms(1, 1, 5, 2, 2, 60, 200, false, false),
          new SubmitJob.Terms(2, 1, 0, 1, 3, 45, 100, false, true),
          new SubmitJob.Terms(3, 2, 12, 3, 1, 120, 600, true, false),
          new SubmitJob.Terms(4, 2, 7, 2, 2, 60, 300, false, true),
          new SubmitJob.Terms(5, 3, 20, 3, 3, 90, 400, false, false),
          new SubmitJob.Terms(6, 3, 3, 1, 1, 60, 150, true, true));

  /** Two tenants, and one name that both of them know. */
  public static final List<Wallet.Owner> OWNERS =
      List.of(
          new Wallet.Owner(1, "ada"),
          new Wallet.Owner(1, "bob"),
          new Wallet.Owner(2, "ada"),
          new Wallet.Owner(2, "eve"));

  private Catalogue() {}
}
