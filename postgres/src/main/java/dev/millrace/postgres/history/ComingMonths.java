package dev.millrace.postgres.history;

import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes partitions before they are needed.
 *
 * <p>PostgreSQL wants to know that the default partition has no row of the new month, and reads all
 * of it while everybody waits. A constraint that says the same is checked before, while writers go
 * on, and lets it skip that. It stands for a moment only: a month that has come must find a place.
 */
final class ComingMonths {

  private static final Logger LOG = LoggerFactory.getLogger(ComingMonths.class);

  private static final String CHECK_VIOLATION = "23514";

  private static final String LEFT_OVER =
      """
      select count(*) > 0
      from pg_constraint
      where conrelid = cast(:table as regclass)
        and conname = 'coming_month'
      """;

  private ComingMonths() {}

  static List<String> ensure(Handle handle, YearMonth now, int months) {
    List<String> made = new ArrayList<>();
    for (String table : History.TABLES) {
      // Somebody died in the middle, and inserts of the month that was to come would be refused.
      if (leftOver(handle, table)) {
        liftConstraint(handle, table);
      }
      List<Partition> there = Partition.of(handle, table);
      for (int ahead = 1; ahead <= months; ahead++) {
        YearMonth month = now.plusMonths(ahead);
        if (there.stream().noneMatch(partition -> partition.covers(month))
            && make(handle, table, month)) {
          made.add(name(table, month));
        }
      }
    }
    return made;
  }

  static String name(String table, YearMonth month) {
    return "%s_%04d_%02d".formatted(table, month.getYear(), month.getMonthValue());
  }

  private static boolean make(Handle handle, String table, YearMonth month) {
    String name = name(table, month);
    try {
      step(handle, "create table if not exists %s (like %s including all)".formatted(name, table));
      step(
          handle,
          """
          alter table %s_default
              add constraint coming_month
              check (job_id is null or job_id < '%s' or job_id >= '%s') not valid
          """
              .formatted(table, Partition.bound(month), Partition.bound(month.plusMonths(1))));
      attach(handle, table, month);
      return true;
    } catch (JdbiException e) {
      if (History.busy(e)) {
        LOG.info("The partition {} will be made later, when {} is less busy", name, table);
      } else if (History.is(e, CHECK_VIOLATION)) {
        LOG.warn(
            "{} has rows of {} in its default partition already, made by a clock that is ahead."
                + " That month gets no partition of its own and can't be archived.",
            table,
            month);
        step(handle, "drop table " + name);
      } else {
        throw e;
      }
      return false;
    }
  }

  private static void attach(Handle handle, String table, YearMonth month) {
    try {
      step(handle, "alter table %s_default validate constraint coming_month".formatted(table));
      step(
          handle,
          "alter table %s attach partition %s for values from ('%s') to ('%s')"
              .formatted(
                  table,
                  name(table, month),
                  Partition.bound(month),
                  Partition.bound(month.plusMonths(1))));
    } finally {
      liftConstraint(handle, table);
    }
  }

  private static boolean leftOver(Handle handle, String table) {
    return handle
        .createQuery(LEFT_OVER)
        .bind("table", table + "_default")
        .mapTo(Boolean.class)
        .one();
  }

  private static void liftConstraint(Handle handle, String table) {
    step(handle, "alter table %s_default drop constraint if exists coming_month".formatted(table));
  }

  /** Each step commits by itself, so that its lock is held for a moment only. */
  private static void step(Handle handle, String sql) {
    handle.useTransaction(inside -> {
      History.beImpatient(inside);
      inside.execute(sql);
    });
  }
}
