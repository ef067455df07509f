package dev.millrace.postgres;

/**
 * For the engine's statements. Their plans don't depend on what is in the arrays, so they are made
 * once; a batch is small beside the tables it meets, so rows are looked up by index, also in tables
 * that were small when the plan was made. What is switched off is still done where there is no
 * other way. PostgreSQL thinks such plans dear, and would compile them for longer than they run.
 */
public final class SteadyPlans {

  public static final String SESSION =
      """
      set plan_cache_mode = force_generic_plan;
      set enable_hashjoin = off;
      set enable_mergejoin = off;
      set enable_seqscan = off;
      set enable_bitmapscan = off;
      set enable_material = off;
      set enable_sort = off;
      set enable_incremental_sort = off;
      set jit = off;
      """;

  private SteadyPlans() {}
}
