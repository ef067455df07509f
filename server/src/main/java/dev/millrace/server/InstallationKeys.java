package dev.millrace.server;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.server.settings.Settings;
import dev.millrace.storage.url.SigningKeys;

/** The secret behind signed URLs and webhooks: the one that is set, or one of the data folder. */
final class InstallationKeys {

  private InstallationKeys() {}

  static SigningKeys of(Settings settings) {
    return settings.files().signingSecret() == null
        ? SigningKeys.loadOrCreate(settings.folders().data().resolve("signing.key"))
        // People choose a secret's length, but a key has one of its own.
        : SigningKeys.of(Sha256.of(settings.files().signingSecret().reveal()));
  }
}
