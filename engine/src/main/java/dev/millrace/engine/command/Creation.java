package dev.millrace.engine.command;

import dev.millrace.engine.job.AfterEnd;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Times;
import dev.millrace.engine.job.Tries;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Share;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes jobs, once nothing speaks against them, and gives them their place in the queue. */
final class Creation {

  private final WorkingSet set;
  private final Map<Share.Id, Share> shares;

  Creation(WorkingSet set, Map<Share.Id, Share> shares) {
    this.set = set;
    this.shares = new HashMap<>(shares);
  }

  static Share.Id shareKey(SubmitJob command) {
    return new Share.Id(command.terms().workflowId(), command.owner().tenant());
  }

  /** A paid job. The caller has made sure that the wallet covers it. */
  Job create(SubmitJob command, long walletId) {
    Instant now = set.now();
    Instant dueAt =
        command.runAt() == null || command.runAt().isBefore(now) ? now : command.runAt();
    boolean delayed = dueAt.isAfter(now);
    Job draft =
        draft(
            command,
            walletId,
            delayed ? State.PENDING : State.QUEUED,
            delayed ? "Scheduled" : "Waiting for a worker",
            new Times(
                now, dueAt, null, null, dueAt.plusSeconds(command.terms().queueSeconds()), now),
            null);
    // A place is for those who wait. One that was given now would be far in front by then.
    long start = delayed ? Share.NOWHERE : place(shareKey(command), command.terms().cost());
    return set.create(
        draft, command.terms().cost(), rest(draft, command, start, command.identity().key()));
  }

  /** A job that a gate denied: over before it began, without a hold, and its key stays free. */
  Job block(SubmitJob command, long walletId, SubmitJob.Denial denial) {
    Instant now = set.now();
    Job draft =
        draft(
            command,
            walletId,
            State.BLOCKED,
            denial.message(),
            new Times(now, now, null, now, null, now),
            new Failure(denial.category(), denial.message()));
    return set.create(draft, 0, rest(draft, command, 0, null));
  }

  /** The next place in its queue for a job that is there already. */
  long place(Job job) {
    return place(new Share.Id(job.terms().workflowId(), job.id().tenant()), job.hold().amount());
  }

  /** The tenant's next place in a queue, which is then taken. */
  long place(Share.Id key, long cost) {
    Share share = shares.get(key);
    if (share == null) {
      throw new IllegalStateException("the store did not lock " + key);
    }
    Share after = share.after(cost);
    shares.put(key, after);
    set.share(after);
    return share.start();
  }

  private static Changes.NewJob rest(
      Job draft, SubmitJob command, long virtualStart, @Nullable String key) {
    return new Changes.NewJob(
        draft,
        virtualStart,
        command.input(),
        key,
        command.identity().fingerprint(),
        command.links());
  }

  private static Job draft(
      SubmitJob command,
      long walletId,
      State state,
      String message,
      Times times,
      @Nullable Failure failure) {
    SubmitJob.Terms terms = command.terms();
    return new Job(
        command.jobId(),
        new JobTerms(
            walletId,
            terms.effectId(),
            terms.workflowId(),
            command.priority(),
            terms.runSeconds(),
            terms.queueSeconds(),
            terms.rules()),
        state,
        new Job.History(0, new Progress(0, null, message), command.summary()),
        new Job.Work(Tries.none(terms.maxFailures(), terms.maxInterruptions()), null, 0),
        Hold.NONE,
        times,
        new Job.Ending(failure, AfterEnd.NONE));
  }
}
