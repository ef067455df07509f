package dev.millrace.service.fleet;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.port.Signal;
import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.service.fleet.WorkerFiles.Handed;
import dev.millrace.service.fleet.WorkerFiles.Terms;
import dev.millrace.service.fleet.WorkerTokens.Caller;
import dev.millrace.service.jobs.Offers;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives a worker its jobs, at once or as soon as there are some. */
public final class Polling {

  static final String EXECUTOR = "worker";

  private final WorkerTokens roster;
  private final PollRoom dock;
  private final Offers offers;
  private final Engine engine;
  private final LeaseHandout handover;

  Polling(WorkerTokens roster, PollRoom dock, Offers offers, Engine engine, LeaseHandout handover) {
    this.roster = roster;
    this.dock = dock;
    this.offers = offers;
    this.engine = engine;
    this.handover = handover;
  }

  /** What a poll is answered with. */
  public record Polled(String status, List<Handed> jobs) {}

  /**
   * Looks once, and then again whenever there may be work. It also ends when something changes
   * about how the worker stands, so that the worker hears of it.
   */
  public Polled poll(Caller caller, int max, Duration wait, Terms terms)
      throws InterruptedException {
    return poll(caller, max, wait, terms, null);
  }

  /**
   * The same for a worker that says whether it can run anything. One that can't gets nothing, and
   * its other polls end, so that nothing is given to them either.
   *
   * @param notReady why it can't; null if it can
   */
  public Polled poll(Caller caller, int max, Duration wait, Terms terms, @Nullable String notReady)
      throws InterruptedException {
    long end = System.nanoTime() + wait.toNanos();
    String before = caller.worker().status();
    boolean ready = notReady == null;
    try (PollRoom.Berth berth = dock.enter(caller.worker().uid())) {
      // What changed on the way here could not wake it.
      Caller now = said(roster.again(caller), notReady);
      while (true) {
        List<Integer> queues = ready ? queuesOf(now.worker()) : List.of();
        berth.watch(queues);
        // What it could never hold would only be locked in vain.
        int most = Math.min(max, now.worker().maxConcurrency());
        List<Leased> leased =
            queues.isEmpty()
                ? List.of()
                : engine.lease(new LeaseJobs(now.id(), queues, most, true));
        dock.more(workflowsOf(leased));
        List<Handed> handed = handover.of(now.id(), leased, terms);
        boolean told = !now.worker().status().equals(before) || now.worker().ready() != ready;
        if (!handed.isEmpty() || told || !(leased.isEmpty() ? news(berth, end) : early(end))) {
          return new Polled(now.worker().status(), handed);
        }
        if (berth.takeChanged()) {
          now = roster.look(now);
        }
      }
    }
  }

  /** Its polls on this node hear of it at once, those on others by a signal. */
  private Caller said(Caller caller, @Nullable String notReady) {
    Caller now = roster.said(caller, notReady);
    if (now.worker().ready() != caller.worker().ready()) {
      dock.tell(new Signal(Set.of(), Set.of(now.worker().uid()), false));
    }
    return now;
  }

  /** False when the time is over: whoever then was woken lets another look, by leaving. */
  private static boolean news(PollRoom.Berth berth, long end) throws InterruptedException {
    return berth.await(end - System.nanoTime()) && early(end);
  }

  private static boolean early(long end) {
    return System.nanoTime() - end < 0;
  }

  /** What it may take: its own workflows, as far as workers run them and it has their provider. */
  List<Integer> queuesOf(WorkerView worker) {
    if (!worker.atWork()) {
      return List.of();
    }
    return worker.workflowIds().stream()
        .filter(id -> offers.workflow(id).filter(queue -> takes(worker, queue)).isPresent())
        .toList();
  }

  private static boolean takes(WorkerView worker, Offers.Queue queue) {
    String provider = queue.workflow().provider();
    Set<String> declared = worker.providers();
    return queue.workflow().executor().equals(EXECUTOR)
        && (provider == null || declared == null || declared.contains(provider));
  }

  private static Set<Integer> workflowsOf(List<Leased> leased) {
    Set<Integer> workflows = new HashSet<>();
    leased.forEach(each -> workflows.add(each.job().terms().workflowId()));
    return workflows;
  }
}
