package dev.millrace.engine.sim;

import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** All that is random in a schedule, from one seed. */
public final class Chance {

  private final SplittableRandom random;
  private long made;

  public Chance(long seed) {
    this.random = new SplittableRandom(seed);
  }

  public int below(int bound) {
    return random.nextInt(bound);
  }

  public int between(int from, int to) {
    return random.nextInt(from, to + 1);
  }

  public boolean percent(int chances) {
    return random.nextInt(100) < chances;
  }

  public boolean perMille(int chances) {
    return random.nextInt(1000) < chances;
  }

  public double fraction() {
    return random.nextDouble();
  }

  public <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  /** Random in its order, and with a number in it that people can read in the log. */
  public UUID uuid() {
    return new UUID(random.nextLong(), ++made);
  }
}
