package dev.millrace.engine.sim;

/** Somebody who does one thing after the other, and knows only what it was told. */
interface Actor {

  /** Does one thing, if there is one to do. */
  void act();

  /** Tidies up: asks again where it does not know, and stops making trouble. */
  default void settle() {}
}
