package dev.millrace.worker.run;

import dev.millrace.spi.executor.JobFailure;
import dev.millrace.worker.control.ControlPlane;
import dev.millrace.worker.control.ControlPlane.Place;
import dev.millrace.worker.control.ControlPlane.Slot;
import dev.millrace.worker.control.LeasedJob;
import dev.millrace.worker.control.NotAllowed;
import dev.millrace.worker.control.Refused;
import dev.millrace.worker.control.StaleLease;
import dev.millrace.worker.control.TryLater;
import dev.millrace.worker.http.Answer;
import dev.millrace.worker.http.Backoff;
import dev.millrace.worker.http.FileSlice;
import dev.millrace.worker.http.Unreachable;
import dev.millrace.worker.http.Web;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Puts a large output in parts. URLs live as long as a lease, which is shorter than a large upload
 * may take, so they are asked for again; a part that failed is sent again alone.
 */
final class PartsDelivery {

  private static final int TRIES = 6;
  private static final Duration LIMIT = Duration.ofMinutes(30);
  private static final int AT_ONCE = 50;

  private final ControlPlane server;
  private final Web web;
  private final LeasedJob job;
  private final ReportRetries retries;

  PartsDelivery(ControlPlane server, Web web, LeasedJob job, ReportRetries retries) {
    this.server = server;
    this.web = web;
    this.job = job;
    this.retries = retries;
  }

  /** Puts all parts; answers with their tags in order. */
  List<String> put(Path file, long size, Slot.Parts slot)
      throws JobFailure, StaleLease, NotAllowed, Refused, TryLater, InterruptedException {
    int count = Math.toIntExact((size - 1) / slot.partBytes() + 1);
    List<Place> places = slot.places();
    List<String> tags = new ArrayList<>();
    Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(3));
    int failed = 0;
    int refused = 0;
    long since = System.nanoTime();
    while (tags.size() < count) {
      int number = tags.size() + 1;
      Place place = find(places, number);
      long offset = (number - 1) * slot.partBytes();
      Answer answer =
          place == null
              ? null
              : sent(file, offset, Math.min(slot.partBytes(), size - offset), place);
      if (answer != null && answer.ok()) {
        tags.add(answer.tag());
        failed = 0;
        refused = 0;
        since = System.nanoTime();
        continue;
      }
      // The first time it is most likely that the URL has ended.
      failed++;
      if (answer != null && !answer.passing() && ++refused > TRIES) {
        throw JobFailure.retryable(
            "a part of an output can't be uploaded (" + answer.status() + ")");
      }
      if (System.nanoTime() - since > OutputReport.PATIENCE.toNanos()) {
        throw JobFailure.interrupted("the file store is away");
      }
      if (failed > 1) {
        Thread.sleep(backoff.next());
      }
      List<Integer> wanted =
          IntStream.rangeClosed(number, Math.min(count, number + AT_ONCE)).boxed().toList();
      places = retries.call("upload", () -> server.parts(job, slot, size, wanted));
    }
    return tags;
  }

  private @Nullable Answer sent(Path file, long offset, long length, Place place)
      throws InterruptedException {
    try {
      return web.send(
          "PUT", place.url(), place.headers(), FileSlice.of(file, offset, length), LIMIT);
    } catch (Unreachable _) {
      return null;
    }
  }

  private static @Nullable Place find(List<Place> places, int number) {
    return places.stream().filter(place -> place.number() == number).findFirst().orElse(null);
  }
}
