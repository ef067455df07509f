package dev.millrace.engine.memory;

import java.util.HashMap;
import java.util.Map;

/** Who holds which row. Nobody waits here: a transaction that would have to is turned away. */
final class Locks {

  /** Somebody who is no transaction of ours, and holds a row for as long as he likes. */
  private static final Object STRANGER = new Object();

  private final Map<Object, Object> holders = new HashMap<>();

  static Object worker(String name) {
    return "worker " + name;
  }

  void take(Object row, MemoryTransaction transaction) {
    if (!tryTake(row, transaction)) {
      throw new Busy(row);
    }
  }

  boolean tryTake(Object row, MemoryTransaction transaction) {
    Object holder = holders.putIfAbsent(row, transaction);
    return holder == null || holder.equals(transaction);
  }

  /** False if somebody has it already. */
  boolean takeByStranger(Object row) {
    return holders.putIfAbsent(row, STRANGER) == null;
  }

  void releaseByStranger(Object row) {
    holders.remove(row, STRANGER);
  }

  boolean holds(Object row, MemoryTransaction transaction) {
    return transaction.equals(holders.get(row));
  }

  boolean free(Object row) {
    return !holders.containsKey(row);
  }

  void releaseAll(MemoryTransaction transaction) {
    holders.values().removeIf(transaction::equals);
  }
}
