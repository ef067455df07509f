package dev.millrace.engine.memory;

import org.jspecify.annotations.Nullable;

/** What must always be true is not. */
public final class BrokenLaw extends AssertionError {

  private final String law;

  public BrokenLaw(String law, String detail) {
    super(law + ": " + detail);
    this.law = law;
  }

  /** The law's name, without the rows that broke it. */
  public String law() {
    return law;
  }

  /** Cheap while it holds: the evidence is put into words only when it does not. */
  public static void require(boolean holds, String law, @Nullable Object... evidence) {
    if (!holds) {
      StringBuilder detail = new StringBuilder();
      for (Object piece : evidence) {
        detail.append(detail.isEmpty() ? "" : " | ").append(piece);
      }
      throw new BrokenLaw(law, detail.toString());
    }
  }
}
