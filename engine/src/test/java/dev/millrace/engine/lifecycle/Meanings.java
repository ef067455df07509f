package dev.millrace.engine.lifecycle;

/** One sentence for each word of the lifecycle; a new word does not compile without its own. */
final class Meanings {

  private Meanings() {}

  static String of(State state) {
    return switch (state) {
      case PENDING -> "Accepted and paid, but not claimable yet: it is delayed or backs off.";
      case QUEUED -> "Waiting for a worker that knows its workflow.";
      case RUNNING -> "Leased to a worker, which must send heartbeats.";
      case SUBMITTED ->
          "An outside provider accepted it, so it must never be submitted to one again.";
      case WAITING_REVIEW -> "Done, and held until a reviewer decides.";
      case CANCELING ->
          "Its owner wants it to stop, and whoever runs it has not confirmed that yet.";
      case COMPLETED -> "Done: it has at least one stored, verified output.";
      case FAILED -> "Ended by an error that another try cannot mend.";
      case DEAD_LETTER -> "Ended because its tries were used up.";
      case REJECTED -> "Ended by a safety filter, a policy or a reviewer.";
      case CANCELED -> "Ended because its owner or an administrator wanted it to.";
      case EXPIRED -> "Ended because a deadline passed.";
      case BLOCKED -> "Denied before it ran; nothing was ever held for it.";
    };
  }

  static String of(Trigger trigger) {
    return switch (trigger) {
      case SUBMIT -> "A client asks for a job.";
      case DUE -> "The time before which the job must not run has come.";
      case LEASE -> "A worker takes the job and begins an attempt.";
      case POLICY_RECHECK -> "A moderator's rule now forbids what has not started.";
      case PROVIDER_ACCEPTED -> "An outside provider answered with its own id for the job.";
      case SUBMIT_UNCONFIRMED ->
          "Nobody knows whether an outside provider took the job, so it is asked.";
      case REQUEUE -> "The worker has to stop through no fault of the job, such as a Spot notice.";
      case LEASE_LOST -> "The worker went silent, or is known to be gone.";
      case RETRYABLE_ERROR -> "The attempt failed in a way that another try may mend.";
      case PERMANENT_ERROR -> "The attempt failed in a way that no other try can mend.";
      case COMPLETE -> "The work is done and its outputs are verified.";
      case SAFETY_FILTER -> "A filter refused what the job asks for or what it made.";
      case APPROVE -> "A reviewer lets the result out.";
      case DECLINE -> "A reviewer keeps the result in.";
      case CANCEL -> "The owner or an administrator does not want the job any more.";
      case CANCEL_ACKNOWLEDGED -> "Whoever ran the job confirms that it stopped.";
      case GRACE_OVER -> "Nobody confirmed the stop in time, so it counts as confirmed.";
      case DEADLINE -> "The job stayed in its state for longer than it may.";
      case RETRY_IN_PLACE -> "An administrator gives the same job another life.";
    };
  }
}
