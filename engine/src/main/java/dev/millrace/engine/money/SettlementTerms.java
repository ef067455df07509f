package dev.millrace.engine.money;

/**
 * What the settlement of a hold is reckoned from.
 *
 * @param safetyRefund whether a safety rejection gives the credits back
 * @param declineConsumes whether a reviewer's decline keeps them
 */
public record SettlementTerms(
    long held, Price price, Units units, boolean safetyRefund, boolean declineConsumes) {

  /**
   * How much there is to pay for.
   *
   * @param made units of the price that the result under review has
   * @param delivered units of the price that the job's owner gets
   * @param seconds begun seconds of the newest attempt, up to now
   */
  public record Units(long made, long delivered, long seconds) {}

  /** Keeps what so many units of the price cost. */
  public Settlement keepPriceOf(long count) {
    return Settlement.keeping(price.charge(held, count), held);
  }

  public Settlement keepAll() {
    return new Settlement(held, held);
  }

  public Settlement keepNothing() {
    return new Settlement(held, 0);
  }

  /** Keeps the time that was used where time is what is sold; outputs nobody got are free. */
  public Settlement keepMeteredUse() {
    return price.unit() == Price.Unit.SECOND ? keepPriceOf(units.seconds) : keepNothing();
  }
}
