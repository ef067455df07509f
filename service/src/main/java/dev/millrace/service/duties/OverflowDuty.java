package dev.millrace.service.duties;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.postgres.jobs.OverdueJobs;
import dev.millrace.postgres.jobs.OverdueJobs.Way;
import dev.millrace.postgres.jobs.QueueView;
import dev.millrace.postgres.jobs.Queues;
import dev.millrace.service.catalogue.Overflow;
import dev.millrace.service.jobs.Offer;
import dev.millrace.service.jobs.Offers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Sends jobs that waited too long to where their effect lets them go, and only as many as can start
 * there now: one that would only wait elsewhere has better chances where it is.
 */
public final class OverflowDuty implements Duty {

  private static final int MOST_AT_ONCE = 500;

  private final Offers offers;
  private final Queues queues;
  private final OverdueJobs overdue;
  private final Reports reports;
  private final ToIntFunction<String> ownRoom;

  /**
   * @param ownRoom how many jobs this server could start now by the executor of this name
   */
  public OverflowDuty(
      Offers offers,
      Queues queues,
      OverdueJobs overdue,
      Engine engine,
      ToIntFunction<String> ownRoom) {
    this.offers = offers;
    this.queues = queues;
    this.overdue = overdue;
    this.reports = new Reports(engine);
    this.ownRoom = ownRoom;
  }

  @Override
  public String name() {
    return "overflow";
  }

  @Override
  public void run() throws InterruptedException {
    List<Offer> patient =
        offers.all().stream().filter(offer -> !offer.effect().overflow().isEmpty()).toList();
    if (patient.isEmpty()) {
      return;
    }
    Map<Integer, Integer> room = room();
    for (Offer offer : patient) {
      for (Overflow way : offer.effect().overflow()) {
        send(offer, way, room);
      }
    }
  }

  /** Told way by way, because a job may have taken the one before. */
  private void send(Offer offer, Overflow way, Map<Integer, Integer> room)
      throws InterruptedException {
    Optional<Offers.Queue> to = offers.workflow(way.workflow());
    int free = to.map(queue -> room.getOrDefault(queue.id(), 0)).orElse(0);
    if (to.isEmpty() || free <= 0) {
      return;
    }
    int from = offer.terms().workflowId();
    List<Report> found =
        overdue.tooSlow(
            new Way(from, to.get().id(), offer.terms().effectId(), way.after(), way.mostHeld()),
            "Sent to " + to.get().workflow().title() + ", where it can start sooner",
            Math.min(free, MOST_AT_ONCE));
    reports.all(found);
    room.put(to.get().id(), free - found.size());
  }

  /** How many jobs could start in each queue, besides those that wait there. */
  private Map<Integer, Integer> room() {
    Map<Integer, Integer> room = new HashMap<>();
    for (QueueView queue : queues.standing()) {
      offers
          .workflow(queue.workflowId())
          .filter(_ -> !queue.paused())
          .ifPresent(found ->
              room.put(
                  found.id(),
                  (int) (slots(found.workflow().executor(), queue) - queue.load().depth())));
    }
    return room;
  }

  private long slots(String executor, QueueView queue) {
    return queue.fleet().idleSlots() + ownRoom.applyAsInt(executor);
  }
}
