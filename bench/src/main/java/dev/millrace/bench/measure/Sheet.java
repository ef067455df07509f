package dev.millrace.bench.measure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The figures of a run, in the order in which they were found, and what has to be said of them. */
public final class Sheet {

  private final Map<String, Measurement> figures = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  public void add(String key, String label, double value, String unit) {
    figures.put(key, new Measurement(key, label, value, unit));
  }

  /** The rate of a measure, and p50 and p99 of each of its calls. */
  public void add(String key, String label, Measured measured, String unit) {
    add(key + ".per_s", label, measured.rate(), unit);
    measured.times().forEach((call, times) -> add(key + "." + call, label + ": " + call, times));
  }

  public void add(String key, String label, TimeSamples times) {
    add(key + ".p50_ms", label + " p50", times.p50(), "ms");
    add(key + ".p99_ms", label + " p99", times.p99(), "ms");
  }

  public void note(String sentence) {
    notes.add(sentence);
  }

  public void addAll(Sheet other) {
    figures.putAll(other.figures);
    notes.addAll(other.notes);
  }

  public OptionalDouble value(String key) {
    Measurement figure = figures.get(key);
    return figure == null ? OptionalDouble.empty() : OptionalDouble.of(figure.value());
  }

  public Collection<Measurement> figures() {
    return figures.values();
  }

  public List<String> notes() {
    return notes;
  }
}
