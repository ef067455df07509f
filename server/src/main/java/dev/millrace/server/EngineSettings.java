package dev.millrace.server;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Timings;
import dev.millrace.server.settings.Settings;

/** What the engine needs of the settings, in its own words. */
final class EngineSettings {

  private EngineSettings() {}

  static Timings timings(Settings settings) {
    Settings.Leases leases = settings.leases();
    return new Timings(
        leases.lease(),
        leases.callbackDeadline(),
        leases.reviewDeadline(),
        leases.cancelGrace(),
        new Timings.Backoff(settings.retries().backoffBase(), settings.retries().backoffCap()));
  }

  static Engine.LaneSizes laneSizes(Settings settings) {
    return new Engine.LaneSizes(settings.lanes().batchMax(), settings.lanes().queueMax());
  }
}
