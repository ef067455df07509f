package dev.millrace.web.http.server;

import io.helidon.common.uri.UriValidator;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.http.Status;
import io.helidon.http.WritableHeaders;
import io.helidon.webserver.ConnectionContext;
import java.util.List;

/**
 * Refuses heads that two readers could understand differently, before anything is made of them:
 * what is sent twice and must be there once, names that are none, targets that no client sends.
 */
final class StrictHead {

  private static final List<HeaderName> ONCE =
      List.of(
          HeaderNames.HOST,
          HeaderNames.AUTHORIZATION,
          HeaderNames.CONTENT_LENGTH,
          HeaderNames.CONTENT_TYPE,
          HeaderNames.TRANSFER_ENCODING,
          HeaderNames.create("Idempotency-Key"),
          HeaderNames.create("Last-Event-ID"));

  private StrictHead() {}

  static void requireTarget(HttpPrologue prologue) {
    if (prologue.fragment().hasValue()) {
      throw refused("A fragment is no part of a request's target");
    }
  }

  static void requireHeaders(ConnectionContext context, Headers headers) {
    for (Header header : headers) {
      if (header.name().isEmpty()) {
        throw refused("A header has no name");
      }
    }
    for (HeaderName name : ONCE) {
      if (headers.contains(name) && headers.get(name).allValues().size() > 1) {
        throw refused("A header must not come twice");
      }
    }
    boolean old = StrictReader.isOld(context);
    if (headers.contains(HeaderNames.HOST)) {
      requireHost(headers.get(HeaderNames.HOST).get());
    } else if (!old) {
      throw refused("There is no host");
    }
    if (old && headers instanceof WritableHeaders<?> writable) {
      writable.set(HeaderValues.CONNECTION_CLOSE);
    }
  }

  private static void requireHost(String host) {
    int bracket = host.lastIndexOf(']');
    int colon = host.indexOf(':', Math.max(bracket, 0));
    String name = colon < 0 ? host : host.substring(0, colon);
    boolean port = colon < 0 || host.substring(colon + 1).matches("[0-9]{1,5}");
    try {
      UriValidator.validateHost(name);
    } catch (IllegalArgumentException _) {
      throw refused("The host is none");
    }
    if (name.isEmpty() || !port) {
      throw refused("The host is none");
    }
  }

  private static RuntimeException refused(String message) {
    return StrictReader.refusal(Status.BAD_REQUEST_400, message);
  }
}
