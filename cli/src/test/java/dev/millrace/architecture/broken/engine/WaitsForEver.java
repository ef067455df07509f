package dev.millrace.architecture.broken.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/** Some waits that nothing ends, and one that a limit does. */
final class WaitsForEver {

  void forAThread(Thread thread) throws InterruptedException {
    thread.join();
  }

  String forAFuture(CompletableFuture<String> future)
      throws InterruptedException, ExecutionException {
    return future.get();
  }

  void forALatch(CountDownLatch latch) throws InterruptedException {
    latch.await();
  }

  String forAQueue(LinkedBlockingQueue<String> queue) throws InterruptedException {
    return queue.take();
  }

  synchronized void forANotice() throws InterruptedException {
    while (!Thread.interrupted()) {
      wait();
    }
  }

  boolean forAWhile(Thread thread) throws InterruptedException {
    return thread.join(Duration.ofSeconds(1));
  }
}
