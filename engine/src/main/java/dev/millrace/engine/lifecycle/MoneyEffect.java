package dev.millrace.engine.lifecycle;

/** What an edge does to the job's hold. */
public enum MoneyEffect {
  /** There is no hold, and none is made. */
  NONE("none"),
  RESERVE("reserve"),
  KEEP("keep"),
  CONSUME("consume up to the hold, refund the rest"),
  REFUND("refund"),
  CONSUME_UNLESS_EFFECT_REFUNDS("consume, no refund (the effect can say refund)"),
  REFUND_UNLESS_EFFECT_CONSUMES("refund (the effect can say consume)"),
  REFUND_LESS_METERED_USE("refund (metered: consume what was used)");

  private final String words;

  MoneyEffect(String words) {
    this.words = words;
  }

  public String words() {
    return words;
  }

  /** True when the edge closes the open hold. */
  public boolean settles() {
    return switch (this) {
      case NONE, RESERVE, KEEP -> false;
      case CONSUME,
          REFUND,
          CONSUME_UNLESS_EFFECT_REFUNDS,
          REFUND_UNLESS_EFFECT_CONSUMES,
          REFUND_LESS_METERED_USE ->
          true;
    };
  }
}
