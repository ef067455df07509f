package dev.millrace.postgres.notify;

import dev.millrace.engine.port.Signal;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * A signal as the payload of a notification: {@code w1,2;j0198c...,0198d...}, or {@code *} when it
 * would be longer than PostgreSQL allows. In front of it, and a bar, may stand whose it is.
 */
public final class SignalText {

  /** PostgreSQL refuses 8,000 bytes and more; the text is ASCII. */
  static final int LIMIT = 7_900;

  private static final String EVERYTHING = "*";
  private static final char BAR = '|';

  private SignalText() {}

  /** As this node's own, which it then doesn't have to hear. */
  public static String write(Signal signal, String node) {
    return node + BAR + write(signal);
  }

  static boolean isOf(String node, String text) {
    return text.startsWith(node + BAR);
  }

  public static String write(Signal signal) {
    StringBuilder text = new StringBuilder("w");
    signal.workflows().forEach(id -> text.append(id).append(','));
    text.append(";j");
    signal.jobs().forEach(id -> text.append(id).append(','));
    return signal.everything() || text.length() > LIMIT ? EVERYTHING : text.toString();
  }

  /** What can't be read wakes everybody: a wrong wake-up costs a look, a missed one costs time. */
  static Signal read(String payload) {
    String text = payload.substring(payload.indexOf(BAR) + 1);
    int parting = text.indexOf(";j");
    if (!text.startsWith("w") || parting < 0) {
      return Signal.EVERYTHING;
    }
    try {
      Set<Integer> workflows = new HashSet<>();
      Set<UUID> jobs = new HashSet<>();
      for (String id : text.substring(1, parting).split(",", -1)) {
        if (!id.isEmpty()) {
          workflows.add(Integer.valueOf(id));
        }
      }
      for (String id : text.substring(parting + 2).split(",", -1)) {
        if (!id.isEmpty()) {
          jobs.add(UUID.fromString(id));
        }
      }
      return new Signal(workflows, jobs, false);
    } catch (IllegalArgumentException e) {
      return Signal.EVERYTHING;
    }
  }
}
