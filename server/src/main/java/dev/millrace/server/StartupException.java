package dev.millrace.server;

/** The server can't start. The message is for people and says what to do. */
public final class StartupException extends RuntimeException {
  public StartupException(String message) {
    super(message);
  }

  public StartupException(String message, Throwable cause) {
    super(message, cause);
  }
}
