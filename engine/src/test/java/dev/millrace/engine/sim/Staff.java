package dev.millrace.engine.sim;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.Changes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reviewers, moderators and administrators, who act on a list that they opened a while ago. */
final class Staff implements Actor {

  private final World world;
  private final Chance chance;
  private @Nullable Report last;

  Staff(World world) {
    this.world = world;
    this.chance = world.chance();
  }

  @Override
  public void act() {
    if (last != null && chance.percent(20)) {
      // A second click on the same button.
      send(last);
      return;
    }
    switch (chance.below(11)) {
      case 0, 1, 2 -> review();
      case 3 -> {
        Job job = find(State.QUEUED);
        if (job != null) {
          send(
              new Report.Reroute(
                  job.id(),
                  chance.percent(95) ? job.terms().workflowId() : 1,
                  chance.pick(Catalogue.WORKFLOWS),
                  job.tries().attempts(),
                  "Sent elsewhere"));
        }
      }
      case 4 -> {
        Job job = find(State.QUEUED);
        if (job != null) {
          send(new Report.RejectByPolicy(job.id(), "mod", new Failure("violence", "No.")));
        }
      }
      case 5 -> {
        Job job = find(State.REJECTED);
        if (job != null) {
          send(new Report.Overturn(job.id(), "mod", "a mistake"));
        }
      }
      case 6 -> {
        Job job = find(null);
        if (job != null) {
          send(new Report.Delete(job.id(), "admin"));
        }
      }
      default -> retry();
    }
  }

  private void retry() {
    Job job = find(chance.pick(List.of(State.FAILED, State.DEAD_LETTER, State.EXPIRED)));
    if (job != null) {
      int workflow = chance.percent(95) ? job.terms().workflowId() : 1;
      send(
          new Report.RetryInPlace(
              job.id(), "admin", workflow, chance.between(1, 2), chance.between(1, 2)));
    }
  }

  private void review() {
    Job job = find(State.WAITING_REVIEW);
    if (job == null) {
      return;
    }
    send(chance.percent(30) ? new Report.Decline(job.id(), "rev", "ugly") : approve(job));
  }

  private Report approve(Job job) {
    List<UUID> all = world.oracle().outputs(job.id());
    Set<UUID> items = null;
    if (chance.percent(50) && !all.isEmpty()) {
      items = new HashSet<>();
      for (UUID item : all) {
        if (chance.percent(60)) {
          items.add(item);
        }
      }
      if (chance.percent(10)) {
        items.add(chance.uuid());
      }
    }
    if (items != null && items.size() < all.size() && chance.percent(50)) {
      Set<UUID> none = Set.of();
      boolean approves = chance.percent(60);
      return new Report.ReviewItems(
          job.id(), "rev", approves ? items : none, approves ? none : items);
    }
    return new Report.Approve(job.id(), "rev", items, followUp());
  }

  private Report.@Nullable FollowUp followUp() {
    return !world.calm() && chance.percent(40)
        ? new Report.FollowUp(
            chance.uuid(), chance.pick(Catalogue.EFFECTS), "fu", "{}", Changes.Labels.NONE)
        : null;
  }

  /** Mostly what the list is about; sometimes a job that is long elsewhere. */
  private @Nullable Job find(@Nullable State state) {
    List<Job> found = new ArrayList<>();
    boolean any = chance.percent(10);
    for (Job job : world.oracle().jobs().values()) {
      boolean listed = state == null ? job.state().terminal() : job.state() == state;
      if (any || listed) {
        found.add(job);
      }
    }
    return found.isEmpty() ? null : chance.pick(found);
  }

  private void send(Report report) {
    last = report;
    world.log("staff sends " + Words.of(report));
    world.reports().send(new Letter<>("staff", report, _ -> {}));
  }

  /** Decides what waits for a reviewer. */
  @Override
  public void settle() {
    for (Job job : List.copyOf(world.oracle().jobs().values())) {
      if (job.state() == State.WAITING_REVIEW && chance.percent(70)) {
        send(chance.percent(70) ? approve(job) : new Report.Decline(job.id(), "rev", "late"));
      }
    }
  }
}
