package dev.millrace.web.console.frame;

import dev.millrace.web.http.Request;
import java.time.Duration;
import java.util.Optional;

/** Reads and writes cookies of the console. */
public record Cookies(String path, boolean secure) {

  static Optional<String> value(Request request, String name) {
    for (String line : request.headers("cookie")) {
      for (String pair : line.split(";", -1)) {
        String[] parts = pair.strip().split("=", 2);
        if (parts.length == 2 && parts[0].equals(name)) {
          return Optional.of(parts[1]);
        }
      }
    }
    return Optional.empty();
  }

  /** Sent to us alone, and never on behalf of another site. */
  String set(String name, String value, Duration life) {
    return set(name, value, life, "Strict");
  }

  /** Sent to us alone, also when another site leads here. */
  String setForArrivals(String name, String value, Duration life) {
    return set(name, value, life, "Lax");
  }

  private String set(String name, String value, Duration life, String sites) {
    return "%s=%s; Path=%s; Max-Age=%d; HttpOnly; SameSite=%s%s"
        .formatted(name, value, path, life.toSeconds(), sites, secure ? "; Secure" : "");
  }

  String clear(String name) {
    return set(name, "", Duration.ZERO);
  }
}
