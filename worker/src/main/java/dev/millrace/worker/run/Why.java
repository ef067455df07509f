package dev.millrace.worker.run;

import java.util.Locale;

/** Why work stops before its end. */
public enum Why {
  /** Its owner doesn't want it any more. */
  CANCELED,
  /** Somebody else may be at it already, so nothing is reported. */
  LEASE_LOST,
  /** The worker was told to end. */
  SHUTDOWN,
  /** The machine goes away. */
  SPOT,
  /** The machine will probably go away. */
  REBALANCE;

  /** The word that the server and the log know. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean requeues() {
    return this == SHUTDOWN || this == SPOT || this == REBALANCE;
  }
}
