package dev.millrace.server;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Timings;
import dev.millrace.postgres.Database;
import dev.millrace.server.settings.Settings;
import java.util.UUID;

/** What the engine needs of the settings, in its own words. */
final class EngineSettings {

  private EngineSettings() {}

  static Engine engine(Settings settings, Database database, Engine.Listener listener) {
    return new Engine(
        database.store(settings.fleet().tenantConcurrency()),
        timings(settings),
        laneSizes(settings),
        UUID::randomUUID,
        listener);
  }

  private static Timings timings(Settings settings) {
    Settings.Leases leases = settings.leases();
    return new Timings(
        leases.lease(),
        leases.callbackDeadline(),
        leases.reviewDeadline(),
        leases.cancelGrace(),
        new Timings.Backoff(settings.retries().backoffBase(), settings.retries().backoffCap()));
  }

  private static Engine.LaneSizes laneSizes(Settings settings) {
    return new Engine.LaneSizes(settings.lanes().batchMax(), settings.lanes().queueMax());
  }
}
