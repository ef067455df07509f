package dev.millrace.postgres.embedded;

import java.nio.file.Path;

/**
 * The embedded database can't be used; the message says why and what to do, fit for an operator's
 * eyes.
 */
public final class EmbeddedDatabaseException extends RuntimeException {
  EmbeddedDatabaseException(String message) {
    super(message);
  }

  EmbeddedDatabaseException(String message, Throwable cause) {
    super(message, cause);
  }

  static EmbeddedDatabaseException unusable(Path dataDir, Throwable cause) {
    return new EmbeddedDatabaseException(
        "The data directory %s can't be used: %s. Check that the disk has room and that this user may write there, or choose another data directory."
            .formatted(dataDir, cause),
        cause);
  }
}
