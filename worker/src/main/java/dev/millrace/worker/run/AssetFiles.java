package dev.millrace.worker.run;

import dev.millrace.spi.MediaTypes;
import dev.millrace.spi.executor.Asset;
import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.JobStopped;
import dev.millrace.worker.files.DiskBudget;
import dev.millrace.worker.http.AssetDownload;
import dev.millrace.worker.http.Backoff;
import dev.millrace.worker.http.Unreachable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Downloads the files of an attempt's input, each once, and trusts none before its checksum. */
final class AssetFiles {

  private static final int TRIES = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration REFRESH = Duration.ofSeconds(10);
  private static final long ANY_SIZE = 10L * 1024 * 1024 * 1024;

  /** An address that has ended, or whose file isn't to be seen from here. */
  private static final Set<Integer> ENDED = Set.of(400, 401, 403, 404, 410);

  private static final String AWAY = "can't be downloaded";
  private static final String NO_ROOM = "can't be stored";

  private final AssetDownload download;
  private final Lease lease;
  private final DiskBudget budget;
  private final Path folder;
  private final Map<Asset, Path> fetched = new HashMap<>();

  AssetFiles(AssetDownload download, Lease lease, DiskBudget budget, Path folder) {
    this.download = download;
    this.lease = lease;
    this.budget = budget;
    this.folder = folder;
  }

  synchronized Path fetch(Asset asset, JobContext job)
      throws JobFailure, JobStopped, InterruptedException {
    Path known = fetched.get(asset);
    if (known != null) {
      return known;
    }
    budget.require(Math.max(0, asset.size()));
    Path file = folder.resolve(name(asset));
    Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(3));
    long until = System.nanoTime() + PATIENCE.toNanos();
    int refused = 0;
    while (true) {
      job.check();
      String trouble = attempt(asset, file);
      if (trouble.isEmpty()) {
        fetched.put(asset, file);
        return file;
      }
      refused += trouble.equals(AWAY) ? 0 : 1;
      if (refused >= TRIES) {
        String what = "the input file '" + asset.name() + "' " + trouble;
        throw trouble.equals(NO_ROOM) ? JobFailure.interrupted(what) : JobFailure.retryable(what);
      }
      if (System.nanoTime() - until >= 0) {
        throw JobFailure.interrupted("the file store is away");
      }
      job.pause(backoff.next());
    }
  }

  /** What was wrong with the download, or an empty text. */
  private String attempt(Asset asset, Path file) throws InterruptedException, JobFailure {
    URI url = lease.url(asset.fileId());
    if (url == null) {
      return "has no address";
    }
    try {
      Files.createDirectories(folder);
      long most = asset.size() >= 0 ? asset.size() : Math.min(ANY_SIZE, budget.left());
      AssetDownload.Got got = download.to(file, url, Map.of(), most);
      if (got.sha256().equals(asset.sha256())) {
        return "";
      }
      Files.deleteIfExists(file);
      return "doesn't have its checksum";
    } catch (AssetDownload.Refused e) {
      if (ENDED.contains(e.status())) {
        lease.refresh(REFRESH);
      }
      return e.status() >= 500 ? AWAY : "can't be downloaded (" + e.status() + ")";
    } catch (Unreachable e) {
      return AWAY;
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      return NO_ROOM;
    }
  }

  /** Telling, safe in a path, and different from that of the others. */
  private String name(Asset asset) {
    String plain = asset.name().replaceAll("[^A-Za-z0-9_-]", "_");
    String stem = plain.isEmpty() ? "file" : plain.substring(0, Math.min(60, plain.length()));
    String ending = "." + MediaTypes.extension(asset.mediaType());
    String name = stem + ending;
    for (int i = 2; fetched.containsValue(folder.resolve(name)); i++) {
      name = stem + "-" + i + ending;
    }
    return name;
  }
}
