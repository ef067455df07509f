package dev.millrace.server.http;

/** The client closed its connection or was cut for being too slow. Nobody is left to answer. */
@SuppressWarnings("serial")
public final class ClientGoneException extends RuntimeException {
  ClientGoneException(Throwable cause) {
    super("The client is gone", cause, false, false);
  }
}
