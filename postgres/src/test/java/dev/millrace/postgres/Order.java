package dev.millrace.postgres;

import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.money.Price;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Says what is special about a submit; the rest is ordinary. */
public final class Order {

  private static final long FIRST_ID = 0x0198_0000_0000_7000L;
  private static final AtomicLong IDS = new AtomicLong(FIRST_ID);

  private final EngineRig rig;
  private UUID id = nextId();
  private Wallet.Owner owner;
  private String effect = "sketch";
  private long cost = 5;
  private int priority;
  private @Nullable String key;
  private String fingerprint = "f1";
  private @Nullable Instant runAt;
  private String input = "{\"prompt\": \"a rig\"}";
  private int maxFailures = 3;
  private int maxInterruptions = 10;
  private boolean review;
  private boolean safetyRefund;
  private boolean declineConsumes;
  private @Nullable Duration window;
  private QuotaUse.Limits limits = QuotaUse.Limits.UNSET;
  private SubmitJob.@Nullable Denial denial;

  Order(EngineRig rig) {
    this.rig = rig;
    this.owner = rig.user("ada");
  }

  /** Grows, as the ids of later jobs do. */
  static UUID nextId() {
    return new UUID(
        IDS.addAndGet(0x1_0000L),
        0x8000_0000_0000_0000L | (ThreadLocalRandom.current().nextLong() >>> 2));
  }

  /** As if it were made in this month of UTC, some time after those made before. */
  public Order in(YearMonth month) {
    long start = month.atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
    long sinceFirst = (nextId().getMostSignificantBits() - FIRST_ID) >>> 16;
    this.id = new UUID((start + sinceFirst) << 16 | 0x7000L, nextId().getLeastSignificantBits());
    return this;
  }

  /** With this very id. */
  public Order id(UUID other) {
    this.id = other;
    return this;
  }

  public Order by(Wallet.Owner other) {
    this.owner = other;
    return this;
  }

  public Order effect(String other) {
    this.effect = other;
    return this;
  }

  public Order cost(long other) {
    this.cost = other;
    return this;
  }

  public Order priority(int other) {
    this.priority = other;
    return this;
  }

  public Order key(String otherKey, String otherFingerprint) {
    this.key = otherKey;
    this.fingerprint = otherFingerprint;
    return this;
  }

  public Order runAt(Instant other) {
    this.runAt = other;
    return this;
  }

  public Order input(String other) {
    this.input = other;
    return this;
  }

  public Order most(int failures, int interruptions) {
    this.maxFailures = failures;
    this.maxInterruptions = interruptions;
    return this;
  }

  public Order reviewed() {
    this.review = true;
    return this;
  }

  public Order refundedWhenUnsafe() {
    this.safetyRefund = true;
    return this;
  }

  public Order consumedWhenDeclined() {
    this.declineConsumes = true;
    return this;
  }

  /** The same request within this time is the same job. */
  public Order onceWithin(Duration time, String otherFingerprint) {
    this.window = time;
    this.fingerprint = otherFingerprint;
    return this;
  }

  public Order limits(int active, int daily) {
    this.limits = new QuotaUse.Limits(active, daily);
    return this;
  }

  public Order denied(String category) {
    this.denial = new SubmitJob.Denial(category, "Not here.");
    return this;
  }

  public SubmitJob build() {
    return new SubmitJob(
        id,
        owner,
        new SubmitJob.Terms(
            rig.effect(effect),
            rig.workflow(effect),
            cost,
            maxFailures,
            maxInterruptions,
            600,
            3600,
            new JobTerms.Rules(
                review, safetyRefund, declineConsumes, new Price(Price.Unit.OUTPUT, 1))),
        new SubmitJob.Identity(key, fingerprint, window),
        new SubmitJob.Request(input, priority, runAt, Changes.Links.NONE),
        limits,
        denial);
  }
}
