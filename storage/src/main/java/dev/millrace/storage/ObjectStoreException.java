package dev.millrace.storage;

import java.io.IOException;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The object store could not do what it was asked. */
public sealed class ObjectStoreException extends RuntimeException {

  public ObjectStoreException(String message) {
    super(message);
  }

  public ObjectStoreException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Names an I/O failure: a full disk is told apart, because an operator must act on it. */
  public static ObjectStoreException of(String doing, IOException cause) {
    if (isFull(cause)) {
      return new Full("the object store is full: could not " + doing, cause);
    }
    return new ObjectStoreException("could not " + doing + ": " + cause, cause);
  }

  /** Java has no type for a full disk, only the operating system's words. */
  private static boolean isFull(IOException failure) {
    @Nullable String message = failure.getMessage();
    if (message == null) {
      return false;
    }
    String words = message.toLowerCase(Locale.ROOT);
    return Stream.of("no space left", "not enough space", "quota exceeded")
        .anyMatch(words::contains);
  }

  /** The disk or the quota behind the store has no room. */
  public static final class Full extends ObjectStoreException {
    Full(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** More bytes came than the caller allowed. */
  public static final class TooLarge extends ObjectStoreException {
    TooLarge(String key, long maxBytes) {
      super("%s is larger than the %d bytes allowed".formatted(key, maxBytes));
    }
  }

  /** The key is taken. Keys are unique, so this is a key used twice. */
  public static final class AlreadyExists extends ObjectStoreException {
    public AlreadyExists(String key) {
      super(key + " already exists");
    }
  }
}
