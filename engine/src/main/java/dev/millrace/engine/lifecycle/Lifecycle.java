package dev.millrace.engine.lifecycle;

import static dev.millrace.engine.lifecycle.Actor.*;
import static dev.millrace.engine.lifecycle.MoneyEffect.*;
import static dev.millrace.engine.lifecycle.State.*;
import static dev.millrace.engine.lifecycle.Trigger.*;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The one table of how a job may move. */
public final class Lifecycle {

  /** A line of the table as people read it; it stands for an edge per (from, trigger, to). */
  public record Row(
      List<State> from,
      List<State> to,
      List<Trigger> triggers,
      String guard,
      MoneyEffect money,
      List<Actor> who) {

    /** An empty {@code from} means: the job is being made. */
    public boolean creates() {
      return from.isEmpty();
    }
  }

  private static final List<State> NOTHING = List.of();
  private static final List<State> ANY_LIVE =
      List.of(PENDING, QUEUED, RUNNING, SUBMITTED, WAITING_REVIEW, CANCELING);

  // spotless:off
  private static final List<Row> TABLE = List.of(
      row(NOTHING,                        on(QUEUED, PENDING), when(SUBMIT),               "gates pass, funds, key",                              RESERVE,                       by(CLIENT)),
      row(NOTHING,                        on(BLOCKED),         when(SUBMIT),               "a gate denies",                                       NONE,                          by(SYSTEM)),
      row(on(PENDING),                    on(QUEUED),          when(DUE),                  "run_at has come",                                     KEEP,                          by(SYSTEM)),
      row(on(PENDING, QUEUED),            on(RUNNING),         when(LEASE),                "worker approved, not draining, knows the workflow",   KEEP,                          by(WORKER)),
      row(on(QUEUED, PENDING),            on(REJECTED),        when(POLICY_RECHECK),       "not started",                                         REFUND,                        by(MODERATOR)),
      row(on(RUNNING),                    on(SUBMITTED),       when(PROVIDER_ACCEPTED),    "live lease, intent stored before the call",           KEEP,                          by(EXECUTOR)),
      row(on(RUNNING),                    on(SUBMITTED),       when(SUBMIT_UNCONFIRMED),   "live lease; a submit may have been accepted",         KEEP,                          by(EXECUTOR)),
      row(on(RUNNING),                    on(QUEUED),          when(REQUEUE, LEASE_LOST),  "interruptions below the cap",                         KEEP,                          by(WORKER, REAPER)),
      row(on(RUNNING, SUBMITTED),         on(PENDING),         when(RETRYABLE_ERROR),      "failures below the cap",                              KEEP,                          by(WORKER, COLLECTOR)),
      row(on(RUNNING, SUBMITTED),         on(DEAD_LETTER),     when(RETRYABLE_ERROR, LEASE_LOST), "failures or interruptions at the cap",         REFUND,                        by(WORKER, COLLECTOR, REAPER)),
      row(on(RUNNING),                    on(DEAD_LETTER),     when(REQUEUE),              "interruptions at the cap",                            REFUND,                        by(WORKER)),
      row(on(RUNNING, SUBMITTED),         on(FAILED),          when(PERMANENT_ERROR),      "",                                                    REFUND,                        by(WORKER, COLLECTOR)),
      row(on(RUNNING, SUBMITTED),         on(COMPLETED),       when(COMPLETE),             "at least one stored, verified output",                CONSUME,                       by(WORKER, COLLECTOR)),
      row(on(RUNNING, SUBMITTED),         on(WAITING_REVIEW),  when(COMPLETE),             "the effect asks for review",                          KEEP,                          by(WORKER, COLLECTOR)),
      row(on(RUNNING, SUBMITTED),         on(REJECTED),        when(SAFETY_FILTER),        "",                                                    CONSUME_UNLESS_EFFECT_REFUNDS, by(WORKER, COLLECTOR)),
      row(on(WAITING_REVIEW),             on(COMPLETED),       when(APPROVE),              "whole or item by item",                               CONSUME,                       by(REVIEWER)),
      row(on(WAITING_REVIEW),             on(REJECTED),        when(DECLINE),              "",                                                    REFUND_UNLESS_EFFECT_CONSUMES, by(REVIEWER)),
      row(on(PENDING, QUEUED, WAITING_REVIEW), on(CANCELED),   when(CANCEL),               "",                                                    REFUND,                        by(OWNER, ADMIN)),
      row(on(RUNNING, SUBMITTED),         on(CANCELING),       when(CANCEL),               "",                                                    KEEP,                          by(OWNER, ADMIN)),
      row(on(CANCELING),                  on(CANCELED),        when(CANCEL_ACKNOWLEDGED, GRACE_OVER), "lease fenced",                             REFUND_LESS_METERED_USE,       by(WORKER, COLLECTOR, REAPER)),
      row(on(CANCELING),                  on(COMPLETED),       when(COMPLETE),             "the result won the race; live lease",                 CONSUME,                       by(WORKER, COLLECTOR)),
      row(on(CANCELING),                  on(REJECTED),        when(SAFETY_FILTER),        "live lease",                                          CONSUME_UNLESS_EFFECT_REFUNDS, by(WORKER, COLLECTOR)),
      row(ANY_LIVE,                       on(EXPIRED),         when(DEADLINE),             "queue, run, callback or review deadline",             REFUND,                        by(REAPER)),
      row(on(FAILED, DEAD_LETTER, EXPIRED), on(PENDING),       when(RETRY_IN_PLACE),       "funds",                                               RESERVE,                       by(ADMIN)));
  // spotless:on

  private static final Set<State> RETRYABLE_AS_A_NEW_JOB =
      Collections.unmodifiableSet(EnumSet.of(FAILED, DEAD_LETTER, EXPIRED, CANCELED, REJECTED));

  private record Key(@Nullable State from, Trigger trigger, State to) {}

  private static final Map<Key, Edge> EDGES = expand();

  private Lifecycle() {}

  public static List<Row> table() {
    return TABLE;
  }

  public static List<Edge> edges() {
    return List.copyOf(EDGES.values());
  }

  /** The edge, if the table has it. */
  public static Optional<Edge> edge(@Nullable State from, Trigger trigger, State to) {
    return Optional.ofNullable(EDGES.get(new Key(from, trigger, to)));
  }

  /** Where a trigger leads, from wherever it may; the first of several in the table. */
  public static State target(Trigger trigger) {
    return TABLE.stream()
        .filter(row -> row.triggers().contains(trigger))
        .map(row -> row.to().getFirst())
        .findFirst()
        .orElseThrow();
  }

  /** Terminal states whose owner may ask for the same again, as a new job with {@code retry_of}. */
  public static Set<State> retryableAsANewJob() {
    return RETRYABLE_AS_A_NEW_JOB;
  }

  private static Map<Key, Edge> expand() {
    Map<Key, Edge> edges = new LinkedHashMap<>();
    for (Row row : TABLE) {
      List<@Nullable State> starts = new ArrayList<>(row.from());
      if (row.creates()) {
        starts.add(null);
      }
      for (State from : starts) {
        for (Trigger trigger : row.triggers()) {
          for (State to : row.to()) {
            Edge earlier =
                edges.put(new Key(from, trigger, to), new Edge(from, trigger, to, row.money()));
            if (earlier != null) {
              throw new IllegalStateException("the table has an edge twice: " + earlier);
            }
          }
        }
      }
    }
    return Collections.unmodifiableMap(edges);
  }

  private static Row row(
      List<State> from,
      List<State> to,
      List<Trigger> triggers,
      String guard,
      MoneyEffect money,
      List<Actor> who) {
    return new Row(from, to, triggers, Objects.requireNonNull(guard), money, who);
  }

  private static List<State> on(State... states) {
    return List.of(states);
  }

  private static List<Trigger> when(Trigger... triggers) {
    return List.of(triggers);
  }

  private static List<Actor> by(Actor... actors) {
    return List.of(actors);
  }
}
