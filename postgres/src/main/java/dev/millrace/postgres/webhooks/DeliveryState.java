package dev.millrace.postgres.webhooks;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a delivery stands. The label is the same word in SQL, JSON and on the console. */
public enum DeliveryState {
  PENDING,
  DELIVERED,
  FAILED,
  /** Waits until its endpoint is no longer disabled. */
  HELD;

  private final String label = name().toLowerCase(Locale.ROOT);

  public String label() {
    return label;
  }

  /** The state of this name, if there is one. */
  public static Optional<DeliveryState> find(String label) {
    return Arrays.stream(values()).filter(state -> state.label.equals(label)).findFirst();
  }
}
