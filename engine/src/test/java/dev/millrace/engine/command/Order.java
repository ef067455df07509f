package dev.millrace.engine.command;

import dev.millrace.engine.money.Wallet;
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
            review,
            safetyRefund);
    return new SubmitJob(id, owner, terms, priority, key, fingerprint, runAt, "{}", null);
  }
}
