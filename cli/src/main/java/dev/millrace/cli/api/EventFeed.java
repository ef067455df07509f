package dev.millrace.cli.api;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The events of a job or a batch over as many connections as it takes. A job's come in order and
 * without gaps or repeats; a batch's each tell the whole, so only the newest matters.
 *
 * <p>A thread reads and reconnects with the cursor; the owner takes signals at its own pace. It is
 * the owner who knows when the work is done: a stream that ends is, by itself, only a stream that
 * ended, as it does when the server restarts.
 */
public final class EventFeed implements AutoCloseable {

  /** What the owner hears. */
  public sealed interface FeedItem {

    /** The next event; its id is 0 if events of this kind have none. */
    record Event(long id, JsonNode json) implements FeedItem {}

    /** The server ended the stream after the given event; it is opened again in a moment. */
    record Ended(long lastId) implements FeedItem {}

    /** There is no connection; another one is tried in a moment. */
    record Interrupted(String why) implements FeedItem {}

    /** There is no point in trying further. */
    record Failed(RuntimeException cause) implements FeedItem {}
  }

  /** The server sends heartbeats far more often; a connection this silent is dead. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(250);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);
  private static final int QUEUE_CAPACITY = 1_000;

  private final ServerApi api;
  private final String path;
  private final String kind;
  private final boolean numbered;
  private final BlockingQueue<FeedItem> signals = new LinkedBlockingQueue<>(QUEUE_CAPACITY);
  private final Thread reader;

  private String cursor;
  private long lastId;
  private Duration waited = Duration.ZERO;
  private Duration nextWait = SHORTEST_WAIT;

  private volatile boolean closed;
  private volatile @Nullable InputStream open;
  private volatile long heardAtNanos = System.nanoTime();

  private EventFeed(ServerApi api, String path, String kind, boolean numbered) {
    this.api = api;
    this.path = path;
    this.kind = kind;
    this.numbered = numbered;
    this.cursor = "";
    this.reader = Thread.ofVirtual().name("events of " + path).unstarted(this::read);
  }

  /** Starts to read a job's whole history and what is added to it. */
  public static EventFeed ofJob(ServerApi api, String id) {
    return new EventFeed(api, ApiJob.path(id) + "/stream", "job-event", true).started();
  }

  /** Starts to read how a batch stands, now and whenever it changes. */
  public static EventFeed ofBatch(ServerApi api, String id) {
    return new EventFeed(api, ApiBatch.path(id) + "/stream", "batch", false).started();
  }

  private EventFeed started() {
    reader.start();
    return this;
  }

  /** The next signal, or null if none came in time. */
  public @Nullable FeedItem next(Duration wait) throws InterruptedException {
    FeedItem signal = signals.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
    InputStream stream = open;
    if (signal == null
        && stream != null
        && System.nanoTime() - heardAtNanos > LONGEST_SILENCE.toNanos()) {
      closeQuietly(stream);
    }
    return signal;
  }

  @Override
  public void close() {
    closed = true;
    reader.interrupt();
    InputStream stream = open;
    if (stream != null) {
      closeQuietly(stream);
    }
  }

  private void read() {
    try {
      while (!closed) {
        signals.put(readOneConnection());
        if (waited.compareTo(PATIENCE) > 0) {
          throw new UnreachableException(api.server() + " has not come back.");
        }
        Duration wait = nextWait;
        api.pause().sleep(wait);
        waited = waited.plus(wait);
        nextWait = min(wait.multipliedBy(2), LONGEST_WAIT);
      }
    } catch (InterruptedException _) {
      // The owner has closed the feed.
      Thread.currentThread().interrupt();
    } catch (RuntimeException cause) {
      failed(cause);
    }
  }

  private void failed(RuntimeException cause) {
    try {
      signals.put(new FeedItem.Failed(cause));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns how the connection ended; throws if another one would fare no better. */
  private FeedItem readOneConnection() throws InterruptedException {
    try (InputStream stream = api.openEvents(path, cursor)) {
      heardAtNanos = System.nanoTime();
      open = stream;
      waited = Duration.ZERO;
      nextWait = SHORTEST_WAIT;
      SseReader frames = new SseReader(new BufferedInputStream(listening(stream)), cursor);
      drain(frames);
      return new FeedItem.Ended(lastId);
    } catch (UnreachableException _) {
      return new FeedItem.Interrupted("no connection");
    } catch (RefusedException refused) {
      ApiProblem problem = refused.problem();
      if (!problem.passing() && problem.status() != 429) {
        throw refused;
      }
      nextWait = max(nextWait, min(refused.retryAfter().orElse(nextWait), Duration.ofMinutes(1)));
      return new FeedItem.Interrupted("the server answers " + problem.status());
    } catch (IOException _) {
      return new FeedItem.Interrupted("the connection broke");
    } finally {
      open = null;
    }
  }

  private void drain(SseReader frames) throws IOException, InterruptedException {
    try {
      for (SseFrame frame = frames.next(); frame != null; frame = frames.next()) {
        deliver(frame);
      }
    } finally {
      cursor = frames.lastEventId();
      Optional<Duration> asked = frames.retry();
      nextWait = max(SHORTEST_WAIT, min(asked.orElse(SHORTEST_WAIT), LONGEST_WAIT));
    }
  }

  private void deliver(SseFrame frame) throws IOException, InterruptedException {
    try {
      JsonNode json = ApiJson.parse(frame.data());
      long id = numbered ? ApiJson.number(json, "id") : 0;
      // A server may send again what was already heard; a reader never sees an event twice.
      if (frame.event().equals(kind) && (!numbered || id > lastId)) {
        lastId = id;
        signals.put(new FeedItem.Event(id, json));
      }
    } catch (JacksonException e) {
      throw new IOException("an event is not JSON", e);
    }
  }

  private InputStream listening(InputStream stream) {
    return new FilterInputStream(stream) {
      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        heardAtNanos = System.nanoTime();
        return count;
      }
    };
  }

  private static void closeQuietly(InputStream stream) {
    try {
      stream.close();
    } catch (IOException _) {
      // It is given up in any case.
    }
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private static Duration max(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }
}
