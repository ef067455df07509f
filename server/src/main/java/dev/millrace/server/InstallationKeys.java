package dev.millrace.server;

import dev.millrace.server.settings.Settings;
import dev.millrace.service.access.Secret;
import dev.millrace.storage.url.SigningKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The secret behind signed URLs and webhooks: the one that is set, or one of the data folder. */
final class InstallationKeys {

  private InstallationKeys() {}

  static SigningKeys of(Settings settings) {
    return settings.files().signingSecret() == null
        ? SigningKeys.loadOrCreate(settings.folders().data().resolve("signing.key"))
        : SigningKeys.of(hashed(settings.files().signingSecret()));
  }

  /** People choose a secret's length, but a key has one of its own. */
  private static byte[] hashed(Secret secret) {
    try {
      return MessageDigest.getInstance("SHA-256")
          .digest(secret.reveal().getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
