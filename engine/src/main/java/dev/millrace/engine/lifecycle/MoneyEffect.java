package dev.millrace.engine.lifecycle;

import dev.millrace.engine.money.Settlement;
import dev.millrace.engine.money.SettlementTerms;

/** What an edge does to the job's hold. Nobody else decides what is kept and what is refunded. */
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

  /** How an edge that {@link #settles} divides the hold. */
  public Settlement settlement(SettlementTerms terms) {
    return switch (this) {
      case NONE, RESERVE, KEEP -> throw new IllegalStateException(words + " settles nothing");
      case CONSUME -> terms.keepPriceOf(terms.units().delivered());
      case REFUND -> terms.keepNothing();
      case CONSUME_UNLESS_EFFECT_REFUNDS ->
          terms.safetyRefund() ? terms.keepNothing() : terms.keepAll();
      case REFUND_UNLESS_EFFECT_CONSUMES ->
          terms.declineConsumes() ? terms.keepPriceOf(terms.units().made()) : terms.keepNothing();
      case REFUND_LESS_METERED_USE -> terms.keepMeteredUse();
    };
  }
}
