package dev.millrace.engine.command;

import dev.millrace.engine.command.SubmitJob.Identity;
import dev.millrace.engine.command.SubmitJob.Result;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Row;
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
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides a batch of submits. The wallet's lock also makes its user's keys and counts steady. */
public final class SubmitBatch implements CommandBatch<SubmitJob, Result> {

  @Override
  public Decided<Result> decide(Transaction tx, List<SubmitJob> commands) {
    Desk desk = Desk.open(tx, commands);
    List<Result> results = new ArrayList<>(commands.size());
    for (SubmitJob command : commands) {
      results.add(desk.decide(command));
    }
    return new Decided<>(desk.set.changes(), results);
  }

  @Override
  public Set<Row> needs(SubmitJob command) {
    return Set.of(new Row.OfWallet(command.owner()), new Row.OfShare(Creation.shareKey(command)));
  }

  /** Everything that is locked and known for these submits. */
  static final class Desk {
    private final Map<Wallet.Owner, Wallet> wallets;
    private final Map<KeyScope, KeyUse> keys;
    private final Map<Recent, JobId> recent;
    private final WorkingSet set;
    private final Creation creation;

    private Desk(Transaction.Opened opened, WorkingSet set) {
      this.wallets = opened.wallets();
      this.keys = new HashMap<>(opened.keys());
      this.recent = new HashMap<>(opened.recent());
      this.set = set;
      this.creation = new Creation(set, opened.shares());
    }

    static Desk open(Transaction tx, List<SubmitJob> commands) {
      Set<Wallet.Owner> owners = new HashSet<>();
      Set<KeyScope> keys = new HashSet<>();
      Set<Recent> recents = new HashSet<>();
      Set<Share.Id> shares = new HashSet<>();
      for (SubmitJob command : commands) {
        owners.add(command.owner());
        KeyScope key = keyScope(command.owner(), command.identity());
        Recent same = recentScope(command.owner(), command.identity());
        if (key != null) {
          keys.add(key);
        }
        if (same != null) {
          recents.add(same);
        }
        shares.add(Creation.shareKey(command));
      }
      Transaction.Opened opened = tx.open(new Transaction.Opening(owners, keys, recents, shares));
      WorkingSet set = new WorkingSet(tx.now());
      opened.wallets().values().forEach(set::know);
      return new Desk(opened, set);
    }

    Wallet wallet(Wallet.Owner owner) {
      return Objects.requireNonNull(wallets.get(owner), "a wallet that was not locked");
    }

    WorkingSet set() {
      return set;
    }

    /** The refusals in their documented order; after the last one it must succeed. */
    Result decide(SubmitJob command) {
      long walletId = wallet(command.owner()).id();
      Identity identity = command.identity();
      KeyScope scope = keyScope(command.owner(), identity);
      KeyUse use = scope == null ? null : keys.get(scope);
      if (use != null) {
        return use.fingerprint().equals(identity.fingerprint())
            ? new Result.Replayed(use.job())
            : new Result.KeyMismatch(use.job());
      }
      Recent same = recentScope(command.owner(), identity);
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
        return new Result.QuotaUsedUp(daily, QuotaUse.endOfDay(set.now()));
      }
      long storage = wallet.usage().brokenStorageLimit(command.limits());
      if (storage > 0) {
        return new Result.StorageFull(wallet.usage().stored(), storage);
      }
      long cost = command.terms().cost();
      return wallet.covers(cost) ? null : new Result.InsufficientCredits(cost, wallet.balance());
    }

    private static @Nullable KeyScope keyScope(Wallet.Owner owner, Identity identity) {
      return identity.key() == null ? null : new KeyScope(owner, identity.key());
    }

    private static @Nullable Recent recentScope(Wallet.Owner owner, Identity identity) {
      return identity.window() == null
          ? null
          : new Recent(owner, identity.fingerprint(), identity.window());
    }
  }
}
