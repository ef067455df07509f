package dev.millrace.postgres.history;

import dev.millrace.postgres.history.History.Archived;
import dev.millrace.postgres.history.History.Disposal;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes old months out, each in one transaction with what the wallets must remember of it. */
final class PastMonths {

  private static final Logger LOG = LoggerFactory.getLogger(PastMonths.class);

  private static final String BEGIN =
      """
      select history_begins()
      """;

  private static final String LIVE =
      """
      select count(*)
      from dispatch
      where job_id >= :first
        and job_id < :before
      """;

  private static final String SUMS =
      """
      select wallet_id, sum(amount) as amount, max(id) as newest, count(*) as lines
      from ledger
      where job_id >= :first
        and job_id < :before
      group by wallet_id
      order by wallet_id
      """;

  private static final String LOCK_WALLETS =
      """
      select count(*)
      from (
          select w.id
          from wallet w
          where w.id = any (:wallets)
          order by w.id
          for update of w) locked
      """;

  private static final String REMEMBER =
      """
      update wallet w
      set archived = w.archived + s.amount,
          archived_line = greatest(w.archived_line, s.newest)
      from unnest(
          cast(:wallets as bigint[]), cast(:amounts as bigint[]), cast(:newest as bigint[]))
          as s (wallet_id, amount, newest)
      where w.id = s.wallet_id
      """;

  private static final String COUNT_EVENTS =
      """
      select count(*)
      from job_event
      where job_id >= :first
        and job_id < :before
      """;

  private static final String RECORD =
      """
      insert into archive (month, job_before, lines, events)
      values (:month, :before, :lines, :events)
      """;

  private static final String PLACE =
      """
      select to_regnamespace('archive') is not null
      """;

  /** What one wallet must remember of a month. */
  private record Sum(long wallet, long amount, long newest, long lines) {}

  /**
   * What ends at one bound; a table may lack it if its rows had to stay in the default partition.
   */
  private record Slice(
      YearMonth month, UUID before, @Nullable Partition ledger, @Nullable Partition events) {}

  private PastMonths() {}

  static List<Archived> archive(Handle handle, YearMonth before, Disposal disposal) {
    List<Archived> archived = new ArrayList<>();
    for (Slice slice : slices(handle, before)) {
      Optional<Archived> done = tryOne(handle, slice, disposal);
      if (done.isEmpty()) {
        break;
      }
      archived.add(done.get());
    }
    return archived;
  }

  private static List<Slice> slices(Handle handle, YearMonth before) {
    List<Partition> ledger = Partition.of(handle, "ledger");
    List<Partition> events = Partition.of(handle, "job_event");
    return Stream.concat(ledger.stream(), events.stream())
        .filter(partition -> partition.month().isBefore(before))
        .map(Partition::before)
        .distinct()
        .sorted()
        .map(bound -> slice(bound, endingAt(ledger, bound), endingAt(events, bound)))
        .toList();
  }

  private static Slice slice(UUID bound, @Nullable Partition ledger, @Nullable Partition events) {
    return new Slice(new Partition("", null, bound).month(), bound, ledger, events);
  }

  private static @Nullable Partition endingAt(List<Partition> partitions, UUID bound) {
    return partitions.stream()
        .filter(partition -> partition.before().equals(bound))
        .findFirst()
        .orElse(null);
  }

  private static Optional<Archived> tryOne(Handle handle, Slice slice, Disposal disposal) {
    try {
      return handle.inTransaction(inside -> one(inside, slice, disposal));
    } catch (JdbiException e) {
      if (!History.busy(e)) {
        throw e;
      }
      LOG.info("{} will be archived later, when the tables are less busy", slice.month());
      return Optional.empty();
    }
  }

  private static Optional<Archived> one(Handle handle, Slice slice, Disposal disposal) {
    History.beImpatient(handle);
    History.beSlow(handle);
    UUID begin = handle.createQuery(BEGIN).mapTo(UUID.class).one();
    long events = slice.events() == null ? 0 : count(handle, COUNT_EVENTS, begin, slice.before());
    // From here on no line is added to this month, and nobody but a retry in place would add one.
    if (slice.ledger() != null) {
      handle.execute("lock table " + slice.ledger().name() + " in share row exclusive mode");
    }
    long live = count(handle, LIVE, begin, slice.before());
    if (live > 0) {
      LOG.warn("{} is not archived, because {} of its jobs have not ended", slice.month(), live);
      return Optional.empty();
    }
    long lines = slice.ledger() == null ? 0 : remember(handle, slice.ledger());
    handle
        .createUpdate(RECORD)
        .bind("month", slice.month().atDay(1))
        .bind("before", slice.before())
        .bind("lines", lines)
        .bind("events", events)
        .execute();
    takeOut(handle, "ledger", slice.ledger(), disposal);
    takeOut(handle, "job_event", slice.events(), disposal);
    return Optional.of(new Archived(slice.month(), lines, events));
  }

  /**
   * Adds up before it locks the wallets: no line comes any more, and everybody waits for a wallet.
   */
  private static long remember(Handle handle, Partition ledger) {
    UUID first = ledger.first() == null ? new UUID(0, 0) : ledger.first();
    List<Sum> sums =
        handle
            .createQuery(SUMS)
            .bind("first", first)
            .bind("before", ledger.before())
            .map((row, _) ->
                new Sum(
                    row.getLong("wallet_id"),
                    row.getLong("amount"),
                    row.getLong("newest"),
                    row.getLong("lines")))
            .list();
    List<Long> wallets = sums.stream().map(Sum::wallet).toList();
    handle
        .createQuery(LOCK_WALLETS)
        .bindArray("wallets", Long.class, wallets)
        .mapTo(Long.class)
        .one();
    handle
        .createUpdate(REMEMBER)
        .bindArray("wallets", Long.class, wallets)
        .bindArray("amounts", Long.class, sums.stream().map(Sum::amount).toList())
        .bindArray("newest", Long.class, sums.stream().map(Sum::newest).toList())
        .execute();
    return sums.stream().mapToLong(Sum::lines).sum();
  }

  private static void takeOut(
      Handle handle, String parent, @Nullable Partition partition, Disposal disposal) {
    if (partition == null) {
      return;
    }
    handle.execute("alter table %s detach partition %s".formatted(parent, partition.name()));
    switch (disposal) {
      case DROP -> handle.execute("drop table " + partition.name());
      case KEEP -> {
        // An operator whose user may not make schemas makes this one beforehand.
        if (!handle.createQuery(PLACE).mapTo(Boolean.class).one()) {
          handle.execute("create schema archive");
        }
        handle.execute("alter table %s set schema archive".formatted(partition.name()));
      }
    }
  }

  private static long count(Handle handle, String sql, UUID first, UUID before) {
    return handle
        .createQuery(sql)
        .bind("first", first)
        .bind("before", before)
        .mapTo(Long.class)
        .one();
  }
}
