package dev.millrace.postgres.store;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Share;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this node has seen committed and nobody ever takes away or changes: whose wallets are which,
 * which tenants have a place in which queues, and which wallets pay for the jobs that were leased
 * here. Most who submit have done so before, and for them nothing has to be made; most who report
 * were given their job here, and its wallet needn't be looked up.
 */
final class SeenRows {

  /** A few megabytes; whoever has more users learns them anew. */
  private static final int MOST = 50_000;

  private final Map<Wallet.Owner, Long> wallets = new ConcurrentHashMap<>();
  private final Set<Share.Key> shares = ConcurrentHashMap.newKeySet();
  private final Map<JobId, Long> payers = new ConcurrentHashMap<>();

  /** Adds the ids of those who are known; returns the others. */
  Set<Wallet.Owner> strangers(Set<Wallet.Owner> owners, Map<Wallet.Owner, Long> ids) {
    Set<Wallet.Owner> strangers = new HashSet<>();
    for (Wallet.Owner owner : owners) {
      Long id = wallets.get(owner);
      if (id == null) {
        strangers.add(owner);
      } else {
        ids.put(owner, id);
      }
    }
    return strangers;
  }

  Set<Share.Key> unknown(Set<Share.Key> keys) {
    Set<Share.Key> unknown = new HashSet<>(keys);
    unknown.removeAll(shares);
    return unknown;
  }

  /** The wallets that pay for these jobs, or none if not all of them are known. */
  Set<Long> payersOf(Set<JobId> jobs) {
    Set<Long> ids = new HashSet<>();
    for (JobId job : jobs) {
      Long id = payers.get(job);
      if (id == null) {
        return Set.of();
      }
      ids.add(id);
    }
    return ids;
  }

  /** What a transaction read of jobs that it may have leased, after its commit. */
  void learn(Collection<Job> claimed) {
    if (payers.size() + claimed.size() > MOST) {
      payers.clear();
    }
    claimed.forEach(job -> payers.put(job.id(), job.terms().walletId()));
  }

  /** These are over, so that few ask for them again. */
  void forget(Collection<JobId> over) {
    over.forEach(payers::remove);
  }

  /** What a transaction found or made, after its commit. */
  void learn(Map<Wallet.Owner, Long> moreWallets, Set<Share.Key> moreShares) {
    if (wallets.size() + moreWallets.size() > MOST) {
      wallets.clear();
    }
    if (shares.size() + moreShares.size() > MOST) {
      shares.clear();
    }
    wallets.putAll(moreWallets);
    shares.addAll(moreShares);
  }

  /** After something known was not there: somebody exchanged the database behind our back. */
  void forget() {
    wallets.clear();
    shares.clear();
    payers.clear();
  }
}
