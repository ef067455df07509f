package dev.millrace.engine.sim;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An administrator who lets jobs live again, above all those whose review nobody came to, and sees
 * their second result through; now and then one is deleted after that. Some worlds have one.
 */
final class SecondLives {

  private final World world;

  /** Its own, so that the others do the same with it and without it. */
  private final Chance chance;

  private final boolean here;

  SecondLives(World world, Chance chance) {
    this.world = world;
    this.chance = chance;
    this.here = chance.percent(30);
  }

  void act() {
    if (!here || !chance.percent(50)) {
      return;
    }
    List<Job> jobs = List.copyOf(world.oracle().jobs().values());
    for (Job job : jobs) {
      Report report = next(job);
      if (report != null && chance.percent(40)) {
        send(report);
        return;
      }
    }
  }

  private @Nullable Report next(Job job) {
    boolean second = job.hold().fundingSeq() > 1;
    if (job.state() == State.WAITING_REVIEW && second) {
      return chance.percent(70)
          ? new Report.Approve(job.id(), "rev", null, null)
          : new Report.Decline(job.id(), "rev", "again");
    }
    if (job.state() == State.EXPIRED || job.state() == State.DEAD_LETTER) {
      return new Report.RetryInPlace(job.id(), "admin", job.terms().workflowId(), 2, 2);
    }
    if (second && job.state().terminal() && chance.percent(20)) {
      return new Report.Delete(job.id(), "admin");
    }
    return null;
  }

  private void send(Report report) {
    world.log("second lives: " + Words.of(report));
    world.reports().send(new Letter<>("second lives", report, _ -> {}));
  }
}
