package dev.millrace.postgres.history;

import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A part of a table that is cut by the ids of jobs, which begin with the time. The default
 * partition, which has no bounds, is none of these.
 *
 * @param first the least id in it, or null if it begins with the first job ever
 * @param before the least id that is no longer in it
 */
record Partition(String name, @Nullable UUID first, UUID before) {

  private static final String PARTITIONS =
      """
      select name,
          cast(substring(bounds from 'FROM \\(''([0-9a-f-]{36})''\\)') as uuid) as first,
          cast(substring(bounds from 'TO \\(''([0-9a-f-]{36})''\\)') as uuid) as before
      from (
          select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
          from pg_inherits i
          join pg_class c on c.oid = i.inhrelid
          where i.inhparent = cast(:parent as regclass)) p
      where bounds <> 'DEFAULT'
      order by before
      """;

  /** The version and the variant of an id whose other bits are all zero. */
  private static final long VERSION_7 = 0x7000L;

  private static final long VARIANT = 0x8000_0000_0000_0000L;

  /** The partitions of a table, the oldest first. */
  static List<Partition> of(Handle handle, String parent) {
    return handle
        .createQuery(PARTITIONS)
        .bind("parent", parent)
        .map((row, _) ->
            new Partition(
                row.getString("name"),
                row.getObject("first", UUID.class),
                row.getObject("before", UUID.class)))
        .list();
  }

  /** The least id of a job that is made in this month of UTC. */
  static UUID bound(YearMonth month) {
    long millis = month.atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
    return new UUID(millis << 16 | VERSION_7, VARIANT);
  }

  /** The month in which it ends. */
  YearMonth month() {
    return YearMonth.from(instant(before).minusMillis(1).atOffset(ZoneOffset.UTC));
  }

  boolean covers(YearMonth month) {
    Instant begin = instant(bound(month));
    return (first == null || !instant(first).isAfter(begin)) && instant(before).isAfter(begin);
  }

  private static Instant instant(UUID id) {
    return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
  }
}
