package dev.millrace.engine.port;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One open transaction. Locks are asked for in the order of the methods here: wallets, shares,
 * jobs, callbacks. Workers are locked by who leases, and by nobody who holds anything else.
 * Claiming never waits for a lock.
 */
public interface Transaction {

  /**
   * All that submits need: locks the owners' wallets in the order of their ids, making those that
   * do not exist yet, looks up who used the keys and asked for the same, and locks each tenant's
   * place in each queue, in order, making those that do not exist yet.
   */
  Opened open(Opening wanted);

  /**
   * All that reports need: locks the wallets that pay for the settled jobs in the order of their
   * ids, the shares in order, and the jobs in the order of their ids. Jobs that do not exist are
   * missing in the answer.
   */
  Held hold(Set<JobId> settled, Set<Share.Id> shares, Set<JobId> jobs);

  /** Locks the owners' wallets in the order of their ids; makes those that do not exist yet. */
  Map<Wallet.Owner, Wallet> lockWallets(Set<Wallet.Owner> owners);

  /** What this wallet already booked with this key, if anything. Steady under its lock. */
  OptionalLong payment(long walletId, String key);

  /** Who used this key for a batch, if anybody. Steady under the wallet's lock. */
  Optional<BatchUse> findBatch(long walletId, String key);

  /** Locks jobs in the order of their ids. Jobs that do not exist are missing in the answer. */
  Map<JobId, Job> lockJobs(Set<JobId> ids);

  /** The outputs that these jobs' newest results have. Steady for jobs locked before. */
  Map<JobId, List<Item>> outputsOf(Set<JobId> ids);

  /** Locks callbacks in the order of their ids. Unknown ones are missing in the answer. */
  Map<Callback.Id, Callback> lockCallbacks(Set<Callback.Id> ids);

  /**
   * All that leases need: locks enrolled workers in the order of their names, reads the caps, and
   * claims jobs as if nothing were full. Where anything has a cap, whoever asks here waits until
   * nobody else who did has a transaction open, so that what is counted stays so.
   *
   * @param limits how many at most of each workflow
   */
  Offered offer(SortedSet<String> workers, SortedMap<Integer, Integer> limits);

  /**
   * Locks queued jobs that nobody else has locked, best first: by priority, then fairness, then
   * age. Jobs of a paused workflow or effect are left alone.
   *
   * @param limits how many at most of each workflow
   * @param full whose jobs to pass over
   */
  List<Claim> claim(SortedMap<Integer, Integer> limits, Full full);

  /**
   * Locks those of the rows that nobody else has locked, without waiting, and makes wallets and
   * shares that do not exist yet. What is locked here can be asked for again by the other methods,
   * which then don't wait either.
   *
   * @return the rows that exist and are held by somebody else
   */
  Set<Row> lockFree(Set<Row> rows);

  /** The store's clock, read now: after the locks were granted, not when the transaction began. */
  Instant now();

  /** Writes all of it. */
  void write(Changes changes);

  /**
   * What those who lease are told.
   *
   * @param slots how many more jobs each worker may hold; one that may not have any now is missing
   */
  record Offered(Map<String, Integer> slots, Caps caps, List<Claim> claims) {}

  /**
   * Caps on what runs at once, and what runs.
   *
   * @param perTenant for each tenant; 0 for any number
   * @param perEffect for each effect that has one
   */
  record Caps(
      int perTenant,
      Map<Integer, Integer> perEffect,
      Map<Integer, Integer> runningOfTenant,
      Map<Integer, Integer> runningOfEffect) {
    public static final Caps NONE = new Caps(0, Map.of(), Map.of(), Map.of());
  }

  /** Tenants and effects that have as many running jobs as they may have. */
  record Full(Set<Integer> tenants, Set<Integer> effects) {
    public static final Full NONE = new Full(Set.of(), Set.of());
  }

  /**
   * What submits need to know.
   *
   * @param recents requests that may have been made before
   */
  record Opening(
      Set<Wallet.Owner> owners, Set<KeyScope> keys, Set<Recent> recents, Set<Share.Id> shares) {}

  /**
   * What they are told.
   *
   * @param keys the jobs that already use them
   * @param recent the newest job that asks for the same within the window and was not deleted; jobs
   *     that failed, ran out of tries, expired, were canceled or blocked don't count
   */
  record Opened(
      Map<Wallet.Owner, Wallet> wallets,
      Map<KeyScope, KeyUse> keys,
      Map<Recent, JobId> recent,
      Map<Share.Id, Share> shares) {}

  /** What reports are told, all of it locked. */
  record Held(Map<Long, Wallet> wallets, Map<Share.Id, Share> shares, Map<JobId, Job> jobs) {}

  /**
   * An output of a result that is up for review.
   *
   * @param approved what a reviewer said of it; null while it is open
   */
  record Item(UUID id, @Nullable Boolean approved) {}

  /** An idempotency key of a user. */
  record KeyScope(Wallet.Owner owner, String key) {}

  /** A user's request, told by its fingerprint, and how far back to look for it. */
  record Recent(Wallet.Owner owner, String fingerprint, Duration window) {}

  /** Who used a batch's key, for what. */
  record BatchUse(UUID batch, String fingerprint) {}

  /** Who used a key, for what. */
  record KeyUse(JobId job, String fingerprint) {}

  /**
   * A queued job that this transaction holds.
   *
   * @param input the resolved input, a JSON text
   */
  record Claim(Job job, long virtualStart, String input) {}
}
