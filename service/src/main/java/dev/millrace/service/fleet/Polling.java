package dev.millrace.service.fleet;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.port.Signal;
import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.service.fleet.WorkerFiles.Handed;
import dev.millrace.service.fleet.WorkerFiles.Terms;
import dev.millrace.service.fleet.WorkerTokens.Admission;
import dev.millrace.service.fleet.WorkerTokens.Admitted;
import dev.millrace.service.fleet.WorkerTokens.Caller;
import dev.millrace.service.fleet.WorkerTokens.Refusal;
import dev.millrace.service.jobs.Offers;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives a worker its jobs, at once or as soon as there are some. */
public final class Polling {

  static final String EXECUTOR = "worker";

  private final WorkerTokens tokens;
  private final PollRoom room;
  private final Offers offers;
  private final Engine engine;
  private final LeaseHandout handover;

  Polling(WorkerTokens tokens, PollRoom room, Offers offers, Engine engine, LeaseHandout handover) {
    this.tokens = tokens;
    this.room = room;
    this.offers = offers;
    this.engine = engine;
    this.handover = handover;
  }

  /** What a poll is answered with. */
  public sealed interface Polled {

    /** How the worker stands, and the jobs that are its now. */
    record Answered(WorkerView.Status status, List<Handed> jobs) implements Polled {}

    /** The worker's token became worthless on the way or meanwhile. */
    record TurnedAway(Refusal why) implements Polled {}
  }

  /**
   * Looks once, and then again whenever there may be work. It also ends when something changes
   * about how the worker stands, so that the worker hears of it.
   */
  public Polled poll(Caller caller, int max, Duration wait, Terms terms)
      throws InterruptedException {
    return poll(caller, max, wait, terms, Wish.READY);
  }

  /**
   * What a worker says of itself now.
   *
   * @param notReady why it can't run anything; null if it can
   * @param providers whose jobs it takes this time, of those that it registered with; null for all
   */
  public record Wish(@Nullable String notReady, @Nullable Set<String> providers) {
    static final Wish READY = new Wish(null, null);
  }

  /**
   * The same for a worker that says what it can run. One that can't run anything gets nothing, and
   * its other polls end, so that nothing is given to them either.
   */
  public Polled poll(Caller caller, int max, Duration wait, Terms terms, Wish wish)
      throws InterruptedException {
    @Nullable String notReady = wish.notReady();
    long end = System.nanoTime() + wait.toNanos();
    WorkerView.Status before = caller.worker().status();
    boolean ready = notReady == null;
    try (PollRoom.WaitingPoll poll = room.enter(caller.worker().uid())) {
      // What changed on the way here could not wake it.
      Admission now = said(tokens.again(caller), notReady);
      while (now instanceof Admitted(Caller admitted)) {
        WorkerView worker = admitted.worker();
        List<Integer> queues = ready ? queuesOf(worker, wish.providers()) : List.of();
        poll.watch(queues);
        // What it could never hold would only be locked in vain.
        int most = Math.min(max, worker.capacity().maxConcurrency());
        List<Leased> leased =
            queues.isEmpty()
                ? List.of()
                : engine.lease(new LeaseJobs(worker.id(), queues, most, true));
        room.more(workflowsOf(leased));
        List<Handed> handed = handover.of(worker.id(), leased, terms);
        boolean told = worker.status() != before || worker.ready() != ready;
        if (!handed.isEmpty() || told || !(leased.isEmpty() ? news(poll, end) : early(end))) {
          return new Polled.Answered(worker.status(), handed);
        }
        if (poll.takeChanged()) {
          now = tokens.look(admitted);
        }
      }
      return new Polled.TurnedAway((Refusal) now);
    }
  }

  /** Its polls on this node hear of it at once, those on others by a signal. */
  private Admission said(Admission admission, @Nullable String notReady) {
    if (!(admission instanceof Admitted(Caller caller))) {
      return admission;
    }
    Admission now = tokens.said(caller, notReady);
    if (now instanceof Admitted(Caller after)
        && after.worker().ready() != caller.worker().ready()) {
      room.tell(Signal.ofWorker(after.worker().uid()));
    }
    return now;
  }

  /** False when the time is over: whoever then was woken lets another look, by leaving. */
  private static boolean news(PollRoom.WaitingPoll poll, long end) throws InterruptedException {
    return poll.await(end - System.nanoTime()) && early(end);
  }

  private static boolean early(long end) {
    return System.nanoTime() - end < 0;
  }

  /**
   * What it may take: its own workflows, as far as workers run them and it has their provider.
   *
   * @param now whose jobs it takes this time; null for those of all that it has
   */
  List<Integer> queuesOf(WorkerView worker, @Nullable Set<String> now) {
    if (!worker.atWork()) {
      return List.of();
    }
    Set<String> declared = worker.capacity().providers();
    return worker.workflowIds().stream()
        .filter(id ->
            offers
                .workflow(id)
                .filter(queue -> queue.workflow().executor().equals(EXECUTOR))
                .filter(queue -> has(declared, queue) && has(now, queue))
                .isPresent())
        .toList();
  }

  private static boolean has(@Nullable Set<String> providers, Offers.Queue queue) {
    String provider = queue.workflow().provider();
    return provider == null || providers == null || providers.contains(provider);
  }

  private static Set<Integer> workflowsOf(List<Leased> leased) {
    Set<Integer> workflows = new HashSet<>();
    leased.forEach(each -> workflows.add(each.job().terms().workflowId()));
    return workflows;
  }
}
