package dev.millrace.engine.sim;

import static dev.millrace.engine.memory.BrokenLaw.require;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Orders jobs, asks again when it hears nothing, and sometimes changes its mind. */
final class Client implements Actor {

  /** A request as the client remembers it; asking again is asking for the same. */
  private static final class Ask {
    private final SubmitJob first;
    private @Nullable JobId told;
    private boolean answered;

    Ask(SubmitJob first) {
      this.first = first;
    }
  }

  private final String name;
  private final Wallet.Owner owner;
  private final World world;
  private final Chance chance;
  private final List<Ask> asks = new ArrayList<>();

  Client(String name, Wallet.Owner owner, World world) {
    this.name = name;
    this.owner = owner;
    this.world = world;
    this.chance = world.chance();
  }

  @Override
  public void act() {
    int what = chance.below(10);
    if (asks.isEmpty() || what < 5) {
      order();
    } else if (what < 7) {
      repeat(chance.pick(asks));
    } else {
      cancel(chance.pick(asks));
    }
  }

  private void order() {
    int effect = chance.below(Catalogue.EFFECTS.size());
    boolean keyed = chance.percent(70);
    Instant later = world.stage().now().plusSeconds(chance.between(-5, 90));
    SubmitJob order =
        world
            .orders()
            .draw(
                owner,
                effect,
                keyed ? "k" + chance.below(world.climate().keys()) : null,
                chance.percent(20) ? later : null);
    Ask ask = new Ask(order);
    asks.add(ask);
    send(ask, order);
  }

  /** The same request; the server gives each a new id, and only a key makes them one. */
  private void repeat(Ask ask) {
    if (ask.first.identity().key() != null) {
      send(ask, OrderBook.again(ask.first, chance.uuid()));
    }
  }

  private void send(Ask ask, SubmitJob order) {
    world.log(name + " sends " + Words.of(order));
    world.submits().send(new Letter<>(name, order, answer -> hear(ask, order, answer)));
  }

  private void hear(Ask ask, SubmitJob order, Answer<SubmitJob.Result> answer) {
    if (!(answer instanceof Answer.Told(SubmitJob.Result result))) {
      return;
    }
    ask.answered = true;
    switch (result) {
      case SubmitJob.Result.Accepted(var job) -> told(ask, order, job.id());
      case SubmitJob.Result.Replayed(JobId job) -> told(ask, order, job);
      case SubmitJob.Result.KeyMismatch _,
          SubmitJob.Result.InsufficientCredits _,
          SubmitJob.Result.Blocked _,
          SubmitJob.Result.TooManyActive _,
          SubmitJob.Result.QuotaUsedUp _,
          SubmitJob.Result.StorageFull _,
          SubmitJob.Result.Withheld _ -> {}
    }
  }

  private void told(Ask ask, SubmitJob order, JobId job) {
    require(
        ask.told == null || ask.told.equals(job), "one key is told one job", order, ask.told, job);
    require(job.tenant() == owner.tenant(), "nobody hears of another tenant's job", order, job);
    ask.told = job;
  }

  private void cancel(Ask ask) {
    if (ask.told == null) {
      return;
    }
    boolean foreign = chance.percent(10);
    JobId job = foreign ? new JobId(3 - owner.tenant(), ask.told.uuid()) : ask.told;
    Report cancel = new Report.Cancel(job);
    world.log(name + " sends " + Words.of(cancel));
    world.reports().send(new Letter<>(name, cancel, _ -> {}));
  }

  @Override
  public void settle() {
    for (Ask ask : asks) {
      if (!ask.answered) {
        repeat(ask);
      }
    }
  }
}
