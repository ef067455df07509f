package dev.millrace.engine.sim.bugs;

import java.util.List;

/** Renders {@code docs/simulation.md}. */
final class SimulationPage {

  private static final String HEAD =
      """
      # The simulation

      <!-- Written by SeededBugsSimTest down to the mutants; run it with -Dmillrace.regenerate=true. -->

      The engine decides against ports, so a test can put anything behind them. The simulation puts all of this there:
      clients, payers, workers, reapers, an outside provider and its webhooks, reviewers and administrators, two nodes, and
      a clock that the test turns. One seed decides everything that happens, which is a *schedule*. The same seed always
      gives the same schedule, so a failure can be repeated line by line.

      What a schedule may contain, at any point:

      - the connection or the node breaks before or after any port call, or at the commit, on either side of it
      - the database gives up on a transaction, or runs it again
      - another node gets a turn, or time passes, between two calls of an open transaction
      - an answer is lost, a command arrives twice, or late, or in another order
      - a webhook comes before its reference is stored, twice, too late, or about nothing
      - a worker crashes and comes back with an old token; the reaper acts on what it saw long ago, or by a fast clock
      - the clock jumps, by milliseconds or hours, and sometimes back
      - caps on what runs at once, of each tenant and of some effects; retries in place of what failed, and deletions

      What must hold:

      - **The laws** of the rows, after each commit for what it touched, and for everything in the end.
      - **The answers.** An oracle knows, from the commands and answers before, what each committed command must have been
        answered, and that the rows say the same. What was answered has happened; what was rolled back has not.
      - **The end.** Once the faults stop, every job comes to an end, and right after a sweep nothing is overdue.

      `MemorySimTest` runs 20,000 schedules in memory, which between them take every way of the lifecycle's table and end
      jobs that were retried in place in every way in which others end. `TransactionConformanceTest` compares the store in
      memory with PostgreSQL, port by port. `PgSimTest` runs 500 on a real PostgreSQL: backends are killed before and after
      statements and on either side of a commit, the clock is a function in a schema before `pg_catalog`, and the doctor
      examines every schedule's rows. `./millrace test --long` runs fifty times as many of both. A failure prints its seed,
      the hash of its event log and the last lines. Repeat it with `-Dmillrace.sim.seed=N`; `-Dmillrace.sim.from=N` goes on
      at a seed on PostgreSQL.

      ## The bugs that it has to catch

      A test that has never failed proves little. So each of these mistakes is planted from test code, one at a time (the
      engine has no switch for any of them), and must be caught within 1,000 seeds. The last column says how many schedules
      it took, beginning with seed 1.

      | bug | what it does | the first law it broke | seeds |
      |---|---|---|---|
      """;

  private static final String MUTANTS = "\n## Mutants\n";

  private SimulationPage() {}

  /** The page, with what people wrote below the table. */
  static String render(List<Hunt.Caught> caught, String old) {
    StringBuilder page = new StringBuilder(HEAD);
    for (Hunt.Caught one : caught) {
      page.append(
          "| %s | %s | %s | %d |\n"
              .formatted(one.bug().name(), one.bug().story(), one.law(), one.seeds()));
    }
    int mutants = old.indexOf(MUTANTS);
    return page.append(mutants < 0 ? "" : old.substring(mutants)).toString();
  }
}
