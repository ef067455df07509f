package dev.millrace.postgres.notify;

import dev.millrace.engine.port.Signal;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * A signal as the payload of a notification: {@code node;k0198e...,|w1,2;j0198c...,0198d...,}, or
 * {@code node;k|*} when it would be longer than PostgreSQL allows. Whose it is may be missing.
 *
 * <p>Nodes of the version before read only what follows the bar, and take workers for jobs. So the
 * workers stand in front of the bar for those who know them, and among the jobs for the others. A
 * text without {@code ;k} comes from such a node, and any id in it may be a worker's.
 */
public final class SignalText {

  /** PostgreSQL refuses 8,000 bytes and more; the text is ASCII. */
  static final int LIMIT = 7_900;

  private static final String EVERYTHING = "*";
  private static final String WORKERS = ";k";
  private static final String JOBS = ";j";
  private static final char BAR = '|';

  private SignalText() {}

  /** As this node's own, which it then doesn't have to hear. */
  public static String write(Signal signal, String node) {
    return node + write(signal);
  }

  static boolean isOf(String node, String text) {
    return text.startsWith(node + WORKERS);
  }

  public static String write(Signal signal) {
    String workers = ids(signal.workers());
    String text =
        WORKERS
            + workers
            + BAR
            + "w"
            + ids(signal.workflows())
            + JOBS
            + ids(signal.jobs())
            + workers;
    return signal.everything() || text.length() > LIMIT ? WORKERS + BAR + EVERYTHING : text;
  }

  private static String ids(Set<?> ids) {
    StringBuilder text = new StringBuilder();
    ids.forEach(id -> text.append(id).append(','));
    return text.toString();
  }

  /** What can't be read wakes everybody: a wrong wake-up costs a look, a missed one costs time. */
  static Signal read(String payload) {
    int bar = payload.indexOf(BAR);
    String front = payload.substring(0, Math.max(0, bar));
    String text = payload.substring(bar + 1);
    int parting = text.indexOf(JOBS);
    if (!text.startsWith("w") || parting < 0) {
      return Signal.EVERYTHING;
    }
    try {
      Set<Integer> workflows = read(text.substring(1, parting), Integer::valueOf);
      Set<UUID> jobs = read(text.substring(parting + JOBS.length()), UUID::fromString);
      int named = front.indexOf(WORKERS);
      if (named < 0) {
        return new Signal(workflows, jobs, jobs, false);
      }
      Set<UUID> workers = read(front.substring(named + WORKERS.length()), UUID::fromString);
      jobs.removeAll(workers);
      return new Signal(workflows, jobs, workers, false);
    } catch (IllegalArgumentException e) {
      return Signal.EVERYTHING;
    }
  }

  private static <T> Set<T> read(String ids, Function<String, T> reader) {
    Set<T> read = new HashSet<>();
    for (String id : ids.split(",", -1)) {
      if (!id.isEmpty()) {
        read.add(reader.apply(id));
      }
    }
    return read;
  }
}
