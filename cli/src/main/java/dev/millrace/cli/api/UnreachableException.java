package dev.millrace.cli.api;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
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
      case ConnectException unknown when isUnresolved(unknown) ->
          "Nobody knows the host of " + server + ": is it mistyped?";
      case ConnectException _ -> "Nothing answers at " + server + ".";
      case HttpConnectTimeoutException _ -> "Nothing answers at " + server + ".";
      case HttpTimeoutException _ -> server + " did not answer in time.";
      case SSLException plain when String.valueOf(plain.getMessage()).contains("plaintext") ->
          server + " speaks http, not https.";
      case SSLException _ -> "No safe connection to " + server + ": " + cause.getMessage();
      default -> "The connection to " + server + " broke.";
    };
  }

  private static boolean isUnresolved(Throwable trouble) {
    for (Throwable cause = trouble; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
        return true;
      }
    }
    return false;
  }
}
