package dev.millrace.service.access;

import dev.millrace.engine.port.Store;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.tenants.ConsolePasses;
import dev.millrace.postgres.tenants.Keys;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which keys and sessions were used lately. It is written now and then, many at once, and never by
 * the request that used them: that it can't be written is no reason to refuse anybody.
 */
public final class LastUses {

  /** How often it is written. */
  public static final Duration PAUSE = Duration.ofSeconds(2);

  /** More than this in one pause are not noted: they are used again, or it doesn't matter. */
  private static final int MOST = 100_000;

  private final Keys keys;
  private final ConsolePasses passes;
  private final Counter troubles;
  private final Set<Keys.Used> usedKeys = ConcurrentHashMap.newKeySet();
  private final Set<String> usedSessions = ConcurrentHashMap.newKeySet();

  public LastUses(Keys keys, ConsolePasses passes, Counter troubles) {
    this.keys = keys;
    this.passes = passes;
    this.troubles = troubles;
  }

  /** The duty as it is set up. */
  public static LastUses of(Database database, MeterRegistry registry) {
    Counter troubles =
        Counter.builder("millrace.last_use.troubles")
            .description("How often it could not be written which keys and sessions were used")
            .register(registry);
    return new LastUses(database.keys(), database.consolePasses(), troubles);
  }

  /** A key was used. */
  public void ofKey(int tenant, UUID id) {
    if (usedKeys.size() < MOST) {
      usedKeys.add(new Keys.Used(tenant, id));
    }
  }

  /** A session was used, so it lasts longer. */
  void ofSession(String hash) {
    if (usedSessions.size() < MOST) {
      usedSessions.add(hash);
    }
  }

  /** Writes what was noted since the last time. */
  public void write() {
    write(() -> keys.touch(taken(usedKeys)));
    write(() -> passes.prolong(taken(usedSessions), Passes.SESSION));
  }

  private void write(Runnable write) {
    try {
      write.run();
    } catch (Store.Unavailable _) {
      // Whatever keeps it from being written, others say so louder.
      troubles.increment();
    }
  }

  private static <T> List<T> taken(Set<T> used) {
    List<T> taken = List.copyOf(used);
    taken.forEach(used::remove);
    return taken;
  }
}
