package dev.millrace.cli.command.job;

import dev.millrace.cli.api.Api;
import dev.millrace.cli.api.Batch;
import dev.millrace.cli.api.EventFeed;
import dev.millrace.cli.command.shared.FeedLoop;
import dev.millrace.cli.command.shared.Progress;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Failure;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Follows a batch until nothing more happens to its jobs by itself. */
final class BatchWatch {

  private final Session session;
  private final Api api;
  private final Progress progress;
  private final Optional<Duration> timeout;

  BatchWatch(Session session, Optional<Duration> timeout) throws IOException {
    this.session = session;
    this.api = session.api();
    this.progress = Progress.of(session);
    this.timeout = timeout;
  }

  static String goesOnAdvice(String id) {
    return "The batch goes on without you. To come back: millrace batches watch " + id;
  }

  /** Shows counts until the end, prints the batch and returns what its end means. */
  ExitCode seeThrough(String id) throws InterruptedException {
    Batch done = follow(id);
    if (session.format() != Format.JSONL) {
      BatchText.print(session, done);
    }
    return BatchText.exit(done);
  }

  private Batch follow(String id) throws InterruptedException {
    try (EventFeed feed = EventFeed.ofBatch(api, id)) {
      return new FeedLoop(progress, timeout, () -> tooLate(id)).run(feed, new Counts(id));
    }
  }

  private static Failure tooLate(String id) {
    return new Failure(
        ExitCode.TIMEOUT,
        "The batch is not done yet; it goes on without you.",
        "millrace batches watch " + id);
  }

  private final class Counts implements FeedLoop.Listener<Batch> {

    private final String id;

    Counts(String id) {
      this.id = id;
    }

    @Override
    public @Nullable Batch event(long eventId, JsonNode json) {
      Batch batch = new Batch(json);
      progress.event(BatchText.progress(batch));
      if (session.format() == Format.JSONL) {
        session.print(json);
      }
      return batch.isSettled() ? batch : null;
    }

    /** A stream that ends says nothing by itself: the server may only be restarting. */
    @Override
    public @Nullable Batch ended(long lastId) throws InterruptedException {
      Batch batch = new Batch(api.getPatiently(Batch.path(id)));
      return batch.isSettled() ? batch : null;
    }
  }
}
