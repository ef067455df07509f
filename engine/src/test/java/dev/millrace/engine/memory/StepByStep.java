package dev.millrace.engine.memory;

import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Share;
import dev.millrace.engine.port.Transaction;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * A transaction that does one thing after the other where others ask for all at once, so that the
 * world can break between any two of them.
 */
public interface StepByStep extends Transaction {

  /** Locks the wallets that pay for these jobs, in the order of their ids. */
  Map<Long, Wallet> lockWalletsOf(Set<JobId> jobs);

  /** The jobs that already use these keys. Steady only for wallets locked before. */
  Map<KeyScope, KeyUse> findKeys(Set<KeyScope> keys);

  /** The newest job that asks for the same. Steady only for wallets locked before. */
  Map<Recent, JobId> findRecent(Set<Recent> scopes);

  /** Locks each tenant's place in each queue, in order; makes those that do not exist yet. */
  Map<Share.Id, Share> lockShares(Set<Share.Id> keys);

  @Override
  default Opened open(Opening wanted) {
    return new Opened(
        lockWallets(wanted.owners()),
        wanted.keys().isEmpty() ? Map.of() : findKeys(wanted.keys()),
        wanted.recents().isEmpty() ? Map.of() : findRecent(wanted.recents()),
        lockShares(wanted.shares()));
  }

  /** Locks workers in the order of their names, and says how many more jobs each may hold. */
  Map<String, Integer> lockSlots(SortedSet<String> workers);

  /** How many jobs may run at once, and how many do. */
  Caps caps();

  @Override
  default Offered offer(SortedSet<String> workers, SortedMap<Integer, Integer> limits) {
    return new Offered(
        workers.isEmpty() ? Map.of() : lockSlots(workers), caps(), claim(limits, Full.NONE));
  }

  @Override
  default Held hold(Set<JobId> settled, Set<Share.Id> shares, Set<JobId> jobs) {
    return new Held(
        settled.isEmpty() ? Map.of() : lockWalletsOf(settled),
        shares.isEmpty() ? Map.of() : lockShares(shares),
        lockJobs(jobs));
  }
}
