package dev.millrace.service.fleet;

import dev.millrace.engine.port.Signal;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where polls wait for work. A signal wakes a few of those that wait for its queue, who have waited
 * longest, and each of them that gets a job wakes two more: a thousand jobs wake a thousand polls
 * within twelve rounds, and one job among five thousand polls makes two of them look, not all.
 */
final class PollRoom implements AutoCloseable {

  private static final int FIRST = 2;
  private static final int MORE = 2;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, Set<WaitingPoll>> queues = new HashMap<>();
  private final Map<UUID, Set<WaitingPoll>> workers = new HashMap<>();
  private boolean closed;
  private int idle;

  /** One poll. It belongs to the thread that waits in it. */
  final class WaitingPoll implements AutoCloseable {
    private final UUID worker;
    private final Condition news = lock.newCondition();
    private List<Integer> watched = List.of();
    private boolean woken;
    private boolean changed;

    private WaitingPoll(UUID worker) {
      this.worker = worker;
    }

    /** From now on work in these queues wakes it. To be called before looking for work. */
    void watch(List<Integer> workflowIds) {
      lock.lock();
      try {
        unwatch();
        woken = false;
        watched = List.copyOf(workflowIds);
        watched.forEach(id -> queues.computeIfAbsent(id, _ -> new LinkedHashSet<>()).add(this));
      } finally {
        lock.unlock();
      }
    }

    /** True if there may be news; false if the time ran out or nobody is to wait any more. */
    boolean await(long nanos) throws InterruptedException {
      lock.lock();
      try {
        long left = nanos;
        idle++;
        try {
          while (!woken && !changed && !closed && left > 0) {
            left = news.awaitNanos(left);
          }
        } finally {
          idle--;
        }
        return (woken || changed) && !closed;
      } finally {
        lock.unlock();
      }
    }

    /** Whether something about the worker itself changed since this was asked last. */
    boolean takeChanged() {
      lock.lock();
      try {
        boolean was = changed;
        changed = false;
        return was;
      } finally {
        lock.unlock();
      }
    }

    private void unwatch() {
      for (Integer id : watched) {
        remove(queues, id, this);
      }
    }

    private void wake() {
      unwatch();
      woken = true;
      news.signal();
    }

    /** One that was woken and leaves without a look lets another look. */
    @Override
    public void close() {
      lock.lock();
      try {
        unwatch();
        remove(workers, worker, this);
        if (woken) {
          watched.forEach(id -> wakeSome(id, 1));
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** A place for a poll of this worker. */
  WaitingPoll enter(UUID worker) {
    WaitingPoll poll = new WaitingPoll(worker);
    lock.lock();
    try {
      workers.computeIfAbsent(worker, _ -> new LinkedHashSet<>()).add(poll);
    } finally {
      lock.unlock();
    }
    return poll;
  }

  /** What somebody committed: new work, or something about a worker. */
  void tell(Signal signal) {
    lock.lock();
    try {
      if (signal.everything()) {
        Set.copyOf(queues.keySet()).forEach(id -> wakeSome(id, FIRST));
      }
      signal.workflows().forEach(id -> wakeSome(id, FIRST));
      for (UUID each : signal.workers()) {
        for (WaitingPoll poll : workers.getOrDefault(each, Set.of())) {
          poll.changed = true;
          poll.news.signal();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** There was work in these queues a moment ago, so there may be more. */
  void more(Collection<Integer> workflowIds) {
    lock.lock();
    try {
      workflowIds.forEach(id -> wakeSome(id, MORE));
    } finally {
      lock.unlock();
    }
  }

  /** The queues that polls wait for. */
  Set<Integer> watched() {
    lock.lock();
    try {
      return Set.copyOf(queues.keySet());
    } finally {
      lock.unlock();
    }
  }

  /** How many polls are asleep. */
  int idle() {
    lock.lock();
    try {
      return idle;
    } finally {
      lock.unlock();
    }
  }

  /** How many polls are here, asleep or looking. */
  int waiting() {
    lock.lock();
    try {
      return workers.values().stream().mapToInt(Set::size).sum();
    } finally {
      lock.unlock();
    }
  }

  private void wakeSome(Integer workflowId, int most) {
    Set<WaitingPoll> polls = queues.getOrDefault(workflowId, Set.of());
    for (int i = 0; i < most && !polls.isEmpty(); i++) {
      Iterator<WaitingPoll> oldest = polls.iterator();
      oldest.next().wake();
    }
  }

  private static <K> void remove(Map<K, Set<WaitingPoll>> places, K key, WaitingPoll poll) {
    Set<WaitingPoll> polls = places.get(key);
    if (polls != null) {
      polls.remove(poll);
      if (polls.isEmpty()) {
        places.remove(key);
      }
    }
  }

  /** Nobody waits any longer; a server that stops must not be held up by polls. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      workers.values().forEach(polls -> polls.forEach(poll -> poll.news.signal()));
    } finally {
      lock.unlock();
    }
  }
}
