package dev.millrace.engine.memory;

/** What is always true of the rows, whatever happened. The same laws as the doctor's, in memory. */
public final class Laws {

  private Laws() {}

  public static void check(MemoryTables tables) {
    new Watch(tables).always();
  }
}
