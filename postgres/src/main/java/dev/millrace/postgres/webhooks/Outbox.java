package dev.millrace.postgres.webhooks;

import dev.millrace.postgres.history.EventLog;
import dev.millrace.postgres.history.EventLog.Entry;
import dev.millrace.postgres.records.RecordMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Turns the log of events into deliveries. One cursor for all endpoints says up to where the log
 * was read; the node that holds its lock reads on, up to the log's horizon, and moves it in the
 * transaction that stores the deliveries.
 */
public final class Outbox {

  /**
   * Read again each time. A clock that is set back by less than this loses nothing; one that is set
   * back by more is noticed.
   */
  static final Duration OVERLAP = Duration.ofSeconds(2);

  /** How much is read again once the clock was set back. */
  private static final Duration SET_BACK = Duration.ofMinutes(1);

  /** Who has just been here needn't come again. */
  private static final Duration FRESH = Duration.ofMillis(50);

  private static final int CHUNK = 1_000;

  private static final String LISTENERS =
      """
      select tenant_id, id, events, since
      from webhook
      where disabled_at is null
      """;

  private static final String CURSOR =
      """
      select read_before
      from webhook_cursor
      for update skip locked
      """;

  private static final String MOVE =
      """
      update webhook_cursor
      set read_before = :before
      """;

  /**
   * Of an endpoint that is removed meanwhile nothing is stored; one that is there stays so long.
   * The one that stands for those of jobs is told what the job wants to be told, and where.
   */
  private static final String INSERT =
      """
      insert into webhook_delivery (
          tenant_id, webhook_id, message, type, job_id, seq, payload, give_up_at, url)
      select d.tenant_id, d.webhook_id, d.message, d.type, d.job_id, d.seq, d.payload,
          clock_timestamp() + make_interval(secs => :patience), i.notes #>> '{webhook,url}'
      from unnest(
          cast(:tenants as int[]), cast(:webhooks as uuid[]), cast(:messages as text[]),
          cast(:types as text[]), cast(:jobs as uuid[]), cast(:seqs as int[]),
          cast(:payloads as text[]))
          as d (tenant_id, webhook_id, message, type, job_id, seq, payload)
      join (
          select tenant_id, id, of_jobs
          from webhook
          where id = any (cast(:webhooks as uuid[]))
          for key share) w on w.tenant_id = d.tenant_id and w.id = d.webhook_id
      left join job_input i on w.of_jobs and i.tenant_id = d.tenant_id and i.job_id = d.job_id
      where not w.of_jobs
        or jsonb_exists(i.notes #> '{webhook,events}', d.type)
      on conflict (tenant_id, webhook_id, message) do nothing
      """;

  private final Jdbi jdbi;

  public Outbox(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * An endpoint that is told.
   *
   * @param since what happened before is none of its business
   */
  public record Listener(int tenantId, UUID id, List<String> events, Instant since) {
    public Listener {
      events = List.copyOf(events);
    }
  }

  /** A delivery to be stored. */
  public record NewDelivery(
      int tenant, UUID webhook, String message, String type, UUID job, int seq, String payload) {}

  /** Says what an event is to each of those who listen to its tenant. */
  public interface Reading {

    /** True if one of them wants every report of progress. */
    boolean wantsProgress(Collection<Listener> listeners);

    Stream<NewDelivery> deliveries(Entry event, Collection<Listener> listeners);
  }

  /**
   * What a look at the log came to.
   *
   * @param deliveries how many are new
   * @param lag from the end of what was read to the present
   * @param more true if there is more to be read at once
   * @param listening false if nobody listens, or another node reads
   */
  public record Read(int deliveries, Duration lag, boolean more, boolean listening) {
    static final Read NOTHING = new Read(0, Duration.ZERO, false, false);
  }

  /**
   * Reads on for at most so much of the log's time. Nothing happens while another node does.
   *
   * @param patience how long to try each delivery
   */
  public Read read(Reading reading, Duration most, Duration patience) {
    List<Listener> listeners = listeners();
    if (listeners.isEmpty()) {
      return Read.NOTHING;
    }
    return jdbi.inTransaction(handle ->
        handle
            .createQuery(CURSOR)
            .mapTo(Instant.class)
            .findOne()
            .map(cursor -> read(handle, cursor, reading, most, patience))
            .orElse(Read.NOTHING));
  }

  private List<Listener> listeners() {
    return jdbi.withHandle(Outbox::listeners);
  }

  private static List<Listener> listeners(Handle handle) {
    return handle.createQuery(LISTENERS).map(RecordMapper.of(Listener.class)).list();
  }

  private static Read read(
      Handle handle, Instant stored, Reading reading, Duration most, Duration patience) {
    EventLog.Times times = EventLog.times(handle);
    // Asked for after the horizon was, so that whoever began to listen before it is among them.
    List<Listener> listeners = listeners(handle);
    if (listeners.isEmpty()) {
      return Read.NOTHING;
    }
    Instant cursor = stored;
    if (times.now().isBefore(cursor)) {
      // The clock was set back: what happens now has times that were read already.
      cursor = times.now().minus(SET_BACK);
    }
    Instant earliest =
        listeners.stream().map(Listener::since).min(Instant::compareTo).orElseThrow();
    if (cursor.isBefore(earliest)) {
      cursor = earliest;
    }
    Instant horizon = times.horizon();
    if (horizon.isBefore(cursor.plus(FRESH))) {
      return new Read(0, lag(times.now(), cursor), false, true);
    }
    Instant before = horizon.isBefore(cursor.plus(most)) ? horizon : cursor.plus(most);
    int made =
        deliver(handle, cursor.minus(OVERLAP), before, reading, listeners, seconds(patience));
    handle.createUpdate(MOVE).bind("before", before).execute();
    return new Read(made, lag(times.now(), before), before.isBefore(horizon), true);
  }

  private static Duration lag(Instant now, Instant read) {
    return read.isBefore(now) ? Duration.between(read, now) : Duration.ZERO;
  }

  private static int deliver(
      Handle handle,
      Instant from,
      Instant before,
      Reading reading,
      List<Listener> listeners,
      double patience) {
    Chunks chunks = new Chunks(handle, patience);
    EventLog.byTime(handle);
    try (Stream<Entry> events =
        handle
            .createQuery(EventLog.BETWEEN)
            .bind("from", from)
            .bind("before", before)
            .bind("progress", reading.wantsProgress(listeners))
            .bindArray(
                "tenants",
                Integer.class,
                listeners.stream().map(Listener::tenantId).distinct().toList())
            .setFetchSize(CHUNK)
            .map(RecordMapper.of(Entry.class))
            .stream()) {
      events.forEach(event -> reading.deliveries(event, listeners).forEach(chunks));
    }
    return chunks.rest();
  }

  /** Gathers deliveries and stores them a thousand at a time. */
  private static final class Chunks implements Consumer<NewDelivery> {

    private final Handle handle;
    private final double patience;
    private final List<NewDelivery> gathered = new ArrayList<>();
    private int stored;

    Chunks(Handle handle, double patience) {
      this.handle = handle;
      this.patience = patience;
    }

    @Override
    public void accept(NewDelivery delivery) {
      gathered.add(delivery);
      if (gathered.size() == CHUNK) {
        store();
      }
    }

    int rest() {
      if (!gathered.isEmpty()) {
        store();
      }
      return stored;
    }

    private void store() {
      stored +=
          handle
              .createUpdate(INSERT)
              .bind("patience", patience)
              .bindArray("tenants", Integer.class, list(NewDelivery::tenant))
              .bindArray("webhooks", UUID.class, list(NewDelivery::webhook))
              .bindArray("messages", String.class, list(NewDelivery::message))
              .bindArray("types", String.class, list(NewDelivery::type))
              .bindArray("jobs", UUID.class, list(NewDelivery::job))
              .bindArray("seqs", Integer.class, list(NewDelivery::seq))
              .bindArray("payloads", String.class, list(NewDelivery::payload))
              .execute();
      gathered.clear();
    }

    private <T> List<T> list(Function<NewDelivery, T> field) {
      return gathered.stream().map(field).toList();
    }
  }

  private static double seconds(Duration duration) {
    return Webhooks.seconds(duration);
  }
}
