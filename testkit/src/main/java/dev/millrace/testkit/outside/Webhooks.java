package dev.millrace.testkit.outside;

/** How a double sends its webhooks. */
public enum Webhooks {
  ONCE,
  /** The same message twice, as after a reply that got lost. */
  TWICE,
  NEVER,
  /** Work ends the moment it is taken: its webhook arrives before the reply to the submit. */
  EARLY
}
