package dev.millrace.engine.port;

import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;

/** Something that a transaction locks, and that somebody else may hold. */
public sealed interface Row {

  /** A user's wallet. */
  record OfWallet(Wallet.Owner owner) implements Row {}

  /** The wallet that pays for a job. */
  record OfPayer(JobId job) implements Row {}

  /** A tenant's place in a queue. */
  record OfShare(Share.Id share) implements Row {}

  /** A job, and its dispatch if it has one. */
  record OfJob(JobId job) implements Row {}

  /** What a provider called back. */
  record OfCallback(Callback.Id callback) implements Row {}

  /** An enrolled worker. */
  record OfWorker(String worker) implements Row {}

  /** What is counted against the caps of tenants and effects, where there are any. */
  record OfCaps() implements Row {}
}
