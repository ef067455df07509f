package dev.millrace.engine.lane;

import dev.millrace.engine.port.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands of one kind in the batches in which they happen to gather. Callers block until
 * their own command is answered; blocking is cheap on virtual threads.
 */
public final class Lane<C, R> implements AutoCloseable {

  /** Compared by identity: two equal commands are still two. */
  private static final class Waiting<C, R> {
    private final @Nullable C command;
    private final CompletableFuture<R> answer = new CompletableFuture<>();

    Waiting(@Nullable C command) {
      this.command = command;
    }

    C command() {
      return Objects.requireNonNull(command);
    }
  }

  private final int maxBatch;
  private final Function<List<C>, List<R>> handler;
  private final BlockingQueue<Waiting<C, R>> queue;
  private final Waiting<C, R> wake = new Waiting<>(null);
  private final Thread runner;
  private volatile boolean closing;

  /**
   * Opens the lane.
   *
   * @param maxBatch the most commands of one transaction
   * @param maxWaiting the most commands that may wait; one more is refused
   * @param handler runs a batch in one transaction and answers each command, in order
   */
  public Lane(String name, int maxBatch, int maxWaiting, Function<List<C>, List<R>> handler) {
    this.maxBatch = maxBatch;
    this.handler = handler;
    this.queue = new ArrayBlockingQueue<>(maxWaiting);
    this.runner = Thread.ofPlatform().name("lane-" + name).daemon().start(this::run);
  }

  /**
   * Hands the command in and waits for its answer.
   *
   * @throws LaneFull if too many are waiting already, or the lane is closing
   */
  public R call(C command) throws InterruptedException {
    Waiting<C, R> waiting = new Waiting<>(command);
    if (closing || !queue.offer(waiting)) {
      throw new LaneFull();
    }
    if (closing && queue.remove(waiting)) {
      throw new LaneFull();
    }
    try {
      return waiting.answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        cause.addSuppressed(new IllegalStateException("called from here"));
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private void run() {
    List<Waiting<C, R>> batch = new ArrayList<>(maxBatch);
    while (!closing || !queue.isEmpty()) {
      try {
        batch.add(queue.take());
      } catch (InterruptedException e) {
        throw new IllegalStateException("a lane's own thread is never interrupted", e);
      }
      queue.drainTo(batch, maxBatch - 1);
      batch.remove(wake);
      if (!batch.isEmpty()) {
        handle(batch);
        batch.clear();
      }
    }
  }

  private void handle(List<Waiting<C, R>> batch) {
    try {
      List<R> results = handler.apply(batch.stream().map(Waiting::command).toList());
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).answer.complete(results.get(i));
      }
    } catch (Store.OutcomeUnknown e) {
      // Running it again could do it twice; each caller has its own way to find out.
      batch.forEach(waiting -> waiting.answer.completeExceptionally(e));
    } catch (RuntimeException | Error e) {
      if (batch.size() == 1) {
        batch.getFirst().answer.completeExceptionally(e);
      } else {
        // Nothing of the batch happened. One bad command must not fail its neighbours.
        batch.forEach(waiting -> handle(List.of(waiting)));
      }
    }
  }

  /** Answers what is waiting, then stops. */
  @Override
  public void close() {
    closing = true;
    try {
      queue.put(wake);
      runner.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
