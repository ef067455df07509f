package dev.millrace.sketch;

import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Work;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An attempt in a test: it remembers what was reported and can be canceled after some reports. */
final class Desk implements Work {

  record Report(int percent, String step, String message) {}

  private final Map<String, Object> input = new HashMap<>();
  private final List<Report> reports = new ArrayList<>();
  private int attempt = 1;
  private int reportsUntilCancel = Integer.MAX_VALUE;

  /** A small picture by default, since most laws hold at any size. */
  static Desk asking(String prompt) {
    return new Desk().with("prompt", prompt).with("width", 256).with("height", 256);
  }

  Desk with(String key, Object value) {
    input.put(key, value);
    return this;
  }

  Desk without(String key) {
    input.remove(key);
    return this;
  }

  Desk onAttempt(int number) {
    attempt = number;
    return this;
  }

  Desk canceledAfterReports(int count) {
    reportsUntilCancel = count;
    return this;
  }

  List<Report> reports() {
    return reports;
  }

  Outcome run() {
    return run(_ -> {});
  }

  Outcome run(DrawingPause pause) {
    try {
      return new SketchProvider(pause).execute(this);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  List<Output> outputs() {
    return ((Outcome.Succeeded) run()).outputs();
  }

  byte[] picture() {
    return bytes(outputs().getFirst());
  }

  static byte[] bytes(Output output) {
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
    return attempt;
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
    return reports.size() >= reportsUntilCancel;
  }
}
