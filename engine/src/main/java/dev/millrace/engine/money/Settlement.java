package dev.millrace.engine.money;

/**
 * How a hold is divided when it is closed.
 *
 * @param held what was reserved
 * @param captured what is kept of it
 */
public record Settlement(long held, long captured) {

  public Settlement {
    if (captured < 0 || captured > held) {
      throw new IllegalStateException("can't keep %d of %d".formatted(captured, held));
    }
  }

  /** Keeps so much of a hold, but never more than there is in it. */
  public static Settlement keeping(long charge, long held) {
    return new Settlement(held, Math.clamp(charge, 0, held));
  }

  /** What goes back to the wallet. */
  public long refunded() {
    return held - captured;
  }
}
