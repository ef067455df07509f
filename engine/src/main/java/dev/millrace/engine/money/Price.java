package dev.millrace.engine.money;

import java.util.Locale;

/**
 * How a settlement is reckoned. The hold is the most it can be.
 *
 * @param rate credits for one unit; without meaning where the whole job is the unit
 */
public record Price(Unit unit, long rate) {

  /** What is counted. */
  public enum Unit {
    /** The job as a whole: its hold is its price. */
    JOB,
    /** Each output that was delivered. */
    OUTPUT,
    /** Each begun second of the attempt that delivered. */
    SECOND;

    private final String label = name().toLowerCase(Locale.ROOT);

    public String label() {
      return label;
    }
  }

  public static final Price OF_THE_JOB = new Price(Unit.JOB, 0);

  public Price {
    if (rate < 0) {
      throw new IllegalArgumentException("a rate is never negative");
    }
  }

  /** What so many units cost; never more than was held. */
  public long charge(long held, long units) {
    if (unit == Unit.JOB) {
      return held;
    }
    boolean beyond = rate != 0 && units > held / rate;
    return beyond ? held : rate * Math.max(0, units);
  }
}
