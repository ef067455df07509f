package dev.millrace.postgres.store;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Share;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;

/**
 * What this node has seen committed and nobody takes away or changes as long as there is the
 * tenant, of whom nothing comes any more when it is removed: whose wallets are which, which tenants
 * have a place in which queues, and which wallets pay for the jobs that were leased here. Most who
 * submit have done so before, and for them nothing has to be made; most who report were given their
 * job here, and its wallet needn't be looked up.
 */
final class SeenRows {

  /** A few megabytes; of more rows those are forgotten that were not asked for lately. */
  private static final int MOST = 50_000;

  private final ConcurrentMap<Wallet.Owner, Long> wallets = bounded();
  private final ConcurrentMap<Share.Id, Boolean> shares = bounded();
  private final ConcurrentMap<JobId, Long> payers = bounded();

  private static <K, V> ConcurrentMap<K, V> bounded() {
    return Caffeine.newBuilder().maximumSize(MOST).<K, V>build().asMap();
  }

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

  Set<Share.Id> unknown(Set<Share.Id> keys) {
    Set<Share.Id> unknown = new HashSet<>(keys);
    unknown.removeIf(shares::containsKey);
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
    claimed.forEach(job -> payers.put(job.id(), job.terms().walletId()));
  }

  /** These are over, so that few ask for them again. */
  void forget(Collection<JobId> over) {
    over.forEach(payers::remove);
  }

  /** What a transaction found or made, after its commit. */
  void learn(Map<Wallet.Owner, Long> moreWallets, Set<Share.Id> moreShares) {
    wallets.putAll(moreWallets);
    moreShares.forEach(share -> shares.put(share, true));
  }

  /** After something known was not there: somebody exchanged the database behind our back. */
  void forget() {
    wallets.clear();
    shares.clear();
    payers.clear();
  }
}
