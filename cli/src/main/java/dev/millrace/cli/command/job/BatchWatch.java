package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiBatch;
import dev.millrace.cli.api.EventFeed;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.FeedLoop;
import dev.millrace.cli.command.shared.ProgressDisplay;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
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
  private final ServerApi api;
  private final ProgressDisplay progress;
  private final Optional<Duration> timeout;

  BatchWatch(Session session, Optional<Duration> timeout) throws IOException {
    this.session = session;
    this.api = session.api();
    this.progress = ProgressDisplay.of(session);
    this.timeout = timeout;
  }

  static String goesOnAdvice(String id) {
    return "The batch goes on without you. To come back: millrace batches watch " + id;
  }

  /** Shows counts until the end, prints the batch and returns what its end means. */
  ExitCode seeThrough(String id) throws InterruptedException {
    ApiBatch done = follow(id);
    if (session.format() != Format.JSONL) {
      BatchText.print(session, done);
    }
    return BatchText.exit(done);
  }

  private ApiBatch follow(String id) throws InterruptedException {
    try (EventFeed feed = EventFeed.ofBatch(api, id)) {
      return new FeedLoop(progress, timeout, () -> tooLate(id)).run(feed, new Counts(id));
    }
  }

  private static CommandFailure tooLate(String id) {
    return new CommandFailure(
        ExitCode.TIMEOUT,
        "The batch is not done yet; it goes on without you.",
        "millrace batches watch " + id);
  }

  private final class Counts implements FeedLoop.Listener<ApiBatch> {

    private final String id;

    Counts(String id) {
      this.id = id;
    }

    @Override
    public @Nullable ApiBatch event(long eventId, JsonNode json) {
      ApiBatch batch = new ApiBatch(json);
      progress.event(BatchText.progress(batch));
      if (session.format() == Format.JSONL) {
        session.print(json);
      }
      return batch.isSettled() ? batch : null;
    }

    /** A stream that ends says nothing by itself: the server may only be restarting. */
    @Override
    public @Nullable ApiBatch ended(long lastId) throws InterruptedException {
      ApiBatch batch = new ApiBatch(api.getPatiently(ApiBatch.path(id)));
      return batch.isSettled() ? batch : null;
    }
  }
}
