package dev.millrace.engine.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lane that answers words in upper case, from behind a gate. As long as the gate is shut, its
 * handler stands there with the first batch, and everything else has to gather.
 */
final class GatedLane implements AutoCloseable {

  /** A word that the handler forgets to answer. */
  static final String UNANSWERED = "unanswered";

  private final CountDownLatch gate = new CountDownLatch(1);
  private final Semaphore atTheGate = new Semaphore(0);
  private final Map<String, Throwable> refusals = new ConcurrentHashMap<>();
  private final List<List<String>> batches = new CopyOnWriteArrayList<>();
  private final List<Thread> callers = new CopyOnWriteArrayList<>();
  private final Lane<String, String> lane;
  private @Nullable Future<String> first;

  GatedLane(int maxBatch, int maxWaiting) {
    this(maxBatch, maxWaiting, new ReentrantLock());
  }

  GatedLane(int maxBatch, int maxWaiting, Lock turn) {
    this.lane =
        new Lane<>(
            "test", new BatchShare(maxBatch), maxWaiting, turn, words -> answering(handle(words)));
  }

  private static <R> Supplier<R> answering(R answers) {
    return () -> answers;
  }

  private List<String> handle(List<String> words) {
    batches.add(words);
    atTheGate.release();
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    for (String word : words) {
      if (refusals.containsKey(word)) {
        throw GatedLane.<RuntimeException>unchecked(refusals.get(word));
      }
    }
    return words.stream()
        .filter(Predicate.not(UNANSWERED::equals))
        .map(word -> word.toUpperCase(Locale.ROOT))
        .toList();
  }

  /** Throws anything, as a library written in another language may. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }

  void refuse(String word, Throwable thrown) {
    refusals.put(word, thrown);
  }

  Lane.Standing standing() {
    return lane.standing();
  }

  String call(String word) throws InterruptedException {
    return lane.call(word);
  }

  /** Calls, and returns when the handler has the word and stands at the gate. */
  void hold(String word) throws InterruptedException {
    first = callLater(word).getFirst();
    atTheGate.acquire();
  }

  /** The answer to the word that was held. */
  String first() throws InterruptedException, ExecutionException {
    return Objects.requireNonNull(first).get();
  }

  /** Calls one after the other, and returns when each of them waits for its answer. */
  List<Future<String>> callLater(String... words) {
    List<Future<String>> answers = new ArrayList<>();
    for (String word : words) {
      FutureTask<String> task = new FutureTask<>(() -> lane.call(word));
      Thread caller = Thread.ofPlatform().daemon().start(task);
      awaitCall(caller, task);
      callers.add(caller);
      answers.add(task);
    }
    return answers;
  }

  /**
   * Returns when the caller waits for its answer, or has it. Who waits for the lane's lock waits
   * too, and has not handed its command in yet.
   */
  static void awaitCall(Thread caller, Future<?> call) {
    while (!call.isDone()) {
      Object waitsFor = LockSupport.getBlocker(caller);
      if (waitsFor != null && !(waitsFor instanceof AbstractQueuedSynchronizer)) {
        return;
      }
      Thread.onSpinWait();
    }
  }

  void interruptNewestCaller() {
    callers.getLast().interrupt();
  }

  void openForGood() {
    gate.countDown();
  }

  List<List<String>> batches() {
    return List.copyOf(batches);
  }

  /** Closes the lane while its handler stands at the gate. */
  void closeShut() {
    lane.close();
  }

  @Override
  public void close() {
    openForGood();
    lane.close();
  }
}
