package dev.millrace.service.webhooks;

import dev.millrace.contract.digest.HmacSha256;
import dev.millrace.contract.digest.Sha256;
import dev.millrace.postgres.webhooks.DueDeliveries.Claim;
import dev.millrace.storage.url.SigningKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The secrets of endpoints. They are stored nowhere: each is derived from the installation's own
 * secret, the endpoint's id and a number that grows with each rotation. The stored hash tells
 * whether this node has the same installation's secret as the one that made it.
 */
public final class EndpointSecrets {

  private final List<byte[]> roots;

  /**
   * Derives from these.
   *
   * @param roots the installation's secrets, the one for new secrets first
   */
  public EndpointSecrets(List<byte[]> roots) {
    this.roots = roots.stream().map(byte[]::clone).toList();
  }

  /** Those of this installation. */
  static EndpointSecrets of(SigningKeys keys) {
    return new EndpointSecrets(keys.derived("webhooks"));
  }

  public String make(UUID webhook, int number) {
    return derive(roots.getFirst(), webhook, number);
  }

  /** The secret with this hash, if it can be derived here. */
  Optional<String> find(UUID webhook, int number, String hash) {
    return roots.stream()
        .map(root -> derive(root, webhook, number))
        .filter(secret -> hash(secret).equals(hash))
        .findFirst();
  }

  /** What signs this delivery, the newest first; nothing if the newest can't be derived. */
  List<String> of(Claim claim) {
    List<String> secrets = new ArrayList<>();
    find(claim.target().webhookId(), claim.secret().secretNumber(), claim.secret().secretHash())
        .ifPresent(secrets::add);
    if (claim.secret().previousHash() != null && !secrets.isEmpty()) {
      find(
              claim.target().webhookId(),
              claim.secret().secretNumber() - 1,
              claim.secret().previousHash())
          .ifPresent(secrets::add);
    }
    return secrets;
  }

  /** What is stored of a secret. */
  public static String hash(String secret) {
    return Sha256.hex(secret);
  }

  private static String derive(byte[] root, UUID webhook, int number) {
    return Signature.secret(HmacSha256.of(root, webhook + ":" + number));
  }
}
