package dev.millrace.engine.sim;

import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.ProgressReport;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Takes work, reports on it, crashes, and comes back from the dead with old tokens. */
final class Worker implements Actor {

  /**
   * A lease, as far as the worker knows.
   *
   * @param outside whether this is work for an outside provider
   */
  private record Held(JobId job, UUID token, boolean outside) {}

  private static final int MOST_HELD = 4;
  private static final List<Report.Fail.Kind> KINDS = List.of(Report.Fail.Kind.values());

  private final String name;
  private final List<Integer> workflows;
  private final World world;
  private final Chance chance;
  private final List<Held> held = new ArrayList<>();
  private final Map<Held, String> handedOver = new HashMap<>();
  private final Set<Held> unwanted = new HashSet<>();
  private final List<Held> past = new ArrayList<>();
  private boolean asking;

  Worker(String name, List<Integer> workflows, World world) {
    this.name = name;
    this.workflows = workflows;
    this.world = world;
    this.chance = world.chance();
  }

  @Override
  public void act() {
    int what = chance.below(20);
    if (held.isEmpty() && asking) {
      if (!past.isEmpty() && chance.percent(40)) {
        report(chance.pick(past));
      }
    } else if (held.isEmpty() || (what < 4 && held.size() < MOST_HELD && !asking)) {
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
    asking = true;
    LeaseJobs ask = new LeaseJobs(name, workflows, max);
    world
        .leases()
        .send(
            new Letter<>(
                name,
                ask,
                answer -> {
                  asking = false;
                  if (answer instanceof Answer.Told<List<Leased>>(var leased)) {
                    leased.forEach(one -> held.add(of(one)));
                  }
                }));
  }

  private static Held of(Leased leased) {
    boolean outside = leased.job().terms().workflowId() == Catalogue.OUTSIDE;
    return new Held(leased.job().id(), leased.token(), outside);
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
    boolean done = result instanceof Report.Result.Done;
    if (done && report instanceof Report.Intend) {
      // The call to the provider, which may call back before its acceptance is stored.
      handedOver.computeIfAbsent(lease, _ -> world.provider().take());
    }
    boolean goesOn =
        report instanceof Report.Heartbeat
            || report instanceof Report.Intend
            || report instanceof Report.Unconfirmed
            || (report instanceof Report.Accept && chance.percent(50));
    boolean over = !(goesOn && done);
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
    if (handedOver.containsKey(lease) && chance.percent(60)) {
      return switch (chance.below(8)) {
        case 0, 1 -> new Report.Requeue(lease.job, lease.token, "spot");
        case 2 ->
            new Report.Unconfirmed(lease.job, lease.token, chance.percent(95) ? "acme" : "zeta");
        default ->
            new Report.Accept(
                lease.job, lease.token, Objects.requireNonNull(handedOver.get(lease)));
      };
    }
    if (lease.outside && !handedOver.containsKey(lease) && chance.percent(60)) {
      return new Report.Intend(lease.job, lease.token, chance.percent(95) ? "acme" : "zeta");
    }
    return switch (chance.below(18)) {
      case 0, 1, 2, 3, 4, 5 -> beat(lease);
      case 6, 7, 8 -> complete(lease);
      case 9, 15 -> new Report.Requeue(lease.job, lease.token, "spot");
      case 10 -> new Report.AcknowledgeCancel(lease.job, lease.token);
      case 14 ->
          chance.percent(70)
              ? new Report.Intend(lease.job, lease.token, "acme")
              : new Report.Unconfirmed(lease.job, lease.token, "acme");
      case 11, 12, 13 -> fail(lease, Report.Fail.Kind.RETRYABLE);
      default -> fail(lease, chance.pick(KINDS));
    };
  }

  private Report beat(Held lease) {
    ProgressReport told = chance.percent(40) ? ProgressReport.NOTHING : some(chance.below(110));
    Map<String, String> values =
        chance.percent(70) ? Map.of() : Map.of("n", String.valueOf(chance.below(3)));
    return new Report.Heartbeat(lease.job, lease.token, told, new Summary(new TreeMap<>(values)));
  }

  private static ProgressReport some(int percent) {
    return new ProgressReport(percent, "s", percent % 2 == 0 ? "m" : null, false);
  }

  private Report complete(Held lease) {
    return new Report.Complete(lease.job, lease.token, world.orders().outputs(), Summary.EMPTY);
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
