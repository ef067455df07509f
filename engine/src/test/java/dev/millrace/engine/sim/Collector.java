package dev.millrace.engine.sim;

import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Summary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies what waits in the inbox, as it saw it some time ago, and gives up on what is nobody's.
 */
final class Collector implements Actor {

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final List<Report.Fail.Kind> KINDS = List.of(Report.Fail.Kind.values());

  private final String name;
  private final World world;
  private final Chance chance;
  private final List<WaitingCallback> seen = new ArrayList<>();

  Collector(String name, World world) {
    this.name = name;
    this.world = world;
    this.chance = world.chance();
  }

  @Override
  public void act() {
    if (seen.isEmpty() || chance.percent(30)) {
      look();
    } else {
      apply(seen.remove(chance.below(seen.size())));
    }
  }

  private void look() {
    seen.clear();
    seen.addAll(world.stage().waitingCallbacks());
    world.log(name + " sees " + seen.size());
  }

  private void apply(WaitingCallback waiting) {
    if (waiting.job() == null || waiting.token() == null) {
      Callbacks.GiveUp giveUp = new Callbacks.GiveUp(waiting.id(), PATIENCE);
      world.callbacks().send(new Letter<>(name, giveUp, _ -> {}));
      return;
    }
    if (chance.percent(20)) {
      world
          .callbacks()
          .send(
              new Letter<>(
                  name,
                  new Callbacks.JudgeLate(waiting.id(), waiting.job(), waiting.token()),
                  _ -> {}));
      return;
    }
    if (chance.percent(20)) {
      Report made = new Report.Made(waiting.job(), waiting.token());
      world.reports().send(new Letter<>(name, made, _ -> {}));
    }
    Report report =
        chance.percent(70)
            ? new Report.Complete(
                waiting.job(),
                waiting.token(),
                world.orders().outputs(),
                Summary.EMPTY,
                waiting.id())
            : new Report.Fail(
                waiting.job(),
                waiting.token(),
                chance.pick(KINDS),
                new Failure("oops", "It broke."),
                null,
                chance.fraction(),
                waiting.id());
    world.reports().send(new Letter<>(name, report, _ -> {}));
  }

  @Override
  public void settle() {
    look();
    seen.forEach(this::apply);
    seen.clear();
  }
}
