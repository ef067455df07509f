package dev.millrace.engine.command;

import dev.millrace.engine.command.Callbacks.Reception;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The inbox for what providers call back. A callback is stored before it is answered, whether its
 * work is known yet or not; {@link Report.Deciding} applies it. What can't be applied any more is
 * judged here.
 */
public final class Callbacks implements CommandBatch<Callbacks.Command, Reception> {

  /** Something about a callback alone. */
  public sealed interface Command {
    Callback.Id callback();
  }

  /** It came in, again or for the first time. Its signature was verified before. */
  public record Receive(Callback.Id callback, String reference, @Nullable String intent)
      implements Command {
    /** For a call that names nothing of ours. */
    public Receive(Callback.Id callback, String reference) {
      this(callback, reference, null);
    }
  }

  /** Nobody knew its work for so long that nobody will. */
  public record GiveUp(Callback.Id callback, Duration patience) implements Command {}

  /**
   * The attempt that it speaks of seems to be over. Nothing happens to the job.
   *
   * @param token of that attempt's lease
   */
  public record JudgeLate(Callback.Id callback, JobId job, UUID token) implements Command {}

  /** What became of it. */
  public enum Reception {
    NEW,
    /** It was there before; nothing changed. */
    REPEATED,
    GIVEN_UP,
    /** Its attempt was over before it was looked at. */
    LATE,
    /** It is not time yet, its attempt is not over, or it was judged before. */
    KEPT
  }

  @Override
  public Decided<Reception> decide(Transaction tx, List<Command> commands) {
    Set<Callback.Id> ids = new TreeSet<>();
    Set<JobId> late = new HashSet<>();
    for (Command command : commands) {
      ids.add(command.callback());
      if (command instanceof JudgeLate judge) {
        late.add(judge.job);
      }
    }
    Map<JobId, Job> jobs = late.isEmpty() ? Map.of() : tx.lockJobs(late);
    Map<Callback.Id, Callback> known = tx.lockCallbacks(ids);
    WorkingSet set = new WorkingSet(tx.now());
    jobs.values().forEach(set::know);
    known.values().forEach(set::know);
    List<Reception> heard = new ArrayList<>(commands.size());
    for (Command command : commands) {
      heard.add(
          switch (command) {
            case Receive receive -> receive(set, receive);
            case GiveUp giveUp -> giveUp(set, giveUp);
            case JudgeLate judge -> judgeLate(set, judge);
          });
    }
    return new Decided<>(set.changes(), heard);
  }

  @Override
  public Set<Row> needs(Command command) {
    Row callback = new Row.OfCallback(command.callback());
    return command instanceof JudgeLate judge
        ? Set.of(callback, new Row.OfJob(judge.job))
        : Set.of(callback);
  }

  private static Reception receive(WorkingSet set, Receive receive) {
    boolean known = set.callback(receive.callback).isPresent();
    set.receive(
        new Callback(
            receive.callback,
            receive.reference,
            receive.intent,
            Callback.Verdict.WAITING,
            set.now()));
    return known ? Reception.REPEATED : Reception.NEW;
  }

  /** Rechecked under the lock: while the attempt's lease is alive, its result is to be fetched. */
  private static Reception judgeLate(WorkingSet set, JudgeLate judge) {
    Callback callback = set.callback(judge.callback).orElse(null);
    Job job = set.job(judge.job).orElse(null);
    if (callback == null
        || !callback.waiting()
        || (job != null && job.leasedBy(judge.token, set.now()))) {
      return Reception.KEPT;
    }
    set.judge(callback.as(Callback.Verdict.LATE), job == null ? null : job.id());
    return Reception.LATE;
  }

  /** Rechecked under the lock: its work may have become known. */
  private static Reception giveUp(WorkingSet set, GiveUp giveUp) {
    Callback callback = set.callback(giveUp.callback).orElse(null);
    if (callback == null
        || !callback.waiting()
        || set.now().isBefore(callback.receivedAt().plus(giveUp.patience))) {
      return Reception.KEPT;
    }
    set.judge(callback.as(Callback.Verdict.UNMATCHED), null);
    return Reception.GIVEN_UP;
  }
}
