package dev.millrace.engine.sim;

/** Decides, at each call of a port, whether the world goes wrong right there. */
public final class Faults {

  /** What becomes of a commit. */
  public enum Commit {
    FINE,
    /** The connection broke, and the transaction never happened. */
    LOST,
    /** The transaction happened, and nobody heard of it. */
    UNHEARD
  }

  /** Something broke before the commit. */
  public enum Break {
    /** The connection, or the whole node. */
    CUT,
    /** The database gave up on this transaction. */
    REFUSED,
    /** A deadlock or serialization failure, after which the store runs the work again. */
    AGAIN
  }

  /** Thrown where the world breaks. */
  public static final class Broken extends RuntimeException {
    private final Break kind;

    Broken(Break kind) {
      super(kind.name(), null, false, false);
      this.kind = kind;
    }

    public Break kind() {
      return kind;
    }
  }

  private final Chance chance;
  private final EventLog log;
  private int perMille;
  private int interludes;
  private boolean inside;
  private int turns;
  private Runnable interlude = () -> {};

  Faults(Chance chance, EventLog log) {
    this.chance = chance;
    this.log = log;
  }

  /**
   * Sets how bad the weather is.
   *
   * @param perMille how many of a thousand calls break
   * @param interludes between how many of a thousand calls somebody else gets a turn
   */
  void weather(int perMille, int interludes) {
    this.perMille = perMille;
    this.interludes = interludes;
  }

  /** What somebody else does meanwhile. */
  void interlude(Runnable interlude) {
    this.interlude = interlude;
  }

  /** How often others got a turn in the middle of a transaction; odd while they have it. */
  int turns() {
    return turns;
  }

  /** Between two calls: others may get a turn, or the world may break. */
  public void between(String call) {
    if (interludes > 0 && !inside && chance.perMille(interludes)) {
      inside = true;
      turns++;
      log.add("  meanwhile, near " + call);
      try {
        interlude.run();
      } finally {
        turns++;
        inside = false;
      }
    }
    if (perMille > 0 && chance.perMille(perMille)) {
      Break kind = Break.values()[chance.below(Break.values().length)];
      log.add("  " + kind + " near " + call);
      throw new Broken(kind);
    }
  }

  public Commit commit() {
    if (perMille == 0 || !chance.perMille(Math.min(500, perMille * 4))) {
      return Commit.FINE;
    }
    Commit commit = chance.percent(50) ? Commit.LOST : Commit.UNHEARD;
    log.add("  commit " + commit);
    return commit;
  }
}
