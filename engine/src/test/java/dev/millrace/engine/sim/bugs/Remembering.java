package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Share;
import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.sim.Delegate;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads and locks once, and answers from memory ever after. */
final class Remembering extends Delegate {

  private final Map<Wallet.Owner, Wallet> owners = new HashMap<>();
  private @Nullable Map<Long, Wallet> wallets;
  private @Nullable Map<KeyScope, KeyUse> keys;
  private @Nullable Map<Share.Id, Share> shares;
  private @Nullable Map<JobId, Job> jobs;
  private @Nullable Map<JobId, List<Item>> outputs;
  private @Nullable Map<Callback.Id, Callback> callbacks;
  private @Nullable Instant now;

  Remembering(Transaction inner) {
    super(inner);
  }

  @Override
  public Map<Wallet.Owner, Wallet> lockWallets(Set<Wallet.Owner> wanted) {
    if (owners.isEmpty()) {
      owners.putAll(super.lockWallets(wanted));
    }
    return owners;
  }

  @Override
  public Map<Long, Wallet> lockWalletsOf(Set<JobId> ids) {
    if (wallets == null) {
      wallets = super.lockWalletsOf(ids);
    }
    return Objects.requireNonNull(wallets);
  }

  @Override
  public Map<KeyScope, KeyUse> findKeys(Set<KeyScope> scopes) {
    if (keys == null) {
      keys = super.findKeys(scopes);
    }
    return Objects.requireNonNull(keys);
  }

  @Override
  public Map<Share.Id, Share> lockShares(Set<Share.Id> wanted) {
    if (shares == null) {
      shares = super.lockShares(wanted);
    }
    return Objects.requireNonNull(shares);
  }

  @Override
  public Map<JobId, Job> lockJobs(Set<JobId> ids) {
    if (jobs == null) {
      jobs = super.lockJobs(ids);
    }
    return Objects.requireNonNull(jobs);
  }

  @Override
  public Map<JobId, List<Item>> outputsOf(Set<JobId> ids) {
    if (outputs == null) {
      outputs = super.outputsOf(ids);
    }
    return Objects.requireNonNull(outputs);
  }

  @Override
  public Map<Callback.Id, Callback> lockCallbacks(Set<Callback.Id> ids) {
    if (callbacks == null) {
      callbacks = super.lockCallbacks(ids);
    }
    return Objects.requireNonNull(callbacks);
  }

  @Override
  public Instant now() {
    if (now == null) {
      now = super.now();
    }
    return Objects.requireNonNull(now);
  }
}
