package dev.millrace.postgres.store;

import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Changes.JobOutput;
import java.time.Instant;
import java.util.List;

/** What is only ever added: events, attempts, outputs. A text's bytes are those of its UTF-8. */
final class HistoryWrites {

  private record Dated(JobOutput output, Instant at) {}

  private static final Bulk<JobEvent> INSERT_EVENTS =
      new Bulk<JobEvent>(
              "new_event",
              """
              insert into job_event (
                  tenant_id, job_id, seq, trigger, from_state, state, progress, step, message,
                  summary, attempt, at)
              select e.tenant_id, e.job_id, e.seq, e.trigger, e.from_state, e.state, e.progress,
                  e.step, e.message, e.summary::jsonb, e.attempt, e.at
              from unnest(?::new_event[]) as e
              """)
          .column("int4", e -> e.job().tenant())
          .column("uuid", e -> e.job().uuid())
          .column("int4", JobEvent::seq)
          .column("text", e -> e.trigger() == null ? null : e.trigger().label())
          .column("job_state", e -> e.from() == null ? null : e.from().label())
          .column("job_state", e -> e.state().label())
          .column("int4", e -> e.progress().percent())
          .column("text", e -> e.progress().step())
          .column("text", e -> e.progress().message())
          .column("text", e -> SummaryJson.snapshot(e.summary()))
          .column("int4", JobEvent::attempt)
          .column("timestamptz", JobEvent::at);

  private static final Bulk<Attempt.Begun> INSERT_ATTEMPTS =
      new Bulk<Attempt.Begun>(
              "new_attempt",
              """
              insert into attempt (tenant_id, job_id, number, token, worker, started_at)
              select a.tenant_id, a.job_id, a.number, a.token, a.worker, a.started_at
              from unnest(?::new_attempt[]) as a
              """)
          .column("int4", a -> a.job().tenant())
          .column("uuid", a -> a.job().uuid())
          .column("int4", Attempt.Begun::number)
          .column("uuid", Attempt.Begun::token)
          .column("text", Attempt.Begun::worker)
          .column("timestamptz", Attempt.Begun::at);

  private static final Bulk<Attempt.Intended> INTEND_ATTEMPTS =
      new Bulk<Attempt.Intended>(
              "attempt_intent",
              """
              update attempt a
              set provider = u.provider,
                  settled_before = u.settled_before,
                  intent_at = u.intent_at
              from unnest(?::attempt_intent[]) as u
              where (a.job_id, a.tenant_id, a.number)
                  between (u.job_id, u.tenant_id, u.number)
                  and (u.job_id, u.tenant_id, u.number)
                and a.intent_at is null
              """)
          .column("int4", a -> a.job().tenant())
          .column("uuid", a -> a.job().uuid())
          .column("int4", Attempt.Intended::number)
          .column("text", Attempt.Intended::provider)
          .column("int4", Attempt.Intended::settledBefore)
          .column("timestamptz", Attempt.Intended::at);

  private static final Bulk<Attempt.Unconfirmed> DOUBT_ATTEMPTS =
      new Bulk<Attempt.Unconfirmed>(
              "unconfirmed_attempt",
              """
              update attempt a
              set unconfirmed_at = u.unconfirmed_at
              from unnest(?::unconfirmed_attempt[]) as u
              where (a.job_id, a.tenant_id, a.number)
                  between (u.job_id, u.tenant_id, u.number)
                  and (u.job_id, u.tenant_id, u.number)
              """)
          .column("int4", a -> a.job().tenant())
          .column("uuid", a -> a.job().uuid())
          .column("int4", Attempt.Unconfirmed::number)
          .column("timestamptz", Attempt.Unconfirmed::at);

  /**
   * The first reference stays, however often it is said. Clocks go back now and then; the intent
   * still came first.
   */
  private static final Bulk<Attempt.Accepted> ACCEPT_ATTEMPTS =
      new Bulk<Attempt.Accepted>(
              "attempt_acceptance",
              """
              update attempt a
              set provider = coalesce(a.provider, u.provider),
                  intent_at = coalesce(a.intent_at, u.accepted_at),
                  reference = u.reference,
                  accepted_at = greatest(u.accepted_at, a.intent_at)
              from unnest(?::attempt_acceptance[]) as u
              where (a.job_id, a.tenant_id, a.number)
                  between (u.job_id, u.tenant_id, u.number)
                  and (u.job_id, u.tenant_id, u.number)
                and a.reference is null
              """)
          .column("int4", a -> a.job().tenant())
          .column("uuid", a -> a.job().uuid())
          .column("int4", Attempt.Accepted::number)
          .column("text", Attempt.Accepted::provider)
          .column("text", Attempt.Accepted::reference)
          .column("timestamptz", Attempt.Accepted::at);

  private static final Bulk<Attempt.Ended> END_ATTEMPTS =
      new Bulk<Attempt.Ended>(
              "ended_attempt",
              """
              update attempt a
              set ended_at = u.ended_at,
                  outcome = u.outcome,
                  error = u.error
              from unnest(?::ended_attempt[]) as u
              where (a.job_id, a.tenant_id, a.number)
                  between (u.job_id, u.tenant_id, u.number)
                  and (u.job_id, u.tenant_id, u.number)
                and a.ended_at is null
              """)
          .column("int4", a -> a.job().tenant())
          .column("uuid", a -> a.job().uuid())
          .column("int4", Attempt.Ended::number)
          .column("timestamptz", Attempt.Ended::at)
          .column("text", Attempt.Ended::outcome)
          .column("text", Attempt.Ended::error);

  private static final Bulk<Dated> INSERT_FILES =
      new Bulk<Dated>(
              "new_file",
              """
              insert into file (
                  tenant_id, id, wallet_id, job_id, attempt, kind, key, name, media_type, size,
                  sha256, width, height, thumbnail_key, created_at)
              select f.tenant_id, f.id, f.wallet_id, f.job_id, f.attempt, 'output', f.key, f.name,
                  f.media_type, f.size, f.sha256, f.width, f.height, f.thumbnail_key, f.created_at
              from unnest(?::new_file[]) as f
              """)
          .column("int4", f -> f.output.job().tenant())
          .column("uuid", f -> f.output.file().id())
          .column("int8", f -> f.output.walletId())
          .column("uuid", f -> f.output.job().uuid())
          .column("int4", f -> f.output.attempt())
          .column("text", f -> f.output.file().key())
          .column("text", f -> f.output.file().name())
          .column("text", f -> f.output.file().mediaType())
          .column("int8", f -> f.output.file().size())
          .column("text", f -> f.output.file().sha256())
          .column("int4", f -> f.output.file().width())
          .column("int4", f -> f.output.file().height())
          .column("text", f -> f.output.file().thumbnailKey())
          .column("timestamptz", Dated::at);

  private static final Bulk<OutputFile> INSERT_TEXTS =
      new Bulk<OutputFile>(
              "new_text",
              """
              insert into text_output (key, content)
              select t.key, t.content
              from unnest(?::new_text[]) as t
              """)
          .column("text", OutputFile::key)
          .column("bytea", OutputFile::text);

  private static final Bulk<Changes.Withheld> WITHHOLD_FILES =
      new Bulk<Changes.Withheld>(
              "withheld_file",
              """
              update file f
              set withheld = true
              from unnest(?::withheld_file[]) as u
              where (f.id, f.tenant_id) between (u.id, u.tenant_id) and (u.id, u.tenant_id)
                and f.job_id is not distinct from u.job_id
              """)
          .column("int4", w -> w.job().tenant())
          .column("uuid", w -> w.job().uuid())
          .column("uuid", Changes.Withheld::file);

  private static final Bulk<Changes.Reviewed> REVIEW_FILES =
      new Bulk<Changes.Reviewed>(
              "reviewed_file",
              """
              update file f
              set approved = u.approved
              from unnest(?::reviewed_file[]) as u
              where (f.id, f.tenant_id) between (u.id, u.tenant_id) and (u.id, u.tenant_id)
                and f.job_id is not distinct from u.job_id
              """)
          .column("int4", r -> r.job().tenant())
          .column("uuid", r -> r.job().uuid())
          .column("uuid", Changes.Reviewed::file)
          .column("bool", Changes.Reviewed::approved);

  private HistoryWrites() {}

  static void write(Pipeline pipeline, Changes changes) {
    pipeline.write(INSERT_EVENTS, changes.events());
    writeAttempts(pipeline, changes.attempts());
    pipeline.write(
        INSERT_FILES,
        changes.outputs().stream().map(output -> new Dated(output, changes.at())).toList());
    pipeline.write(
        INSERT_TEXTS,
        changes.outputs().stream()
            .map(JobOutput::file)
            .filter(file -> file.text() != null)
            .toList());
    pipeline.writeAll(WITHHOLD_FILES, changes.withheld());
    pipeline.writeAll(REVIEW_FILES, changes.reviewed());
  }

  /** One batch takes an attempt through several steps at most in this order. */
  private static void writeAttempts(Pipeline pipeline, List<Attempt> attempts) {
    pipeline
        .write(INSERT_ATTEMPTS, of(Attempt.Begun.class, attempts))
        .writeAll(INTEND_ATTEMPTS, of(Attempt.Intended.class, attempts))
        .writeAll(DOUBT_ATTEMPTS, of(Attempt.Unconfirmed.class, attempts))
        .write(ACCEPT_ATTEMPTS, of(Attempt.Accepted.class, attempts))
        .writeAll(END_ATTEMPTS, of(Attempt.Ended.class, attempts));
  }

  private static <A extends Attempt> List<A> of(Class<A> kind, List<Attempt> attempts) {
    return attempts.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
