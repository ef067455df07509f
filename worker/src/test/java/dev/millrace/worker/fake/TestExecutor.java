package dev.millrace.worker.fake;

import dev.millrace.spi.executor.Executor;
import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.JobStopped;
import dev.millrace.spi.executor.Produced;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** An executor whose work a test describes. */
public final class TestExecutor implements Executor {

  /** The work. */
  @FunctionalInterface
  public interface Task {
    List<Produced> run(JobContext job, Map<String, Object> input)
        throws JobFailure, JobStopped, InterruptedException;
  }

  private final String name;
  private final Task task;
  private final AtomicInteger started = new AtomicInteger();
  private volatile boolean ready = true;

  public TestExecutor(String name, Task task) {
    this.name = name;
    this.task = task;
  }

  /** Ends when the latch says so, or when it is stopped, and then makes a short text. */
  public static TestExecutor waiting(CountDownLatch latch) {
    return new TestExecutor(
        "test",
        (_, _) -> {
          latch.await();
          return text("done");
        });
  }

  public static List<Produced> text(String text) {
    return List.of(new Produced.Text(text, "text/plain"));
  }

  public int started() {
    return started.get();
  }

  public void ready(boolean now) {
    ready = now;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean ready() {
    return ready;
  }

  @Override
  public List<Produced> handle(JobContext job, Map<String, Object> input)
      throws JobFailure, JobStopped, InterruptedException {
    started.incrementAndGet();
    return task.run(job, input);
  }
}
