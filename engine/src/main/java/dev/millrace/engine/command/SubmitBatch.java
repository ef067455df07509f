package dev.millrace.engine.command;

import dev.millrace.engine.command.SubmitJob.Identity;
import dev.millrace.engine.command.SubmitJob.Result;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Usage;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Share;
import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.port.Transaction.KeyScope;
import dev.millrace.engine.port.Transaction.KeyUse;
import dev.millrace.engine.port.Transaction.Recent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides a batch of submits. The wallet's lock also makes its user's keys and counts steady. */
public final class SubmitBatch implements Batch<SubmitJob, Result> {

  @Override
  public Decided<Result> decide(Transaction tx, List<SubmitJob> commands) {
    Set<Wallet.Owner> owners = new HashSet<>();
    commands.forEach(command -> owners.add(command.owner()));
    Desk desk = Desk.open(tx, tx.lockWallets(owners), commands);
    List<Result> results = new ArrayList<>(commands.size());
    for (SubmitJob command : commands) {
      results.add(desk.decide(command));
    }
    return new Decided<>(desk.set.changes(), results);
  }

  /** Everything that is locked and known for these submits. */
  static final class Desk {
    private final Map<Wallet.Owner, Wallet> wallets;
    private final Map<KeyScope, KeyUse> keys;
    private final Map<Recent, JobId> recent;
    private final WorkingSet set;
    private final Creation creation;

    private Desk(
        Map<Wallet.Owner, Wallet> wallets,
        Map<KeyScope, KeyUse> keys,
        Map<Recent, JobId> recent,
        Map<Share.Key, Share> shares,
        WorkingSet set) {
      this.wallets = wallets;
      this.keys = new HashMap<>(keys);
      this.recent = new HashMap<>(recent);
      this.set = set;
      this.creation = new Creation(set, shares);
    }

    static Desk open(Transaction tx, Map<Wallet.Owner, Wallet> wallets, List<SubmitJob> commands) {
      Set<KeyScope> keyScopes = new HashSet<>();
      Set<Recent> recentScopes = new HashSet<>();
      Set<Share.Key> shareKeys = new HashSet<>();
      for (SubmitJob command : commands) {
        long wallet = walletId(wallets, command.owner());
        KeyScope key = keyScope(wallet, command.identity());
        Recent same = recentScope(wallet, command.identity());
        if (key != null) {
          keyScopes.add(key);
        }
        if (same != null) {
          recentScopes.add(same);
        }
        shareKeys.add(Creation.shareKey(command));
      }
      Map<KeyScope, KeyUse> keys = keyScopes.isEmpty() ? Map.of() : tx.findKeys(keyScopes);
      Map<Recent, JobId> recent = recentScopes.isEmpty() ? Map.of() : tx.findRecent(recentScopes);
      Map<Share.Key, Share> shares = tx.lockShares(shareKeys);
      WorkingSet set = new WorkingSet(tx.now());
      wallets.values().forEach(set::know);
      return new Desk(wallets, keys, recent, shares, set);
    }

    WorkingSet set() {
      return set;
    }

    /** The refusals in their documented order; after the last one it must succeed. */
    Result decide(SubmitJob command) {
      long walletId = walletId(wallets, command.owner());
      Identity identity = command.identity();
      KeyScope scope = keyScope(walletId, identity);
      KeyUse use = scope == null ? null : keys.get(scope);
      if (use != null) {
        return use.fingerprint().equals(identity.fingerprint())
            ? new Result.Replayed(use.job())
            : new Result.KeyMismatch(use.job());
      }
      Recent same = recentScope(walletId, identity);
      JobId before = same == null ? null : recent.get(same);
      if (before != null) {
        return new Result.Replayed(before);
      }
      SubmitJob.Denial denial = command.denial();
      if (denial != null) {
        return new Result.Blocked(creation.block(command, walletId, denial), denial);
      }
      Result refusal = refusal(command, set.wallet(walletId));
      if (refusal != null) {
        return refusal;
      }
      Job job = creation.create(command, walletId);
      if (scope != null) {
        keys.put(scope, new KeyUse(job.id(), identity.fingerprint()));
      }
      if (same != null) {
        recent.put(same, job.id());
      }
      return new Result.Accepted(job);
    }

    private @Nullable Result refusal(SubmitJob command, Wallet wallet) {
      int active = wallet.usage().brokenActiveLimit(command.limits());
      if (active > 0) {
        return new Result.TooManyActive(active);
      }
      int daily = wallet.usage().brokenDailyLimit(command.limits(), set.now());
      if (daily > 0) {
        return new Result.QuotaUsedUp(daily, Usage.endOfDay(set.now()));
      }
      long cost = command.terms().cost();
      return wallet.covers(cost) ? null : new Result.InsufficientCredits(cost, wallet.balance());
    }

    private static long walletId(Map<Wallet.Owner, Wallet> wallets, Wallet.Owner owner) {
      Wallet wallet = wallets.get(owner);
      if (wallet == null) {
        throw new IllegalStateException("the store did not lock the wallet of " + owner);
      }
      return wallet.id();
    }

    private static @Nullable KeyScope keyScope(long walletId, Identity identity) {
      return identity.key() == null ? null : new KeyScope(walletId, identity.key());
    }

    private static @Nullable Recent recentScope(long walletId, Identity identity) {
      return identity.window() == null
          ? null
          : new Recent(walletId, identity.fingerprint(), identity.window());
    }
  }
}
