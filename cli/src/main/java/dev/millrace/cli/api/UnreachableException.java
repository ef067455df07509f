package dev.millrace.cli.api;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import javax.net.ssl.SSLException;

/** No answer came: nobody listens, or the connection broke, or it took too long. */
public final class UnreachableException extends RuntimeException {

  public UnreachableException(String server, IOException cause) {
    super(sentence(server, cause), cause);
  }

  public UnreachableException(String sentence) {
    super(sentence);
  }

  private static String sentence(String server, IOException cause) {
    return switch (cause) {
      case ConnectException _ -> "Nothing answers at " + server + ".";
      case HttpConnectTimeoutException _ -> "Nothing answers at " + server + ".";
      case HttpTimeoutException _ -> server + " did not answer in time.";
      case SSLException _ -> "No safe connection to " + server + ": " + cause.getMessage();
      default -> "The connection to " + server + " broke.";
    };
  }
}
