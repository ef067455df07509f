package dev.millrace.worker.comfy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.spi.executor.Asset;
import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.worker.http.Web;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each content is uploaded by one at a time, also after that failed for somebody. */
class UploadsTest {

  private static final Asset PHOTO =
      new Asset("photo", "f-1", "a".repeat(64), 3, "image/png", Optional.of("{{photo}}"));

  private final Web web = new Web();
  private final ComfyApi api = new ComfyApi(web, URI.create("http://127.0.0.1:9"), Map.of());
  private final ComfyUploads uploads = new ComfyUploads();
  private final AtomicInteger now = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final AtomicInteger begun = new AtomicInteger();
  private final BlockingQueue<String> mayFail = new LinkedBlockingQueue<>();

  @AfterEach
  void stop() {
    web.close();
  }

  @Test
  void after_a_failed_upload_two_never_work_on_the_same_file() throws Exception {
    Thread first = start();
    await().until(() -> begun.get() == 1);
    Thread second = start();
    await().until(() -> waits(second));
    mayFail.add("first");
    await().until(() -> begun.get() == 2);
    // It comes while the second one is at it, with the lock that the first one had.
    Thread third = start();
    await().until(() -> waits(third) || begun.get() == 3);
    mayFail.add("second");
    mayFail.add("third");
    for (Thread each : new Thread[] {first, second, third}) {
      each.join();
    }
    assertThat(most.get()).isEqualTo(1);
  }

  private static boolean waits(Thread thread) {
    return thread.getState() == Thread.State.WAITING;
  }

  private Thread start() {
    return Thread.ofPlatform()
        .start(() -> {
          try {
            uploads.nameOf(PHOTO, api, job(), Troubles::refused);
          } catch (Exception _) {
            // Each of them fails; who works when is what counts.
          }
        });
  }

  /** A job whose file can't be fetched, once the test says so. */
  private JobContext job() {
    return (JobContext)
        Proxy.newProxyInstance(
            JobContext.class.getClassLoader(),
            new Class<?>[] {JobContext.class},
            (_, _, _) -> {
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              begun.incrementAndGet();
              mayFail.take();
              now.decrementAndGet();
              throw JobFailure.retryable("the file is gone");
            });
  }
}
