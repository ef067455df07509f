package dev.millrace.engine.sim;

import dev.millrace.engine.command.CommandBatch;
import java.util.ArrayList;
import java.util.List;

/** Commands of one kind that are under way to some node; they arrive in any order. */
final class Tray<C, R> {

  /** Knows what a committed command must have been answered. */
  interface Judge<C, R> {
    void judge(C command, R result);
  }

  private final String name;
  private final CommandBatch<C, R> batch;
  private final int maxBatch;
  private final Judge<C, R> judge;
  private final List<Letter<C, R>> letters = new ArrayList<>();

  Tray(String name, CommandBatch<C, R> batch, int maxBatch, Judge<C, R> judge) {
    this.name = name;
    this.batch = batch;
    this.maxBatch = maxBatch;
    this.judge = judge;
  }

  String name() {
    return name;
  }

  CommandBatch<C, R> batch() {
    return batch;
  }

  void judge(C command, R result) {
    judge.judge(command, result);
  }

  void send(Letter<C, R> letter) {
    letters.add(letter);
  }

  int size() {
    return letters.size();
  }

  /** Some of the letters, in any order. */
  List<Letter<C, R>> take(Chance chance, int most) {
    List<Letter<C, R>> taken = new ArrayList<>();
    int count = Math.min(chance.between(1, Math.min(most, maxBatch)), letters.size());
    for (int i = 0; i < count; i++) {
      taken.add(letters.remove(chance.below(letters.size())));
    }
    return taken;
  }
}
