package dev.millrace.testkit.attempt;

import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Work;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** An attempt that a test holds in its hand. */
public final class TestWork implements Work {

  /** What was told once. */
  public record Report(int percent, String step, String message) {}

  private final Map<String, Object> input = new ConcurrentHashMap<>();
  private final List<Report> reports = new CopyOnWriteArrayList<>();
  private volatile int reportsUntilCancel = Integer.MAX_VALUE;
  private volatile boolean canceled;

  public TestWork with(String name, Object value) {
    input.put(name, value);
    return this;
  }

  /** Is canceled as soon as so many reports have come. */
  public TestWork canceledAfterReports(int count) {
    reportsUntilCancel = count;
    return this;
  }

  public void cancel() {
    canceled = true;
  }

  public List<Report> reports() {
    return reports;
  }

  /** The content of an output. */
  public static byte[] bytes(Output output) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      output.content().writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  @Override
  public String jobId() {
    return "job_test";
  }

  @Override
  public int attempt() {
    return 1;
  }

  @Override
  public Map<String, Object> input() {
    return input;
  }

  @Override
  public void progress(int percent, String step, String message) {
    reports.add(new Report(percent, step, message));
  }

  @Override
  public boolean canceled() {
    return canceled || reports.size() >= reportsUntilCancel;
  }
}
