package dev.millrace.worker.comfy;

import dev.millrace.spi.MediaTypes;
import dev.millrace.spi.executor.Asset;
import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.JobStopped;
import dev.millrace.worker.http.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Uploads each content once per endpoint. The content's hash is in the name, so two files never
 * meet under one name; a file that is already there isn't even downloaded.
 */
public final class ComfyUploads {

  private static final int MOST = 10_000;

  private record Key(URI endpoint, String sha256) {}

  private final Map<Key, String> names =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, String> eldest) {
          return size() > MOST;
        }
      };
  private final Map<Key, Turn> busy = new ConcurrentHashMap<>();

  /**
   * The lock of one content, and how many have it or wait for it; kept as long as there are any.
   */
  private static final class Turn {
    private final ReentrantLock lock = new ReentrantLock();
    private int users;
  }

  /**
   * The name under which the endpoint knows the file.
   *
   * @param refusal what it means that the endpoint didn't take it
   */
  public String nameOf(
      Asset asset, ComfyApi api, JobContext job, Function<Answer, JobFailure> refusal)
      throws JobFailure, JobStopped, InterruptedException, IOException {
    Key key = new Key(api.base(), asset.sha256());
    Turn turn = enter(key);
    try {
      turn.lock.lockInterruptibly();
      try {
        return uploaded(key, asset, api, job, refusal);
      } finally {
        turn.lock.unlock();
      }
    } finally {
      leave(key);
    }
  }

  private Turn enter(Key key) {
    return busy.compute(
        key,
        (_, known) -> {
          Turn turn = known == null ? new Turn() : known;
          turn.users++;
          return turn;
        });
  }

  private void leave(Key key) {
    busy.computeIfPresent(key, (_, turn) -> --turn.users == 0 ? null : turn);
  }

  private String uploaded(
      Key key, Asset asset, ComfyApi api, JobContext job, Function<Answer, JobFailure> refusal)
      throws JobFailure, JobStopped, InterruptedException, IOException {
    String known = get(key);
    if (!known.isEmpty()) {
      return known;
    }
    Path file = job.fetch(asset);
    String ending = "." + MediaTypes.extension(asset.mediaType());
    String wanted = "millrace-" + asset.sha256().substring(0, 32) + ending;
    Answer answer = api.upload(file, wanted, asset.mediaType());
    if (!answer.ok()) {
      throw refusal.apply(answer);
    }
    String name =
        ComfyApi.storedName(answer)
            .orElseThrow(() -> JobFailure.retryable("ComfyUI gave an upload no name"));
    synchronized (names) {
      names.put(key, name);
    }
    return name;
  }

  /** The endpoint has lost the file. */
  public void forget(Asset asset, ComfyApi api) {
    synchronized (names) {
      names.remove(new Key(api.base(), asset.sha256()));
    }
  }

  private String get(Key key) {
    synchronized (names) {
      return names.getOrDefault(key, "");
    }
  }
}
