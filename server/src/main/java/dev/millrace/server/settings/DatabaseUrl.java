package dev.millrace.server.settings;

import dev.millrace.service.access.Secret;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL database in the form that its JDBC driver wants: the credentials apart from the URL.
 *
 * @param jdbcUrl the URL without user and password; it may still hold the secrets of a client key,
 *     so print {@code masked} instead
 * @param user null if the URL names none
 * @param password null if the URL has none
 * @param masked the URL with everything masked that may be a secret
 */
public record DatabaseUrl(
    String jdbcUrl, @Nullable String user, @Nullable Secret password, String masked) {

  @Override
  public String toString() {
    return masked;
  }
}
