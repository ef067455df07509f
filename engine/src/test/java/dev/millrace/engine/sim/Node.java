package dev.millrace.engine.sim;

import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.command.CommandBatch.Decided;
import dev.millrace.engine.memory.BrokenLaw;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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
  private static final class Truth<C, R> {
    private final int turns;

    /** Those that it ran; the others need what somebody holds. */
    private List<Letter<C, R>> letters;

    private @Nullable Decided<R> decided;
    private Instant at = Instant.MIN;

    Truth(int turns, List<Letter<C, R>> letters) {
      this.turns = turns;
      this.letters = letters;
    }
  }

  <C, R> void handle(Tray<C, R> tray, List<Letter<C, R>> letters) {
    handle(tray, letters, false);
  }

  private <C, R> void handle(Tray<C, R> tray, List<Letter<C, R>> letters, boolean careful) {
    world.log(name + " " + tray.name() + " x" + letters.size());
    Truth<C, R> truth = new Truth<>(world.turnsOfOthers(), letters);
    Answer<R> failure;
    try {
      transact(tray, letters, truth, careful);
      putOff(tray, letters, truth);
      if (truth.decided != null) {
        world.promise(world.stage().committed(), "what is answered has happened", letters);
        tell(tray, truth);
      }
      return;
    } catch (Store.OutcomeUnknown _) {
      putOff(tray, letters, truth);
      failure = new Answer.Unknown<>();
    } catch (RuntimeException e) {
      if (world.stage().busy(e)) {
        wait(tray, letters, careful);
        return;
      }
      if (!(e instanceof Store.RolledBack)) {
        throw new BrokenLaw("no command is a bug in the engine", e + " in " + letters);
      }
      world.promise(!world.stage().committed(), "what was rolled back has not happened", letters);
      if (letters.size() > 1 && !(e instanceof Store.Unavailable)) {
        letters.forEach(letter -> handle(tray, List.of(letter), careful));
        return;
      }
      truth.letters = letters;
      failure = new Answer.Nothing<>();
    }
    if (world.stage().committed() && truth.decided != null) {
      judge(tray, truth);
    }
    world.log("  " + failure.getClass().getSimpleName());
    truth.letters.forEach(letter -> letter.sender().accept(failure));
  }

  /** Goes on without those that need what somebody holds; they come again. */
  private <C, R> void wait(Tray<C, R> tray, List<Letter<C, R>> letters, boolean careful) {
    world.log("  waits for a lock");
    if (careful) {
      letters.forEach(tray::send);
    } else {
      handle(tray, letters, true);
    }
  }

  private <C, R> void putOff(Tray<C, R> tray, List<Letter<C, R>> letters, Truth<C, R> truth) {
    List<Letter<C, R>> left = new ArrayList<>(letters);
    left.removeAll(truth.letters);
    if (!left.isEmpty()) {
      world.log("  puts off " + left.size());
      left.forEach(tray::send);
    }
  }

  private <C, R> void transact(
      Tray<C, R> tray, List<Letter<C, R>> letters, Truth<C, R> truth, boolean careful) {
    CommandBatch<C, R> batch = bug.around(tray.batch());
    bug.around(world.stage().store())
        .transact(tx -> {
          Transaction meddled = bug.around(new Clocked(tx, truth));
          truth.decided = null;
          truth.letters = careful ? free(tray, letters, meddled) : letters;
          if (truth.letters.isEmpty()) {
            return truth;
          }
          List<C> commands = truth.letters.stream().map(Letter::command).toList();
          Decided<R> decided = batch.decide(meddled, commands);
          if (!decided.changes().isEmpty()) {
            meddled.write(decided.changes());
          }
          truth.decided = decided;
          return truth;
        });
  }

  /** Those that need nothing that somebody else holds. */
  private <C, R> List<Letter<C, R>> free(
      Tray<C, R> tray, List<Letter<C, R>> letters, Transaction tx) {
    Set<Row> rows = new HashSet<>();
    letters.forEach(letter -> rows.addAll(tray.batch().needs(letter.command())));
    Set<Row> held = tx.lockFree(rows);
    return letters.stream()
        .filter(letter -> Collections.disjoint(held, tray.batch().needs(letter.command())))
        .toList();
  }

  private <C, R> void tell(Tray<C, R> tray, Truth<C, R> truth) {
    List<Letter<C, R>> letters = truth.letters;
    judge(tray, truth);
    List<R> results = Objects.requireNonNull(truth.decided).results();
    for (int i = 0; i < letters.size(); i++) {
      boolean lost = world.losesReply();
      Letter<C, R> letter = letters.get(i);
      world.log("  " + letter.from() + (lost ? " hears nothing" : " hears"));
      letter.sender().accept(lost ? new Answer.Unknown<>() : new Answer.Told<>(results.get(i)));
    }
  }

  /** What happened must be right, whether or not anybody hears of it. */
  private <C, R> void judge(Tray<C, R> tray, Truth<C, R> truth) {
    List<Letter<C, R>> letters = truth.letters;
    Decided<R> decided = truth.decided;
    if (decided == null) {
      throw new BrokenLaw("nothing is stored that nobody decided", "" + letters);
    }
    BrokenLaw.require(
        decided.results().size() == letters.size(), "each command has its answer", letters);
    boolean alone =
        truth.turns == world.turnsOfOthers() && truth.turns % 2 == 0 && !world.strangerHolds();
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
    private final Truth<?, ?> truth;

    Clocked(Transaction inner, Truth<?, ?> truth) {
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
