package dev.millrace.engine.memory;

import static dev.millrace.engine.memory.BrokenLaw.require;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Share;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** What is always true of queues, keys and deadlines. */
final class QueueLaws {

  private final MemoryTables tables;

  QueueLaws(MemoryTables tables) {
    this.tables = tables;
  }

  /** A tenant's jobs line up one behind the other, each as long as it costs. */
  void checkShares() {
    Map<Share.Id, Long> ends = new HashMap<>();
    Map<Share.Id, Long> sums = new HashMap<>();
    for (Changes.NewJob row : tables.made.values()) {
      Job job = Objects.requireNonNull(tables.jobs.get(row.job().id()));
      Share.Id key = new Share.Id(job.terms().workflowId(), job.id().tenant());
      long place = Objects.requireNonNull(tables.places.get(row.job().id()));
      if (row.job().state() == State.BLOCKED || place == Share.NOWHERE) {
        continue;
      }
      long length = Math.max(1, row.job().hold().amount());
      ends.merge(key, place + length, Math::max);
      sums.merge(key, length, Long::sum);
    }
    ends.forEach((key, end) -> {
      long finish = tables.finishes.getOrDefault(key, 0L);
      require(
          tables.left.contains(key) ? finish >= end : finish == end,
          "a tenant's share ends with its newest job",
          key,
          finish,
          end);
      require(
          finish >= Objects.requireNonNull(sums.get(key)),
          "a tenant that floods a queue lines up behind itself",
          key,
          finish);
    });
  }

  /** What a provider called back ends somewhere. */
  void checkInbox() {
    for (Callback callback : tables.inbox.values()) {
      require(!callback.waiting(), "every callback comes to an end", callback);
    }
  }

  /** Right after a sweep of the reaper nothing is overdue. */
  void checkSwept(Instant now) {
    for (Job job : tables.jobs.values()) {
      Instant deadline = job.times().deadlineAt();
      require(deadline == null || deadline.isAfter(now), "no job outlives its deadline", job, now);
      require(
          job.lease() == null
              || job.state() == State.SUBMITTED
              || job.lease().expiresAt().isAfter(now),
          "no lease outlives its end",
          job,
          now);
      require(
          job.state() != State.PENDING || job.times().dueAt().isAfter(now),
          "a pending job is queued when it is due",
          job,
          now);
    }
  }
}
