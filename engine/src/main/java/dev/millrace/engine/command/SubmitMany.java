package dev.millrace.engine.command;

import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Transaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks for many jobs of one user at once.
 *
 * @param id of the batch, made by the caller
 * @param key the user's idempotency key for the batch as a whole, or null
 * @param atomic whether one refusal refuses all
 */
public record SubmitMany(
    UUID id,
    Wallet.Owner owner,
    @Nullable String key,
    String fingerprint,
    boolean atomic,
    List<SubmitJob> jobs) {

  public static final int MOST_JOBS = 1000;

  public SubmitMany {
    jobs = List.copyOf(jobs);
    if (jobs.isEmpty() || jobs.size() > MOST_JOBS) {
      throw new IllegalArgumentException("a batch has 1 to " + MOST_JOBS + " jobs");
    }
    for (SubmitJob job : jobs) {
      if (!job.owner().equals(owner)) {
        throw new IllegalArgumentException("a batch is of one user");
      }
    }
  }

  /** How it ended. */
  public sealed interface Result {

    /**
     * Each job was decided.
     *
     * @param stored whether the batch exists now; false if nothing of it was accepted
     * @param results one for each job, in their order
     */
    record Decided(UUID batch, boolean stored, List<SubmitJob.Result> results) implements Result {}

    /** The key was used before, for the same batch. Nothing was charged. */
    record Replayed(UUID batch) implements Result {}

    /** The key was used before, for another batch. */
    record KeyMismatch(UUID batch) implements Result {}
  }

  /** A batch is a transaction of its own, however many jobs it has. */
  public static final class Booking implements CommandBatch<SubmitMany, Result> {

    @Override
    public Decided<Result> decide(Transaction tx, List<SubmitMany> commands) {
      SubmitMany command = commands.getFirst();
      SubmitBatch.Desk desk = SubmitBatch.Desk.open(tx, command.jobs);
      Wallet wallet = desk.wallet(command.owner);
      Optional<Transaction.BatchUse> use =
          Optional.ofNullable(command.key).flatMap(key -> tx.findBatch(wallet.id(), key));
      if (use.isPresent()) {
        Transaction.BatchUse before = use.get();
        return nothing(
            tx,
            before.fingerprint().equals(command.fingerprint)
                ? new Result.Replayed(before.batch())
                : new Result.KeyMismatch(before.batch()));
      }
      return decide(tx, command, desk, wallet.id());
    }

    @Override
    public Set<Row> needs(SubmitMany command) {
      Set<Row> rows = new HashSet<>();
      rows.add(new Row.OfWallet(command.owner));
      command.jobs.forEach(job -> rows.add(new Row.OfShare(Creation.shareKey(job))));
      return rows;
    }

    private static Decided<Result> decide(
        Transaction tx, SubmitMany command, SubmitBatch.Desk desk, long walletId) {
      List<SubmitJob.Result> results = new ArrayList<>(command.jobs.size());
      for (SubmitJob job : command.jobs) {
        results.add(desk.decide(job.in(command.id)));
      }
      boolean refused = !results.stream().allMatch(Booking::granted);
      if (command.atomic && refused) {
        List<SubmitJob.Result> told =
            results.stream()
                .map(result -> granted(result) ? new SubmitJob.Result.Withheld() : result)
                .toList();
        return nothing(tx, new Result.Decided(command.id, false, told));
      }
      boolean stored = results.stream().anyMatch(Booking::stored);
      if (stored) {
        desk.set()
            .add(
                new Changes.NewBatch(
                    command.owner.tenant(),
                    command.id,
                    walletId,
                    command.key,
                    command.fingerprint,
                    command.atomic,
                    command.jobs.size(),
                    command.jobs.getFirst().links().labels().workspace()));
      }
      return new Decided<>(
          desk.set().changes(), List.of(new Result.Decided(command.id, stored, results)));
    }

    private static boolean granted(SubmitJob.Result result) {
      return result instanceof SubmitJob.Result.Accepted
          || result instanceof SubmitJob.Result.Replayed;
    }

    private static boolean stored(SubmitJob.Result result) {
      return result instanceof SubmitJob.Result.Accepted
          || result instanceof SubmitJob.Result.Blocked;
    }

    private static Decided<Result> nothing(Transaction tx, Result result) {
      return new Decided<>(new WorkingSet(tx.now()).changes(), List.of(result));
    }
  }
}
