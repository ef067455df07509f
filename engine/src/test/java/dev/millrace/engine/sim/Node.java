package dev.millrace.engine.sim;

import dev.millrace.engine.command.Batch;
import dev.millrace.engine.command.Batch.Decided;
import dev.millrace.engine.memory.BrokenLaw;
import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A server node: runs a batch as the engine's lanes do, and answers as they do. */
final class Node {

  private final String name;
  private final World world;
  private final Bug bug;

  Node(String name, World world, Bug bug) {
    this.name = name;
    this.world = world;
    this.bug = bug;
  }

  /** What a transaction decided, known to nobody in the simulated world unless it is told. */
  private static final class Truth<R> {
    private final int turns;
    private @Nullable Decided<R> decided;
    private Instant at = Instant.MIN;

    Truth(int turns) {
      this.turns = turns;
    }
  }

  <C, R> void handle(Tray<C, R> tray, List<Letter<C, R>> letters) {
    world.log(name + " " + tray.name() + " x" + letters.size());
    Truth<R> truth = new Truth<>(world.turnsOfOthers());
    Answer<R> failure;
    try {
      transact(tray, letters, truth);
      world.promise(world.stage().committed(), "what is answered has happened", letters);
      tell(tray, letters, truth);
      return;
    } catch (Store.OutcomeUnknown _) {
      failure = new Answer.Unknown<>();
    } catch (RuntimeException e) {
      if (world.stage().busy(e)) {
        world.log("  waits for a lock");
        letters.forEach(tray::send);
        return;
      }
      if (!(e instanceof Store.RolledBack)) {
        throw new BrokenLaw("no command is a bug in the engine", e + " in " + letters);
      }
      world.promise(!world.stage().committed(), "what was rolled back has not happened", letters);
      if (letters.size() > 1 && !(e instanceof Store.Unavailable)) {
        letters.forEach(letter -> handle(tray, List.of(letter)));
        return;
      }
      failure = new Answer.Nothing<>();
    }
    if (world.stage().committed()) {
      judge(tray, letters, truth);
    }
    world.log("  " + failure.getClass().getSimpleName());
    letters.forEach(letter -> letter.sender().accept(failure));
  }

  private <C, R> void transact(Tray<C, R> tray, List<Letter<C, R>> letters, Truth<R> truth) {
    List<C> commands = letters.stream().map(Letter::command).toList();
    Batch<C, R> batch = bug.around(tray.batch());
    bug.around(world.stage().store())
        .transact(tx -> {
          Transaction meddled = bug.around(new Clocked(tx, truth));
          Decided<R> decided = batch.decide(meddled, commands);
          if (!decided.changes().isEmpty()) {
            meddled.write(decided.changes());
          }
          truth.decided = decided;
          return decided;
        });
  }

  private <C, R> void tell(Tray<C, R> tray, List<Letter<C, R>> letters, Truth<R> truth) {
    judge(tray, letters, truth);
    List<R> results = Objects.requireNonNull(truth.decided).results();
    for (int i = 0; i < letters.size(); i++) {
      boolean lost = world.losesReply();
      Letter<C, R> letter = letters.get(i);
      world.log("  " + letter.from() + (lost ? " hears nothing" : " hears"));
      letter.sender().accept(lost ? new Answer.Unknown<>() : new Answer.Told<>(results.get(i)));
    }
  }

  /** What happened must be right, whether or not anybody hears of it. */
  private <C, R> void judge(Tray<C, R> tray, List<Letter<C, R>> letters, Truth<R> truth) {
    Decided<R> decided = truth.decided;
    if (decided == null) {
      throw new BrokenLaw("nothing is stored that nobody decided", "" + letters);
    }
    BrokenLaw.require(
        decided.results().size() == letters.size(), "each command has its answer", letters);
    boolean alone = truth.turns == world.turnsOfOthers() && truth.turns % 2 == 0;
    world.oracle().at(truth.at, alone);
    for (int i = 0; i < letters.size(); i++) {
      C command = letters.get(i).command();
      R result = decided.results().get(i);
      world.log("  " + Words.of(command) + " = " + Words.of(result));
      tray.judge(command, result);
    }
    world.oracle().written(decided.changes());
  }

  /** Notes the time that the batch saw. */
  private static final class Clocked extends Delegate {
    private final Truth<?> truth;

    Clocked(Transaction inner, Truth<?> truth) {
      super(inner);
      this.truth = truth;
    }

    @Override
    public Instant now() {
      truth.at = super.now();
      return truth.at;
    }
  }
}
