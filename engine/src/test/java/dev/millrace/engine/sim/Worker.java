package dev.millrace.engine.sim;

import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Takes work, reports on it, crashes, and comes back from the dead with old tokens. */
final class Worker implements Actor {

  private record Held(JobId job, UUID token) {}

  private static final int MOST_HELD = 4;
  private static final List<Report.Fail.Kind> KINDS = List.of(Report.Fail.Kind.values());

  private final String name;
  private final List<Integer> workflows;
  private final World world;
  private final Chance chance;
  private final List<Held> held = new ArrayList<>();
  private final Set<Held> unwanted = new HashSet<>();
  private final List<Held> past = new ArrayList<>();

  Worker(String name, List<Integer> workflows, World world) {
    this.name = name;
    this.workflows = workflows;
    this.world = world;
    this.chance = world.chance();
  }

  @Override
  public void act() {
    int what = chance.below(20);
    if (held.isEmpty() || (what < 5 && held.size() < MOST_HELD)) {
      ask(chance.between(1, MOST_HELD));
    } else if (what < 17) {
      report(chance.pick(held));
    } else if (what < 19 && !past.isEmpty()) {
      report(chance.pick(past));
    } else {
      crash();
    }
  }

  void ask(int max) {
    LeaseJobs ask = new LeaseJobs(name, workflows, max);
    world
        .leases()
        .send(
            new Letter<>(
                name,
                ask,
                answer -> {
                  if (answer instanceof Answer.Told<List<Leased>>(var leased)) {
                    leased.forEach(one -> held.add(new Held(one.job().id(), one.token())));
                  }
                }));
  }

  /** Its memory is gone; only its reports that are under way still arrive, and maybe later ones. */
  private void crash() {
    world.log(name + " crashes");
    if (chance.percent(50)) {
      held.forEach(h -> world.abandoned(new Report.LoseLease(h.job, h.token, true)));
    }
    past.addAll(held);
    held.clear();
  }

  private void report(Held lease) {
    send(lease, draw(lease));
  }

  private void send(Held lease, Report report) {
    world.log(name + " sends " + Words.of(report));
    world.reports().send(new Letter<>(name, report, answer -> hear(lease, report, answer)));
  }

  private void hear(Held lease, Report report, Answer<Report.Result> answer) {
    if (!(answer instanceof Answer.Told(Report.Result result))) {
      return;
    }
    boolean over = !(report instanceof Report.Heartbeat) || !(result instanceof Report.Result.Done);
    if (over && held.remove(lease)) {
      past.add(lease);
    }
    if (result instanceof Report.Result.Done(var job) && job.state() == State.CANCELING) {
      unwanted.add(lease);
    }
  }

  private Report draw(Held lease) {
    if (unwanted.contains(lease) && chance.percent(50)) {
      return new Report.AcknowledgeCancel(lease.job, lease.token);
    }
    return switch (chance.below(16)) {
      case 0, 1, 2, 3, 4, 5 -> beat(lease);
      case 6, 7, 8 -> complete(lease);
      case 9 -> new Report.Requeue(lease.job, lease.token, "spot");
      case 10 -> new Report.AcknowledgeCancel(lease.job, lease.token);
      case 11, 12, 13 -> fail(lease, Report.Fail.Kind.RETRYABLE);
      default -> fail(lease, chance.pick(KINDS));
    };
  }

  private Report beat(Held lease) {
    Progress progress = chance.percent(40) ? null : new Progress(chance.below(110), "s", "m");
    Map<String, String> values =
        chance.percent(70) ? Map.of() : Map.of("n", String.valueOf(chance.below(3)));
    return new Report.Heartbeat(
        lease.job, lease.token, progress, new Summary(new TreeMap<>(values)));
  }

  private Report complete(Held lease) {
    UUID id = chance.uuid();
    OutputFile file =
        new OutputFile(id, "k" + id, "a.png", "image/png", 3, "ab".repeat(32), 1, 1, null);
    return new Report.Complete(
        lease.job, lease.token, List.of(file), Summary.EMPTY, chance.below(25));
  }

  private Report fail(Held lease, Report.Fail.Kind kind) {
    Duration after = chance.percent(70) ? null : Duration.ofSeconds(chance.below(60));
    return new Report.Fail(
        lease.job, lease.token, kind, new Failure("oops", "It broke."), after, chance.fraction());
  }

  /** Takes what there is and finishes what it has. */
  @Override
  public void settle() {
    List.copyOf(held).forEach(lease -> send(lease, complete(lease)));
    ask(10);
  }
}
