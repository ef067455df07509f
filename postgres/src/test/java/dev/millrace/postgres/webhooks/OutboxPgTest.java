package dev.millrace.postgres.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.history.EventLog;
import dev.millrace.postgres.history.EventLog.Entry;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.postgres.webhooks.Outbox.Listener;
import dev.millrace.postgres.webhooks.Outbox.NewDelivery;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every event that an endpoint asked for becomes one delivery, in whatever order they commit. */
class OutboxPgTest {

  private static final Duration DAY = Duration.ofDays(1);
  private static final String HASH = "0f".repeat(32);

  /** An event of a job that nobody else knows. */
  private static final String LATE =
      """
      insert into job_event (tenant_id, job_id, seq, trigger, state, progress, attempt, at)
      values (%d, '00000000-0000-7000-8000-00000000000%d', 1, 'submit', 'queued', 0, 0,
          clock_timestamp())
      """;

  private final EngineRig rig = EngineRig.open();
  private final Outbox outbox = rig.database().outbox();
  private UUID webhook = UUID.randomUUID();

  @BeforeEach
  void listen() {
    webhook = endpoint();
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.place()
        .execute("delete from job_event where job_id < '00000000-0000-7000-9000-000000000000'");
    rig.close();
  }

  private UUID endpoint() {
    UUID id = UUID.randomUUID();
    assertThat(
            rig.database()
                .webhooks()
                .create(
                    id,
                    new Webhooks.Wish("https://example.com", null, List.of("*")),
                    HASH,
                    10,
                    line("webhook.create")))
        .isPresent();
    return id;
  }

  private Audit.Line line(String action) {
    return new Audit.Line(rig.acme(), "key:ops", action, "x", null);
  }

  /** Takes everything but progress, as an endpoint that asks for all does. */
  private static final class All implements Outbox.Reading {

    @Override
    public boolean wantsProgress(Collection<Listener> listeners) {
      return false;
    }

    @Override
    public Stream<NewDelivery> deliveries(Entry event, Collection<Listener> listeners) {
      return listeners.stream()
          .filter(each -> each.tenantId() == event.tenantId())
          .filter(each -> !event.at().isBefore(each.since()))
          .map(each ->
              new NewDelivery(
                  each.tenantId(),
                  each.id(),
                  "msg_" + event.jobId().toString().replace("-", "") + "_" + event.seq(),
                  "job." + event.change().state().label(),
                  event.jobId(),
                  event.seq(),
                  "{}"));
    }
  }

  /** Somebody removes an endpoint while its events are read. */
  private final class Removing implements Outbox.Reading {

    private final All all = new All();

    @Override
    public boolean wantsProgress(Collection<Listener> listeners) {
      return false;
    }

    @Override
    public Stream<NewDelivery> deliveries(Entry event, Collection<Listener> listeners) {
      rig.database().webhooks().delete(webhook, line("webhook.delete"));
      return all.deliveries(event, listeners);
    }
  }

  /** Reads until there is no more; how many deliveries were made. */
  private int read() {
    return read(new All());
  }

  private int read(Outbox.Reading reading) {
    // If the last look was a moment ago, or the endpoint is that young, nobody looks.
    await()
        .until(() ->
            "t"
                .equals(
                    rig.place()
                        .ask(
                            """
                            select clock_timestamp() > interval '60 ms'
                                + greatest(read_before, (select max(since) from webhook))
                            from webhook_cursor
                            """)));
    int made = 0;
    Outbox.Read read;
    do {
      read = outbox.read(reading, Duration.ofSeconds(10), DAY);
      made += read.deliveries();
    } while (read.more());
    return made;
  }

  private String count(String what) {
    return String.valueOf(rig.place().ask("select count(*) from webhook_delivery where " + what));
  }

  @Test
  void each_event_becomes_one_delivery_and_progress_none() throws InterruptedException {
    Leased job = rig.running();
    rig.report(EngineRig.heartbeat(job, 30));
    rig.report(EngineRig.complete(job, 1));

    assertThat(read()).isEqualTo(3);
    assertThat(read()).isZero();
    assertThat(count("type in ('job.queued', 'job.running', 'job.completed')")).isEqualTo("3");
    assertThat(count("webhook_id = '" + webhook + "'")).isEqualTo("3");
  }

  @Test
  void an_endpoint_that_is_removed_while_its_events_are_read_gets_nothing_and_harms_nobody()
      throws InterruptedException {
    UUID other = endpoint();
    rig.running();

    assertThat(read(new Removing())).isEqualTo(2);
    assertThat(count("webhook_id = '" + other + "'")).isEqualTo("2");
    assertThat(count("webhook_id = '" + webhook + "'")).isEqualTo("0");
  }

  @Test
  void an_event_that_becomes_visible_late_is_not_passed_over() throws Exception {
    try (Connection late = rig.place().connect()) {
      late.setAutoCommit(false);
      try (Statement statement = late.createStatement()) {
        statement.execute(LATE.formatted(rig.acme(), 1));
      }
      rig.running();
      assertThat(read()).isZero();
      late.commit();
    }

    assertThat(read()).isEqualTo(3);
    assertThat(count("job_id = '00000000-0000-7000-8000-000000000001'")).isEqualTo("1");
  }

  @Test
  void a_transaction_that_rolls_back_leaves_nothing_and_holds_nobody_up() throws Exception {
    try (Connection late = rig.place().connect()) {
      late.setAutoCommit(false);
      try (Statement statement = late.createStatement()) {
        statement.execute(LATE.formatted(rig.acme(), 2));
      }
      rig.running();
      late.rollback();
    }

    assertThat(read()).isEqualTo(2);
  }

  @Test
  void somebody_who_only_reads_for_long_holds_nobody_up() throws Exception {
    try (Connection backup = rig.place().connect()) {
      backup.setAutoCommit(false);
      try (Statement statement = backup.createStatement()) {
        statement.execute("select count(*) from job_event");
      }
      rig.running();
      assertThat(read()).isEqualTo(2);
    }
  }

  @Test
  void a_clock_that_is_set_back_loses_nothing() throws InterruptedException {
    rig.running();
    assertThat(read()).isEqualTo(2);
    // As if the last look had been before the clock was set back by an hour.
    rig.place()
        .execute("update webhook_cursor set read_before = clock_timestamp() + interval '1 hour'");
    rig.running();

    assertThat(outbox.read(new All(), DAY, DAY).deliveries()).isEqualTo(2);
    rig.running();
    assertThat(read()).isEqualTo(2);
  }

  @Test
  void after_an_outage_everything_is_read_piece_by_piece() throws InterruptedException {
    rig.running();
    rig.place()
        .execute(
            """
            update webhook set since = since - interval '1 day', asked_at = since;
            update webhook_cursor set read_before = clock_timestamp() - interval '35 s'
            """);

    assertThat(outbox.read(new All(), Duration.ofSeconds(10), DAY).more()).isTrue();
    assertThat(read()).isEqualTo(2);
  }

  @Test
  void what_happened_before_somebody_listened_is_none_of_his_business() throws Exception {
    Leased job = rig.running();
    UUID second = endpoint();
    rig.report(EngineRig.complete(job, 1));

    assertThat(read()).isEqualTo(4);
    assertThat(count("webhook_id = '" + second + "'")).isEqualTo("1");
  }

  @Test
  void a_disabled_endpoint_hears_nothing_until_it_is_enabled() throws InterruptedException {
    rig.running();
    assertThat(read()).isEqualTo(2);
    Webhooks endpoints = rig.database().webhooks();
    endpoints.disable(webhook, "asked", line("webhook.disable"));
    assertThat(count("state = 'held'")).isEqualTo("2");
    rig.running();
    assertThat(read()).isZero();

    endpoints.enable(webhook, DAY, line("webhook.enable"));
    assertThat(count("state = 'pending' and give_up_at > clock_timestamp() + interval '23 hours'"))
        .isEqualTo("2");
    rig.running();
    assertThat(read()).isEqualTo(2);
  }

  @Test
  void nodes_that_read_at_once_make_each_delivery_once() throws Exception {
    for (int i = 0; i < 20; i++) {
      rig.running();
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Integer> reader = () -> outbox.read(new All(), DAY, DAY).deliveries();
      int made = 0;
      for (var each : threads.invokeAll(List.of(reader, reader, reader, reader))) {
        made += each.get();
      }
      assertThat(made).isEqualTo(40);
    }
  }

  @Test
  void a_page_of_the_log_goes_on_where_the_one_before_ended() throws InterruptedException {
    EventLog log = rig.database().eventLog();
    EventLog.Place place = log.now();
    Leased job = rig.running();
    rig.report(EngineRig.complete(job, 1));

    EventLog.Page first = log.after(rig.acme(), place, 2);
    EventLog.Page second = log.after(rig.acme(), first.next(), 2);
    EventLog.Page third = log.after(rig.acme(), second.next(), 2);

    assertThat(first.entries()).extracting(Entry::seq).containsExactly(1, 2);
    assertThat(second.entries()).extracting(Entry::seq).containsExactly(3);
    assertThat(third.entries()).isEmpty();
    assertThat(log.after(rig.zenith(), place, 10).entries()).isEmpty();
  }

  @Test
  void what_was_read_long_ago_is_passed_over() throws InterruptedException {
    rig.place()
        .execute(
            """
            insert into job_event (tenant_id, job_id, seq, trigger, state, progress, attempt, at)
            select 1, '00000000-0000-7000-8000-000000000009', n, 'submit', 'queued', 0, 0,
                clock_timestamp() - interval '1 day'
            from generate_series(1, 200000) as n;
            analyze job_event
            """);
    rig.database().eventLog().summarize(new HashMap<>());
    rig.running();

    assertThat(read()).isEqualTo(2);
    assertThat(plan()).contains("_at_idx").doesNotContain("Seq Scan on job_event_first");
  }

  /** How PostgreSQL would read the last seconds. */
  private String plan() {
    String sql =
        EventLog.BETWEEN
            .replace(":from", "timestamptz '%s'".formatted(Instant.now().minusSeconds(3)))
            .replace(":before", "timestamptz '%s'".formatted(Instant.now()))
            .replace(":tenants", "'{1}'")
            .replace(":progress", "false");
    return Jdbi.create(rig.place().jdbcUrl(), rig.place().user(), rig.place().password())
        .withHandle(handle ->
            String.join("\n", handle.createQuery("explain " + sql).mapTo(String.class).list()));
  }
}
