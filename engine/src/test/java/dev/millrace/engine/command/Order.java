package dev.millrace.engine.command;

import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.money.Price;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A submit in the making, with something sensible wherever a test says nothing. */
final class Order {

  static final long COST = 10;
  static final int RUN_SECONDS = 300;
  static final int QUEUE_SECONDS = 600;

  private Wallet.Owner owner = Bench.ADA;
  private long cost = COST;
  private int workflow = 1;
  private int priority;
  private @Nullable String key;
  private String fingerprint = "f1";
  private @Nullable Instant runAt;
  private boolean review;
  private boolean safetyRefund;
  private boolean declineConsumes;
  private Price price = new Price(Price.Unit.OUTPUT, Bench.CHARGE);
  private @Nullable Duration window;
  private QuotaUse.Limits limits = QuotaUse.Limits.UNSET;
  private SubmitJob.@Nullable Denial denial;
  private int maxFailures = 3;
  private int maxInterruptions = 10;

  Order by(Wallet.Owner who) {
    owner = who;
    return this;
  }

  Order cost(long credits) {
    cost = credits;
    return this;
  }

  Order workflow(int id) {
    workflow = id;
    return this;
  }

  Order priority(int level) {
    priority = level;
    return this;
  }

  Order key(String text, String print) {
    key = text;
    fingerprint = print;
    return this;
  }

  Order runAt(Instant time) {
    runAt = time;
    return this;
  }

  Order review(boolean asked) {
    review = asked;
    return this;
  }

  Order safetyRefund() {
    safetyRefund = true;
    return this;
  }

  Order declineConsumes() {
    declineConsumes = true;
    return this;
  }

  Order price(Price.Unit unit, long rate) {
    price = new Price(unit, rate);
    return this;
  }

  Order onceWithin(Duration time, String print) {
    window = time;
    fingerprint = print;
    return this;
  }

  Order limits(int active, int daily) {
    limits = new QuotaUse.Limits(active, daily);
    return this;
  }

  Order denied(String category) {
    denial = new SubmitJob.Denial(category, "Not here.");
    return this;
  }

  Order caps(int failures, int interruptions) {
    maxFailures = failures;
    maxInterruptions = interruptions;
    return this;
  }

  SubmitJob make(UUID id) {
    SubmitJob.Terms terms =
        new SubmitJob.Terms(
            1,
            workflow,
            cost,
            maxFailures,
            maxInterruptions,
            RUN_SECONDS,
            QUEUE_SECONDS,
            new JobTerms.Rules(review, safetyRefund, declineConsumes, price));
    return new SubmitJob(
        id,
        owner,
        terms,
        new SubmitJob.Identity(key, fingerprint, window),
        new SubmitJob.Request("{}", priority, runAt, Changes.Links.NONE),
        limits,
        denial);
  }
}
