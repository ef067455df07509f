package dev.millrace.engine.sim;

import dev.millrace.engine.job.JobId;
import dev.millrace.engine.memory.MemoryTables;
import dev.millrace.engine.money.Wallet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Somebody with a session of his own, who locks a row now and then, and keeps it for a while. */
final class Stranger {

  private final World world;

  /** His own, so that the others do the same with him and without him. */
  private final Chance chance;

  private @Nullable Object held;

  Stranger(World world, Chance chance) {
    this.world = world;
    this.chance = chance;
  }

  boolean holds() {
    return held != null;
  }

  void act() {
    if (held != null) {
      if (chance.percent(40)) {
        leave();
      }
    } else if (world.stage().cheapToLook() && chance.percent(30)) {
      take();
    }
  }

  private void take() {
    MemoryTables tables = world.stage().look();
    List<Object> rows = new ArrayList<>();
    for (Wallet wallet : tables.wallets.values()) {
      rows.add(wallet.owner());
    }
    rows.addAll(tables.finishes.keySet());
    for (JobId id : tables.jobs.keySet()) {
      rows.add(id);
    }
    if (rows.isEmpty()) {
      return;
    }
    Object row = chance.pick(rows);
    if (world.stage().holdByStranger(row)) {
      held = row;
      world.log("a stranger holds " + row);
    }
  }

  void leave() {
    if (held != null) {
      world.log("the stranger lets go");
      world.stage().releaseByStranger(held);
      held = null;
    }
  }
}
