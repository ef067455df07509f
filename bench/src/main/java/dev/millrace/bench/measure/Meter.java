package dev.millrace.bench.measure;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;

/** Counts and times what callers do, while it is switched on. Any number of threads may use it. */
public final class Meter {

  private static final int DIGITS = 3;

  private final Map<String, Recorder> calls = new ConcurrentHashMap<>();
  private final LongAdder rounds = new LongAdder();
  private final LongAdder ever = new LongAdder();
  private volatile boolean on;

  /** Something that is timed. */
  @FunctionalInterface
  public interface Call<R> {
    R run() throws Exception;
  }

  /** Runs the call and notes how long it took. */
  public <R> R time(String name, Call<R> call) throws Exception {
    long start = System.nanoTime();
    R result = call.run();
    took(name, System.nanoTime() - start);
    return result;
  }

  public void took(String name, long nanos) {
    if (on) {
      calls
          .computeIfAbsent(name, _ -> new Recorder(DIGITS))
          .recordValue(Math.max(0, nanos / 1_000));
    }
  }

  /** One more round is complete. */
  public void done() {
    done(1);
  }

  public void done(long count) {
    ever.add(count);
    if (on) {
      rounds.add(count);
    }
  }

  public void on() {
    on = true;
  }

  public void off() {
    on = false;
  }

  /** Rounds that were completed while it was on. */
  public long rounds() {
    return rounds.sum();
  }

  /** Rounds that were completed at all. */
  public long ever() {
    return ever.sum();
  }

  public TimeSamples times(String name) {
    Recorder recorder = calls.get(name);
    return recorder == null ? TimeSamples.NONE : TimeSamples.of(recorder.getIntervalHistogram());
  }

  /** All that was timed. Reading it starts it anew. */
  public Map<String, TimeSamples> times() {
    Map<String, TimeSamples> all = new TreeMap<>();
    calls.keySet().forEach(name -> all.put(name, times(name)));
    return all;
  }
}
