package dev.millrace.engine.sim;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.memory.MemoryTables;
import dev.millrace.engine.port.Store;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Where a schedule is played: in memory, or on a database. */
public interface Stage {

  /** Breaks as its faults tell it to. */
  Store store();

  /** Whether the store's newest transaction happened, whatever its caller was told. */
  boolean committed();

  /** Whether a transaction failed only because another one, which is open, holds its rows. */
  boolean busy(RuntimeException failure);

  /** Somebody who is no node locks this row, if nobody has it; not every stage lets him in. */
  default boolean holdByStranger(Object row) {
    return false;
  }

  default void releaseByStranger(Object row) {}

  /**
   * Sets the caps of this schedule, before anything happens.
   *
   * @param perTenant how many jobs of each tenant may run at once; 0 for any number
   * @param perEffect how many of each effect that has a cap
   */
  void cap(int perTenant, Map<Integer, Integer> perEffect);

  Instant now();

  void setNow(Instant now);

  /** What a reaper finds now. */
  List<Report> suspects();

  /** What a collector finds in the inbox now. */
  List<WaitingCallback> waitingCallbacks();

  /** All rows as they are now. */
  MemoryTables look();

  /** True if {@link #look} is free, so that it can be asked after each commit. */
  boolean cheapToLook();

  /** Checks what holds right after a sweep of the reaper. */
  void checkSwept();

  /** Checks all laws. */
  void checkEverything();
}
