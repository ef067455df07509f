package dev.millrace.web.http;

/** The client closed its connection or was cut for being too slow. Nobody is left to answer. */
@SuppressWarnings("serial")
public final class ClientGoneException extends RuntimeException {
  public ClientGoneException(Throwable cause) {
    super("The client is gone", cause, false, false);
  }
}
