package dev.millrace.service.live;

import dev.millrace.engine.port.Signal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Brings signals to those who wait for them on this node. */
public final class Hub {

  private final Map<Object, Set<Waiter>> waiters = new ConcurrentHashMap<>();
  private final List<Consumer<Signal>> listeners = new CopyOnWriteArrayList<>();

  /** A waiter for a job's events. Subscribe first, then look, then wait. */
  public Waiter forJob(UUID job) {
    return add(Set.of(job));
  }

  /** A waiter for events of any of these jobs. */
  public Waiter forJobs(Collection<UUID> jobs) {
    return add(Set.copyOf(jobs));
  }

  /** A waiter for work in any of these queues. */
  public Waiter forQueues(Collection<Integer> workflowIds) {
    return add(Set.copyOf(workflowIds));
  }

  private Waiter add(Set<?> topics) {
    Waiter waiter = new Waiter(this, Set.copyOf(topics));
    for (Object topic : waiter.topics()) {
      // Within compute, so that a set which another waiter just left can't vanish under this one.
      waiters.compute(
          topic,
          (_, others) -> {
            Set<Waiter> joined = others == null ? ConcurrentHashMap.newKeySet() : others;
            joined.add(waiter);
            return joined;
          });
    }
    return waiter;
  }

  void remove(Waiter waiter) {
    for (Object topic : waiter.topics()) {
      waiters.computeIfPresent(
          topic,
          (_, others) -> {
            others.remove(waiter);
            return others.isEmpty() ? null : others;
          });
    }
  }

  /** One more who wants to hear every signal, quickly and without waiting for anything. */
  public void also(Consumer<Signal> listener) {
    listeners.add(listener);
  }

  public void tell(Signal signal) {
    listeners.forEach(listener -> listener.accept(signal));
    if (signal.everything()) {
      wakeAll();
      return;
    }
    signal.jobs().forEach(this::wake);
    signal.workflows().forEach(this::wake);
  }

  /** Wakes everybody, to look again. */
  void wakeAll() {
    waiters.values().forEach(Hub::wake);
  }

  private void wake(Object topic) {
    wake(waiters.getOrDefault(topic, Set.of()));
  }

  private static void wake(Set<Waiter> waiters) {
    waiters.forEach(Waiter::wake);
  }
}
