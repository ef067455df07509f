package dev.millrace.engine.sim;

/** What the sender of a command hears. */
public sealed interface Answer<R> {

  record Told<R>(R result) implements Answer<R> {}

  /** It may or may not have happened: the reply was lost, or the connection at the commit. */
  record Unknown<R>() implements Answer<R> {}

  /** It certainly did not happen. */
  record Nothing<R>() implements Answer<R> {}
}
