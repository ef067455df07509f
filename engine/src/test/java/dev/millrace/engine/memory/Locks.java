package dev.millrace.engine.memory;

import java.util.HashMap;
import java.util.Map;

/** Who holds which row. Nobody waits here: a transaction that would have to is turned away. */
final class Locks {

  private final Map<Object, MemoryTransaction> holders = new HashMap<>();

  void take(Object row, MemoryTransaction transaction) {
    MemoryTransaction holder = holders.putIfAbsent(row, transaction);
    if (holder != null && !holder.equals(transaction)) {
      throw new Busy(row);
    }
  }

  boolean free(Object row) {
    return !holders.containsKey(row);
  }

  void releaseAll(MemoryTransaction transaction) {
    holders.values().removeIf(transaction::equals);
  }
}
