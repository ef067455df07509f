package dev.millrace.spi.provider;

/**
 * Whoever performs attempts: here and at once ({@link Provider}), or somewhere else and later
 * ({@link AsyncProvider}).
 */
public sealed interface Performer permits Provider, AsyncProvider {

  /** The executor name that workflows use to ask for it, such as {@code sketch}. */
  String name();

  /**
   * Whether all its work goes to one service. If that is in trouble, nobody is sent there for a
   * while.
   */
  boolean needsService();
}
