package dev.millrace.server;

import dev.millrace.server.settings.Settings;
import dev.millrace.service.access.ApiKey;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A running server. Closing it drains: leases are given back, and nothing is lost. */
public final class MillraceServer implements AutoCloseable {

  private final Wiring wiring;

  private MillraceServer(Wiring wiring) {
    this.wiring = wiring;
  }

  /**
   * Starts everything and returns when requests are served. An interrupt gives the start up; on a
   * virtual thread also while it waits for an answer of the database.
   *
   * @param progress is told what takes long, for people
   * @throws StartupException if it can't; the message says what to do
   */
  public static MillraceServer start(Settings settings, Consumer<String> progress) {
    return new MillraceServer(Wiring.wire(settings, progress));
  }

  /** How long closing a server takes at most, with what is left of the process after it. */
  public static Duration stopLimit(Settings settings) {
    return StopTimes.of(settings.http().shutdownGrace()).all();
  }

  public int port() {
    return wiring.http().port();
  }

  /** How people on this machine reach the server. */
  public URI url() {
    return wiring.url();
  }

  public int effects() {
    return wiring.offers().all().size();
  }

  /** Where the data is, in words that hide secrets. */
  public String databaseInWords() {
    return wiring.databaseInWords();
  }

  /** True for a key that works here. */
  public boolean accepts(String key) {
    return ApiKey.parse(key)
        .flatMap(parsed -> wiring.database().keys().find(parsed.hash()))
        .isPresent();
  }

  /**
   * A key for the person who starts the server, if they need one: on a first start, or when the key
   * they have is not one of an embedded database's, which is theirs alone.
   */
  public Optional<String> keyForOwner(@Nullable String present) {
    if (present != null && accepts(present)) {
      return Optional.empty();
    }
    return wiring.embedded() == null
        ? wiring.firstStart().firstKey()
        : Optional.of(wiring.firstStart().operatorKey("command line"));
  }

  /** A link that signs the owner of this key in to the console, once. */
  public Optional<URI> consoleLink(String key) {
    return wiring.link(key);
  }

  @Override
  public void close() {
    wiring.close();
  }
}
