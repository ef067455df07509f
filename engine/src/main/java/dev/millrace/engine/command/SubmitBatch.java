package dev.millrace.engine.command;

import dev.millrace.engine.command.SubmitJob.Result;
import dev.millrace.engine.job.Facts;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.job.Times;
import dev.millrace.engine.job.Tries;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Share;
import dev.millrace.engine.port.Transaction;
import dev.millrace.engine.port.Transaction.KeyScope;
import dev.millrace.engine.port.Transaction.KeyUse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides a batch of submits. The wallet's lock also makes its user's keys steady. */
public final class SubmitBatch implements Batch<SubmitJob, Result> {

  @Override
  public Decided<Result> decide(Transaction tx, List<SubmitJob> commands) {
    Set<Wallet.Owner> owners = new HashSet<>();
    Set<Share.Key> shareKeys = new HashSet<>();
    for (SubmitJob command : commands) {
      owners.add(command.owner());
      shareKeys.add(shareKey(command));
    }
    Map<Wallet.Owner, Wallet> wallets = tx.lockWallets(owners);
    Map<KeyScope, KeyUse> keys = new HashMap<>(tx.findKeys(keyScopes(commands, wallets)));
    Map<Share.Key, Share> shares = new HashMap<>(tx.lockShares(shareKeys));
    WorkingSet set = new WorkingSet(tx.now());
    wallets.values().forEach(set::know);
    List<Result> results = new ArrayList<>(commands.size());
    for (SubmitJob command : commands) {
      long walletId = required(wallets, command.owner()).id();
      results.add(decide(set, command, walletId, keys, shares));
    }
    return new Decided<>(set.changes(), results);
  }

  /** The refusals in their documented order; after the last one it must succeed. */
  private static Result decide(
      WorkingSet set,
      SubmitJob command,
      long walletId,
      Map<KeyScope, KeyUse> keys,
      Map<Share.Key, Share> shares) {
    @Nullable KeyScope scope = command.key() == null ? null : new KeyScope(walletId, command.key());
    @Nullable KeyUse use = scope == null ? null : keys.get(scope);
    if (use != null) {
      return use.fingerprint().equals(command.fingerprint())
          ? new Result.Replayed(use.job())
          : new Result.KeyMismatch(use.job());
    }
    long cost = command.terms().cost();
    Wallet wallet = set.wallet(walletId);
    if (!wallet.covers(cost)) {
      return new Result.InsufficientCredits(cost, wallet.balance());
    }
    Share share = required(shares, shareKey(command));
    Job draft = draft(command, walletId, set.now());
    Job job =
        set.create(
            draft,
            cost,
            new Changes.NewJob(
                draft,
                share.start(),
                command.input(),
                command.key(),
                command.fingerprint(),
                command.retryOf()));
    Share after = share.after(cost);
    shares.put(share.key(), after);
    set.share(after);
    if (scope != null) {
      keys.put(scope, new KeyUse(job.id(), command.fingerprint()));
    }
    return new Result.Accepted(job);
  }

  private static Job draft(SubmitJob command, long walletId, Instant now) {
    SubmitJob.Terms terms = command.terms();
    Instant dueAt =
        command.runAt() == null || command.runAt().isBefore(now) ? now : command.runAt();
    boolean delayed = dueAt.isAfter(now);
    return new Job(
        command.jobId(),
        new Facts(
            walletId,
            terms.effectId(),
            terms.workflowId(),
            command.priority(),
            terms.runSeconds(),
            terms.queueSeconds(),
            terms.review(),
            terms.safetyRefund()),
        delayed ? State.PENDING : State.QUEUED,
        0,
        new Progress(0, null, delayed ? "Scheduled" : "Waiting for a worker"),
        Summary.EMPTY,
        Tries.none(terms.maxFailures(), terms.maxInterruptions()),
        Hold.NONE,
        new Times(now, dueAt, null, null, dueAt.plusSeconds(terms.queueSeconds()), now),
        null,
        null);
  }

  private static Set<KeyScope> keyScopes(
      List<SubmitJob> commands, Map<Wallet.Owner, Wallet> wallets) {
    Set<KeyScope> scopes = new HashSet<>();
    for (SubmitJob command : commands) {
      if (command.key() != null) {
        scopes.add(new KeyScope(required(wallets, command.owner()).id(), command.key()));
      }
    }
    return scopes;
  }

  private static Share.Key shareKey(SubmitJob command) {
    return new Share.Key(command.terms().workflowId(), command.owner().tenant());
  }

  private static <K, V> V required(Map<K, V> map, K key) {
    V value = map.get(key);
    if (value == null) {
      throw new IllegalStateException("the store did not lock " + key);
    }
    return value;
  }
}
