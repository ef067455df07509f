package dev.millrace.spi.provider;

import java.util.Map;

/** One attempt at a job, as its provider sees it. */
public interface Work {

  /** The job's public id. Stable over attempts. */
  String jobId();

  /** Counts from 1; a number is never used twice for the same job. */
  int attempt();

  /**
   * The resolved input: workflow defaults, effect overrides and user input already merged. Values
   * are plain JSON values: String, Boolean, Integer, Long, Double, List, Map.
   */
  Map<String, Object> input();

  /**
   * Tells whoever watches how far the work is. Cheap and never blocking: reports that come faster
   * than they can be stored are merged, the newest wins.
   *
   * @param percent 0 to 100; other values are clamped
   * @param step a short machine-friendly name such as {@code rendering}
   * @param message a short sentence for people
   */
  void progress(int percent, String step, String message);

  /**
   * Adds small facts to the job's summary now, and not only at the end. Told with the progress, and
   * merged like it, name by name.
   *
   * @param facts plain JSON values
   */
  default void summary(Map<String, Object> facts) {}

  /**
   * True once the job's owner has asked to cancel, the attempt has lost its lease, or the server
   * stops. Work that may not be asked for again goes on while a server that stops has time.
   */
  boolean canceled();
}
