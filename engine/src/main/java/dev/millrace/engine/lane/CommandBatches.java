package dev.millrace.engine.lane;

import dev.millrace.engine.port.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the batches of a lane: all at once if possible, without those that need what somebody else
 * holds if not, and one by one if one of them is bad. Of the lane's thread.
 */
final class CommandBatches<C, R> {

  /** How long a command waits for what somebody else holds. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final BatchHandler<C, R> handler;
  private final DelayedCommands<WaitingCommand<C, R>> putOff;
  private final Consumer<Runnable> tell;
  private final BooleanSupplier closed;

  /** How many commands were done. */
  private volatile long done;

  /** Whether the newest batch found the store away. */
  private boolean gone;

  /** True while somebody may hold rows for long: then nobody waits for one. */
  private boolean careful;

  /**
   * Runs batches.
   *
   * @param tell answers those whose batch is over while others of theirs still run
   * @param closed whether nobody may be put off any more
   */
  CommandBatches(
      BatchHandler<C, R> handler,
      DelayedCommands<WaitingCommand<C, R>> putOff,
      Consumer<Runnable> tell,
      BooleanSupplier closed) {
    this.handler = handler;
    this.putOff = putOff;
    this.tell = tell;
    this.closed = closed;
  }

  /** How many commands were done so far; anybody may ask. */
  long done() {
    return done;
  }

  /** Only the lane's own thread counts. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private void count(int commands) {
    done += commands;
  }

  /**
   * Runs a batch, and returns how to answer it. Whatever is thrown must reach the callers, who wait
   * for it.
   */
  Runnable handle(List<WaitingCommand<C, R>> batch) {
    try {
      if (careful) {
        return handleCarefully(batch);
      }
      Supplier<List<R>> done = handler.run(commands(batch));
      count(batch.size());
      return () -> answer(batch, done);
    } catch (Store.Busy e) {
      if (!handler.skips()) {
        return unavailable(batch, e);
      }
      careful = true;
      return handle(batch);
    } catch (Store.OutcomeUnknown e) {
      // Running it again could do it twice; each caller has its own way to find out.
      return failing(batch, () -> new Store.OutcomeUnknown("it may or may not have happened", e));
    } catch (Store.Unavailable e) {
      return unavailable(batch, e);
    } catch (Throwable e) {
      if (batch.size() == 1) {
        return failing(batch, () -> e);
      }
      // Nothing of the batch happened. One bad command must not fail the others, nor keep them
      // waiting for the last of them.
      return oneByOne(batch);
    }
  }

  /** Trying each by itself would make everybody wait for one time-out after the other. */
  private Runnable unavailable(List<WaitingCommand<C, R>> batch, Store.Unavailable e) {
    gone = true;
    return failing(batch, () -> new Store.Unavailable("the store can't do it now", e));
  }

  private Runnable oneByOne(List<WaitingCommand<C, R>> batch) {
    gone = false;
    for (int i = 0; i < batch.size(); i++) {
      tell.accept(handle(List.of(batch.get(i))));
      if (gone) {
        return unavailable(
            batch.subList(i + 1, batch.size()),
            new Store.Unavailable("it was away for the one before", new LaneFull()));
      }
    }
    return () -> {};
  }

  /**
   * Runs a batch while somebody may hold rows for long. Nobody waits for those, except in line for
   * an instant now and then, and whoever needs one is put off.
   */
  private Runnable handleCarefully(List<WaitingCommand<C, R>> batch) {
    boolean again = batch.stream().anyMatch(WaitingCommand::isPutOff);
    try {
      if (again && putOff.mayStandInLine()) {
        Supplier<List<R>> done = handler.runBriefly(commands(batch));
        count(batch.size());
        careful = !putOff.isEmpty();
        putOff.fruitful();
        return () -> answer(batch, done);
      }
    } catch (Store.Busy _) {
      // Somebody still holds it.
    }
    BatchHandler.Partly<R> part;
    try {
      part = handler.runFree(commands(batch));
    } catch (Store.Busy e) {
      return handleHalves(batch, e);
    }
    List<WaitingCommand<C, R>> done = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      if (part.busy().contains(i)) {
        putOff(batch.get(i), null);
      } else {
        done.add(batch.get(i));
      }
    }
    count(done.size());
    if (done.stream().anyMatch(WaitingCommand::isPutOff)) {
      putOff.fruitful();
    }
    careful = !putOff.isEmpty();
    return () -> answer(done, part.answers());
  }

  /** Something made them wait that can't be asked for without waiting, such as a new row. */
  private Runnable handleHalves(List<WaitingCommand<C, R>> batch, Store.Busy e) {
    careful = true;
    if (batch.size() == 1) {
      putOff(batch.getFirst(), e);
      return () -> {};
    }
    int half = batch.size() / 2;
    tell.accept(handle(batch.subList(0, half)));
    // The first half may have found that nobody is in the way, but somebody is.
    careful = true;
    return handle(batch.subList(half, batch.size()));
  }

  private void putOff(WaitingCommand<C, R> waiting, Store.@Nullable Busy cause) {
    if (waiting.isImpatient() || putOff.isFull() || closed.getAsBoolean()) {
      waiting.fail(
          new Store.Busy(
              "somebody else holds what it needs for too long",
              cause == null ? new TimeoutException("put off") : cause));
      return;
    }
    if (!waiting.isPutOff()) {
      waiting.putOff();
      putOff.after(PATIENCE, waiting::losePatience);
    }
    putOff.add(waiting);
  }

  private List<C> commands(List<WaitingCommand<C, R>> batch) {
    return batch.stream().map(WaitingCommand::command).toList();
  }

  static <C, R> Runnable failing(List<WaitingCommand<C, R>> batch, Supplier<Throwable> trouble) {
    return () -> batch.forEach(waiting -> waiting.fail(trouble.get()));
  }

  private static <C, R> void answer(List<WaitingCommand<C, R>> batch, Supplier<List<R>> done) {
    List<R> results;
    try {
      results = done.get();
    } catch (Throwable e) {
      batch.forEach(waiting -> waiting.fail(e));
      return;
    }
    if (results.size() != batch.size()) {
      // It is committed, so it must not run again; nobody knows which answer is whose.
      String trouble = "%d answers to %d commands".formatted(results.size(), batch.size());
      batch.forEach(waiting -> waiting.fail(new IllegalStateException(trouble)));
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).answer().complete(results.get(i));
    }
  }
}
